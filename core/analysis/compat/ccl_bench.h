// SPDX-License-Identifier: GPL-3.0-or-later
// What CCL-Bench's tools (the generation rules-ccl-bench.md calls C) count in a trace, CPU events and all: kept only to
// show the number its users know beside the right one.
#pragma once
#include <string_view>

#include "core/trace/ccl_bench_numbers.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

std::string_view ccl_bench_type_word(CclBenchType type); ///< "AllReduce" ...

CclBenchCounts ccl_bench_counts(const RankTrace& rank);

} // namespace rankscope
