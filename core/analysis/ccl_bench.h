// SPDX-License-Identifier: GPL-3.0-or-later
// What CCL-Bench's tools (the generation rules-ccl-bench.md calls C) count in a trace, CPU events and all: kept only to
// show the number its users know beside the right one.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// In the order in which that tool tries them.
enum class CclBenchType : std::uint8_t { all_reduce, reduce_scatter, all_gather, all_to_all, broadcast, send_recv, reduce, other };
inline constexpr std::size_t kCclBenchTypeCount = 8;
std::string_view ccl_bench_type_word(CclBenchType type); ///< "AllReduce" ...

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

CclBenchCounts ccl_bench_counts(const RankTrace& rank);

} // namespace rankscope
