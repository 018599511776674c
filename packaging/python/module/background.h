// SPDX-License-Identifier: GPL-3.0-or-later
// Long work for Python: without its lock, ended by Ctrl+C, within a budget of memory.
#pragma once
#include <cstdint>
#include <functional>
#include <stop_token>

namespace rankscope::python {

/// Memory and threads that work may take; 0: the program's defaults (docs/cli.md, --memory and --jobs).
struct Budget {
    std::uint64_t memory_bytes = 0;
    int jobs = 0;
};

/// Does the work in a thread of its own and returns when it has ended; throws what it throws. The calling thread has
/// Python's lock, which it gives away meanwhile, but for signals and `tick`, some times a second. A signal whose
/// handler raises requests a stop: reading and queries end, and analyses before their next part (core/base/stopping.h).
/// It is thrown when the work has ended. No memory: Failure (input).
void in_background(const Budget& budget, const std::function<void(const std::stop_token&)>& work,
                   const std::function<void()>& tick = {});

} // namespace rankscope::python
