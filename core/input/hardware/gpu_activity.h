// SPDX-License-Identifier: GPL-3.0-or-later
// How busy a GPU was by its traces, held against the utilization that a log tells. A GPU that computes in the first
// half of each second has the shares 1 and 0 in windows of 500 ms; a log that says 98 % and 2 % there differs from it
// by 2 points.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/input/hardware/hardware_log.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

class GpuActivity {
public:
    /// ranks: those that run on one GPU.
    explicit GpuActivity(std::span<const RankTrace* const> ranks);
    [[nodiscard]] TimeRange span() const { return span_; }
    /// Of the range, as far as it is recorded; nothing where less than `least` of its length is.
    [[nodiscard]] std::optional<double> busy_share(TimeRange range, double least) const;

private:
    void add(const RankTrace& rank);

    TimeRange span_;
    TimeNs bin_ = 1;
    std::vector<float> idle_; ///< by bin: the share in which nothing runs
    std::vector<double> sum_; ///< of busy shares before each bin
};

/// A GPU of a log and what the traces have of it.
struct MatchedGpu {
    const HardwareGpu* gpu = nullptr;
    std::vector<std::size_t> ranks; ///< indices
    std::shared_ptr<const GpuActivity> activity;
    TimeNs window = 0; ///< what a sample of utilization is the mean of, about
};
/// The window of a log with these rows: their distance, between a sixth of a second and a second, as NVML's.
TimeNs utilization_window(std::span<const HardwareRow> rows);

struct ActivityFit {
    std::size_t compared = 0;
    double residual_points = 0;
    double spread_points = 0; ///< standard deviation of the busy shares that were compared
};
/// With this added to the log's times. late: by how much a sample may be older than its time, at most; early: newer.
/// every: 2 compares each second row.
ActivityFit fit_activity(std::span<const MatchedGpu> gpus, TimeNs offset, TimeNs early, TimeNs late,
                         std::size_t every = 1);
/// How many rows this compares, about; a row once for each lag.
std::size_t rows_to_compare(std::span<const MatchedGpu> gpus, TimeNs offset, TimeNs early, TimeNs late);

} // namespace rankscope
