// SPDX-License-Identifier: GPL-3.0-or-later
// What CCL-Bench's tools count in the trace of a rank, CPU events and all (core/analysis/compat/ccl_bench.h). Here
// because a digest, which leaves most of those events out, keeps the numbers.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// In the order in which that tool tries them.
enum class CclBenchType : std::uint8_t {
    all_reduce,
    reduce_scatter,
    all_gather,
    all_to_all,
    broadcast,
    send_recv,
    reduce,
    other
};
inline constexpr std::size_t kCclBenchTypeCount = 8;

struct CclBenchCounts {
    std::int64_t calls = 0; ///< coll_call_num: kernels by prefix, and nccl: and c10d:: events of every category
    std::array<std::int64_t, kCclBenchTypeCount> calls_by_type{};
    /// comm_comp_overlap: events of any category by name. The times are plain sums, nested events counted again.
    std::int64_t comm_events = 0;
    std::int64_t comp_events = 0;
    TimeNs comm_time = 0;
    TimeNs comp_time = 0;
    TimeNs overlap_time = 0; ///< at least one of each open
    /// straggler_lag: starts of the nccl kernels and of the operators and annotations that call them, ascending.
    std::vector<TimeNs> call_starts;
};

/// CPU operators count as busy, and all steps are held against the last one.
struct CclBenchBubble {
    TimeNs bubble = 0;
    TimeNs total = 0;
};

/// Its "bytes" are durations; operators, annotations and kernels of one call all count.
struct CclBenchTraffic {
    enum Slot : std::size_t { dp, tp, pp, ep, unknown };
    std::array<TimeNs, 5> time{};
    std::int64_t calls = 0;
};

} // namespace rankscope
