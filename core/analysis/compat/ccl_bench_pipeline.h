// SPDX-License-Identifier: GPL-3.0-or-later
// What CCL-Bench's tools (generation C of rules-ccl-bench.md) print for pipeline bubble and traffic, kept to show the
// number its users know beside the right one.
#pragma once
#include "core/trace/ccl_bench_numbers.h"
#include "core/trace/run.h"

namespace rankscope {

/// Of a run: sums over its ranks.
CclBenchBubble ccl_bench_bubble(const Run& run);
CclBenchBubble ccl_bench_bubble(const RankTrace& rank);

CclBenchTraffic ccl_bench_traffic(const Run& run);
CclBenchTraffic ccl_bench_traffic(const RankTrace& rank);

} // namespace rankscope
