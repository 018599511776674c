// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording holds, as far as it is not what every profiler writes.
#pragma once
#include <algorithm>

#include "core/trace/run.h"

namespace rankscope {

struct Recorded {
    bool gpu_work = true; ///< all that the GPUs do, not their collectives alone
    bool times = true;    ///< when it starts, not only how long it takes
};

inline Recorded recorded(const Run& run) {
    // The log of a communication library: calls, and what they took.
    const bool calls_only = run.source == TraceSource::inspector;
    return {!calls_only, !calls_only || std::ranges::none_of(run.notices, [](const Notice& notice) {
                return notice.code == "no_times";
            })};
}

/// Whether marks tell on a rank where steps begin: of a profiler, of a serving engine, or the program's own ranges.
inline bool steps_are_marked(const Run& run) {
    return std::ranges::any_of(
        run.ranks, [](const auto& rank) { return !rank->steps.empty(); });
}

} // namespace rankscope
