// SPDX-License-Identifier: GPL-3.0-or-later
// The best of a few runs, in seconds: the figure least disturbed by what else the machine does.
#pragma once
#include <algorithm>
#include <ctime>
#include <limits>

namespace rankscope {

enum class Clock { wall, cpu }; ///< cpu: what all threads of the process used

inline double seconds_on(Clock clock) {
    timespec now{};
    clock_gettime(clock == Clock::wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

template <typename Work>
double best_seconds(Clock clock, Work&& work, int repetitions = 7) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repetitions; ++i) {
        const double begin = seconds_on(clock);
        work();
        best = std::min(best, seconds_on(clock) - begin);
    }
    return best;
}

} // namespace rankscope
