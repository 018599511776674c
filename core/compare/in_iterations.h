// SPDX-License-Identifier: GPL-3.0-or-later
// Which events of a rank belong to the iterations that a step account counts.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// GPU work belongs to the step of its launch where steps are recorded, else to the iteration it starts in; what the
/// host does belongs to the one it starts in. Where neither steps nor repetitions are known, all belongs.
class InIterations {
public:
    /// index: of the rank, in Run::ranks.
    InIterations(const StepAccount& account, const RankAnalysis& rank, std::size_t index)
        : all_(account.unit == StepAccount::Unit::window), work_steps_(*rank.trace) {
        if (account.unit == StepAccount::Unit::profiler_steps) {
            numbers_.insert(account.numbers[index].begin(), account.numbers[index].end());
            std::vector<TimeRange> marks;
            for (const ProfilerStep& step : rank.steps)
                if (numbers_.contains(step.number))
                    marks.push_back(step.range);
            marks_ = merge(std::move(marks));
        } else {
            windows_ = merge(account.windows[index]);
        }
    }
    [[nodiscard]] bool has(const GpuSlice& work) const {
        if (all_ || numbers_.empty())
            return all_ || contains(windows_, work.range.begin);
        const ProfilerStep* step = work_steps_.of(work.event);
        return step != nullptr && numbers_.contains(step->number);
    }
    /// host_start: on the rank's own clock.
    [[nodiscard]] bool has(TimeNs host_start) const {
        return all_ || contains(numbers_.empty() ? windows_ : marks_, host_start);
    }

private:
    static bool contains(const IntervalSet& ranges, TimeNs time) {
        const auto after = std::ranges::upper_bound(ranges, time, {}, &TimeRange::begin);
        return after != ranges.begin() && std::prev(after)->contains(time);
    }

    bool all_;
    WorkSteps work_steps_;
    std::set<std::int64_t> numbers_; ///< of the profiler's steps
    IntervalSet marks_;              ///< of these
    IntervalSet windows_;            ///< of repetitions
};

} // namespace rankscope
