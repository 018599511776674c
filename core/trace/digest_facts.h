// SPDX-License-Identifier: GPL-3.0-or-later
// What a digest knows beside the events it keeps: where the full trace lies, and numbers over the events it leaves out.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/trace/ccl_bench_numbers.h"
#include "core/trace/run.h"

namespace rankscope {

/// A file as it was when it was read.
struct FileStamp {
    std::filesystem::path path; ///< absolute
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0; ///< since the Unix epoch
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct DigestFacts {
    FileStamp source;                  ///< the full trace
    std::uint64_t recorded_events = 0; ///< in the full trace
    bool fractional_times = false;     ///< of microseconds, somewhere in it, as hta_clock.h asks
    CclBenchCounts ccl_bench_counts;
    CclBenchBubble ccl_bench_bubble;
    CclBenchTraffic ccl_bench_traffic;
    /// What lay beside the trace.
    RunConfig config;
    ServingResults serving;
    std::vector<ExpertLoads> expert_loads;
};

} // namespace rankscope
