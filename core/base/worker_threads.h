// SPDX-License-Identifier: GPL-3.0-or-later
// The threads that the parallel work of core and window is done on, all of them at the start.
#pragma once
#include <cstddef>

namespace rankscope {

/// oneTBB makes its threads when it first has work for them, and ends the program where the system has none left
/// (2021.8, rml_thread_monitor.h). So this asks the system first how many there are to be had, keeps oneTBB to that
/// number, and has it make them all at once; they stay. The first call decides: wanted threads, the caller's included,
/// 0 for as many as are of use (core/base/cpu_quota.h), which are the most. Returns how many work at once, at least
/// 1: the caller's own.
int start_worker_threads(int wanted = 0);

/// How many threads work at once where so many are wanted, 0 for all: no more than there are. Starts them where that
/// has not been done.
int worker_threads(int wanted);

constexpr std::size_t kMemoryOfAThread = std::size_t{32}
                                         << 20; ///< bytes that a thread needs to be of use, by and large

/// How many of so many threads the system gives beside what runs, each with a stack as oneTBB's and that memory.
int threads_to_be_had(int wanted);

} // namespace rankscope
