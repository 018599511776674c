// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs as the RCCL comparison (aorta over TraceLens) puts them side by side: GPU timeline and collectives
// (rules-tracelens.md). Its improvement is not our percent_change: + is better, whatever the value is.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

/// A field of the GPU timeline under the comparison's name, "busy_time" ..., in its order.
struct TimelineField {
    std::string_view type;
    TimeNs GpuTimeline::*value;
};
inline constexpr std::array<TimelineField, 8> kTimelineFields{{{"busy_time", &GpuTimeline::busy},
                                                               {"computation_time", &GpuTimeline::computation},
                                                               {"exposed_comm_time", &GpuTimeline::exposed_comm},
                                                               {"exposed_memcpy_time", &GpuTimeline::exposed_memcpy},
                                                               {"idle_time", &GpuTimeline::idle},
                                                               {"total_comm_time", &GpuTimeline::total_comm},
                                                               {"total_memcpy_time", &GpuTimeline::total_memcpy},
                                                               {"total_time", &GpuTimeline::total}}};

/// percent: of the rank's total; of a mean over ranks: mean of the ranks' percentages.
struct TimelineValue {
    double ms = 0;
    double percent = 0;
};

/// One field of one rank, or of the mean over ranks; a side without that rank has no value.
struct TimelineChange {
    std::optional<int> rank; ///< empty: mean over ranks
    std::string_view type;
    std::optional<TimelineValue> baseline;
    std::optional<TimelineValue> test;
};

/// Of one rank; empty for a rank without GPU work.
std::optional<TimelineValue> timeline_value(const RankAnalysis& rank, const TimelineField& field);
/// Over the ranks with GPU work.
std::optional<TimelineValue> mean_timeline_value(std::span<const RankAnalysis> ranks, const TimelineField& field);

/// By type. Then, for timeline_changes_by_rank, by rank, then type; ranks of either run.
std::vector<TimelineChange> timeline_changes(const RunAnalysis& baseline, const RunAnalysis& test);
std::vector<TimelineChange> timeline_changes_by_rank(const RunAnalysis& baseline, const RunAnalysis& test);

/// Collectives that are alike in either run, by name, dtype and elements sent (kUnknown: not recorded).
struct CollectiveKey {
    std::string collective;
    std::string dtype;
    std::int64_t in_elements = kUnknown;
    auto operator<=>(const CollectiveKey&) const = default;
};
struct ImplicitSyncChange {
    CollectiveKey key;
    const ImplicitSyncRow* baseline = nullptr; ///< of RunAnalysis::collective_summaries; nullptr: not in that run
    const ImplicitSyncRow* test = nullptr;
};
std::vector<ImplicitSyncChange> implicit_sync_changes(const RunAnalysis& baseline, const RunAnalysis& test); ///< by key

/// All calls of one kind on all ranks: what the old tool's long comparison lists, but leaves without numbers.
struct LongTotal {
    std::int64_t calls = 0;
    double sum_us = 0;
    double min_us = 0;
    double max_us = 0;
    [[nodiscard]] double mean_us() const { return sum_us / static_cast<double>(calls); }
};
struct LongChange {
    CollectiveKey key;
    std::optional<LongTotal> baseline;
    std::optional<LongTotal> test;
};
std::vector<LongChange> long_changes(const RunAnalysis& baseline, const RunAnalysis& test); ///< by key

/// (baseline - test) / baseline in percent for what should be low, (test - baseline) / baseline for what should be
/// high: + is better. Two zeros: 0. Empty when only the baseline is 0.
std::optional<double> improvement_percent(double baseline, double test, bool lower_is_better);
/// "Better" beyond +1, "Worse" beyond -1, else "Similar". The old dashboard calls everything above 0 better.
std::string_view improvement_word(double improvement);

} // namespace rankscope
