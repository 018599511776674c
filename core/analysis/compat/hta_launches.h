// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's views of launches and copies: launch statistics, queue length, memory bandwidth (rules-hta.md 10-12), as run.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/compat/hta_describe.h"
#include "core/analysis/compat/hta_rows.h"

namespace rankscope {

/// A row of get_cuda_kernel_launch_stats; whole microseconds where HTA rounds. memory: a copy or set.
struct HtaLaunch {
    EventIndex call = kNoEvent;
    double call_us = 0;
    double kernel_us = 0;
    double delay_us = 0; ///< from the end of the call, at least 0
    bool memory = false;
};
/// In the order of the calls in the file. Only cudaLaunchKernel(ExC), cudaMemcpyAsync and cudaMemsetAsync count, so HIP
/// and driver launches are missing.
std::vector<HtaLaunch> hta_launches(const RankTrace& rank, const std::vector<HtaRow>& rows);

/// The queue of a stream after a launch (+1) or the start of its GPU row (-1).
struct HtaQueuePoint {
    std::int64_t stream = -1;
    EventIndex event = kNoEvent;
    TimeNs time = 0; ///< on HTA's clock
    std::int64_t length = 0;
};
std::vector<HtaQueuePoint> hta_queue(const RankTrace& rank, const std::vector<HtaRow>& rows); ///< by stream, time

/// queue_length_summary: over points, not over time.
struct HtaQueueSummary {
    std::int64_t stream = -1;
    HtaDescription length;
    double full_us = 0; ///< get_time_spent_blocked_on_full_queue: time after points of at least the limit
};
inline constexpr std::int64_t kFullQueue = 1024;
std::vector<HtaQueueSummary> hta_queue_summary(const std::vector<HtaQueuePoint>& points,
                                               std::int64_t full = kFullQueue);

/// Sum of the bandwidths of the copies (or sets) of one name that run after a point.
struct HtaBandwidthPoint {
    std::string name; ///< "Memset", "Memcpy HtoD" ..., "Memcpy Unknown"
    TimeNs time = 0;
    double gb_s = 0;
};
std::vector<HtaBandwidthPoint> hta_memory_bandwidth(const RankTrace& rank,
                                                    const std::vector<HtaRow>& rows); ///< by name, time

/// memory_bw_summary: over points above 0, among them residues of adding and subtracting doubles.
struct HtaBandwidthSummary {
    std::string name;
    HtaDescription gb_s;
};
std::vector<HtaBandwidthSummary> hta_bandwidth_summary(const std::vector<HtaBandwidthPoint>& points);

/// First start of any event HTA reads, over all ranks: its time 0.
TimeNs hta_first_start(const Run& run);
/// From the first to the last start of the rows HTA keeps: what it calls the rank's time.
TimeNs hta_start_span(const RankTrace& rank, const std::vector<HtaRow>& rows, HtaFilter filter);

} // namespace rankscope
