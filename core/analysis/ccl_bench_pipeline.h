// SPDX-License-Identifier: GPL-3.0-or-later
// What CCL-Bench's tools (generation C of rules-ccl-bench.md) print for pipeline bubble and traffic, kept to show the
// number its users know beside the right one.
#pragma once
#include <array>

#include "core/trace/run.h"

namespace rankscope {

/// Sums over ranks. CPU operators count as busy, and all steps are held against the last one.
struct CclBenchBubble {
    TimeNs bubble = 0;
    TimeNs total = 0;
};
CclBenchBubble ccl_bench_bubble(const Run& run);

/// Its "bytes" are durations; operators, annotations and kernels of one call all count.
struct CclBenchTraffic {
    enum Slot : std::size_t { dp, tp, pp, ep, unknown };
    std::array<TimeNs, 5> time{};
    std::int64_t calls = 0;
};
CclBenchTraffic ccl_bench_traffic(const Run& run);

} // namespace rankscope
