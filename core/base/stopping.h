// SPDX-License-Identifier: GPL-3.0-or-later
// Work that can be stopped between its analyses, without each of them knowing of it:
//
//     std::stop_source stop; // another thread calls stop.request_stop()
//     run_stoppable(stop.get_token(), [&] { findings = analysis.findings(); }); // throws Stopped soon after
//
// A value that was being computed (lazy.h) is computed anew by whoever asks next.
#pragma once
#include <exception>
#include <functional>
#include <stop_token>

namespace rankscope {

struct Stopped : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

/// Runs work in threads of its own. In all of them check_stop() throws Stopped once a stop was requested.
void run_stoppable(const std::stop_token& stop, const std::function<void()>& work);

/// Where work may end: run_apart() and run_isolated() call it, so that each value computed once does, and each rank.
void check_stop();

} // namespace rankscope
