// SPDX-License-Identifier: GPL-3.0-or-later
// Why a GPU, or each of its streams, had nothing to do (metrics.md, "idle causes"): the next work was not launched yet,
// it takes its time to start, or something else.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/selection/selection.h"

namespace rankscope {

/// Of each moment of a gap before work. host_wait: that work was not launched yet (launched_at()). kernel_wait: it was
/// launched, and starts within the limit. other: it was launched and starts later, or its launch is not in the trace.
enum class IdleCause : std::uint8_t { host_wait, kernel_wait, other };
inline constexpr std::size_t kIdleCauseCount = 3;
inline constexpr TimeNs kKernelWaitLimit = 30'000;
std::string_view idle_cause_word(IdleCause cause);

/// A part, of one cause, of the time between consecutive GPU work of a stream, on the rank's own clock.
struct IdleGap {
    TimeRange range;
    std::uint32_t lane = 0; ///< of the work that ends it: index in RankTrace::lanes
    IdleCause cause = IdleCause::other;
};
/// In order of their ends. work: sorted by start.
std::vector<IdleGap> idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work, TimeNs limit = kKernelWaitLimit);
/// Time in which no stream of the rank works, likewise: the cause is that of the work that ends it. from: time before
/// it is left out (RankAnalysis::queued_until).
std::vector<IdleGap> gpu_idle_gaps(const RankTrace& rank, std::span<const GpuSlice> work,
                                   std::optional<TimeNs> from = {}, TimeNs limit = kKernelWaitLimit);

struct IdleTime {
    TimeNs time = 0;
    std::int64_t gaps = 0; ///< with some of it
    TimeNs longest = 0;
    void add(TimeNs part);
};
using IdleByCause = std::array<IdleTime, kIdleCauseCount>;
IdleByCause sum_by_cause(std::span<const IdleGap> gaps);

struct StreamIdle {
    std::int64_t device = -1;
    std::int64_t stream = -1;
    IdleByCause causes;
    [[nodiscard]] TimeNs total() const { return causes[0].time + causes[1].time + causes[2].time; }
};

/// Gaps between consecutive GPU work of each stream, by device and stream. work: sorted by start.
std::vector<StreamIdle> idle_causes(const RankTrace& rank, std::span<const GpuSlice> work,
                                    TimeNs limit = kKernelWaitLimit);

} // namespace rankscope
