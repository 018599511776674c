// SPDX-License-Identifier: GPL-3.0-or-later
// Why each stream had nothing to do (metrics.md, "idle causes"): the host came late, the kernel before took its time to
// hand over, or something else.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/selection/selection.h"

namespace rankscope {

/// host_wait: the next event was launched after the stream had run dry. kernel_wait: it was launched before, and the
/// gap is shorter than the limit. other: a longer gap, or an event without a launch in the trace.
enum class IdleCause : std::uint8_t { host_wait, kernel_wait, other };
inline constexpr std::size_t kIdleCauseCount = 3;
inline constexpr TimeNs kKernelWaitLimit = 30'000;
std::string_view idle_cause_word(IdleCause cause);

/// Time between consecutive GPU work of a stream, on the rank's own clock.
struct IdleGap {
    TimeRange range;
    std::uint32_t lane = 0; ///< of the work that ends it: index in RankTrace::lanes
    IdleCause cause = IdleCause::other;
};
/// In order of their ends. work: sorted by start.
std::vector<IdleGap> idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit = kKernelWaitLimit);
/// Time in which no stream of the rank works, likewise: the cause is that of the work that ends it.
std::vector<IdleGap> gpu_idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work,
                                   TimeNs limit = kKernelWaitLimit);

struct IdleTime {
    TimeNs time = 0;
    std::int64_t gaps = 0;
    TimeNs longest = 0;
};

struct StreamIdle {
    std::int64_t device = -1;
    std::int64_t stream = -1;
    std::array<IdleTime, kIdleCauseCount> causes;
    [[nodiscard]] TimeNs total() const { return causes[0].time + causes[1].time + causes[2].time; }
};

/// Gaps between consecutive GPU work of each stream, by device and stream. work: sorted by start.
std::vector<StreamIdle> idle_causes(const RankTrace& rank, std::span<const GpuSlice> work,
                                    TimeNs limit = kKernelWaitLimit);

} // namespace rankscope
