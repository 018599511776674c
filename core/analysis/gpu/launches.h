// SPDX-License-Identifier: GPL-3.0-or-later
// How the host launches work: delays, call durations, short kernels, and how full each stream's queue is (metrics.md,
// "launch_stats").
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/basics/distribution.h"
#include "core/analysis/selection/selection.h"
#include "core/base/message.h"

namespace rankscope {

/// Kernels shorter than this are short; the second limit is the RCCL comparison's.
inline constexpr std::array<TimeNs, 2> kShortKernelLimits{10'000, 50'000};
/// Launches a stream takes before the host has to wait.
inline constexpr std::int64_t kQueueCapacity = 1024;
/// What a metric of launches and of waiting for the host cannot do without.
inline constexpr auto kNeedsLaunches =
    "needs runtime or driver calls with the correlation ids of the GPU work they launch"_text;

struct ShortKernels {
    std::int64_t count = 0;
    TimeNs time = 0;
};

/// Launches that wait in a stream's queue: one more at each launch call, one less when its first GPU event starts.
struct QueuePoint {
    TimeNs time = 0;
    std::int64_t length = 0;
};
struct StreamQueue {
    std::int64_t device = -1;
    std::int64_t stream = -1;
    std::int64_t launches = 0;
    std::int64_t longest = 0;
    double mean = 0;  ///< over the time from the first launch to the last start
    TimeNs time = 0;  ///< that time
    TimeNs empty = 0; ///< of it: with nothing waiting
    TimeNs full = 0;  ///< of it: with kQueueCapacity or more waiting
};

/// A call that launches several GPU events (a graph) counts once, with the first of them.
struct LaunchAnalysis {
    Distribution delay;              ///< start on the GPU - start of the call
    Distribution after_call;         ///< start on the GPU - end of the call, at least 0: HTA's launch delay
    Distribution call;               ///< duration of the call
    Distribution gpu;                ///< duration of what it launched
    std::int64_t without_launch = 0; ///< GPU events whose launch is not in the trace
    std::int64_t kernels = 0;
    TimeNs kernel_time = 0;
    std::array<ShortKernels, kShortKernelLimits.size()> short_kernels; ///< kernels only, no copies and sets
    std::vector<StreamQueue> queues; ///< by device and stream; streams with launches only
};

/// How long a call that launches a kernel takes: the median of the rank, the upper of two. 0 without any.
TimeNs usual_launch_call(const RankTrace& rank);
/// From when on the work is on its way to the GPU: as the call starts that launches it. A call that takes longer than
/// the usual one does something else before (a first one loads code): then only the usual time before its end counts.
/// The call of a copy may last until the copy is made. Nothing: no launch is recorded.
std::optional<TimeNs> launched_at(const RankTrace& rank, EventIndex work, TimeNs usual_call);

/// work: sorted by start.
LaunchAnalysis analyse_launches(const RankTrace& rank, std::span<const GpuSlice> work);
/// The length of one stream's queue over time, one point per time.
std::vector<QueuePoint> queue_length(const RankTrace& rank, std::span<const GpuSlice> work, std::int64_t device,
                                     std::int64_t stream);

} // namespace rankscope
