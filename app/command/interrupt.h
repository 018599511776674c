// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+C in a program without a window: asks the work to stop, and ends the program when it does not soon.
#pragma once
#include <mutex>
#include <stop_token>
#include <thread>

namespace rankscope {

inline constexpr int kExitInterrupted = 130;

/// SIGINT, SIGTERM and SIGHUP, unless ignored, are blocked in this thread, and so in all that it starts, and taken by a
/// thread of its own: no code runs in a signal handler. Create it before any other thread. Where no thread is to be
/// had, a signal ends the program at once.
class Interrupt {
public:
    Interrupt();

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
    /// Held while a file is being written: the program does not end then.
    [[nodiscard]] std::unique_lock<std::mutex> writing() { return std::unique_lock(writing_); }

private:
    void watch(const std::stop_token& finished);

    std::stop_source stop_;
    std::mutex writing_;
    std::jthread watcher_;
};

} // namespace rankscope
