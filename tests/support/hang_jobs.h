// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of hangs say of made-up jobs in a few words.
#pragma once
#include <numeric>
#include <vector>

#include "tests/support/flight_recorder_dumps.h"

namespace rankscope::hang_jobs {

using Ranks = std::vector<int>;

/// In the order of Hang::ranks.
inline Ranks ranks_with(const Hang& hang, HangVerdict verdict) {
    Ranks ranks;
    for (const HangRank* rank : hang.with(verdict))
        ranks.push_back(rank->rank);
    return ranks;
}

/// 0, 1 ... end - 1
inline Ranks up_to(int end) {
    Ranks ranks(static_cast<std::size_t>(end));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// at: ms since the job started.
inline DumpCall finished(const char* kind, const char* group, std::int64_t seq, double at) {
    return {.kind = kind, .group = group, .seq = seq, .created_ms = at, .completed_ms = at + 0.5};
}

inline DumpCall open(const char* kind, const char* group, std::int64_t seq, double at) {
    return {.kind = kind, .group = group, .seq = seq, .state = "scheduled", .created_ms = at};
}

} // namespace rankscope::hang_jobs
