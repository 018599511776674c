// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of two runs, paired; times of one carried over to the other through the starts of the pairs.
#include "core/compare/step_alignment.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rankscope {
namespace {

/// Earliest start and latest end of every step number over all ranks.
std::map<std::int64_t, TimeRange> step_ranges(const RunAnalysis& analysis) {
    std::map<std::int64_t, TimeRange> ranges;
    const auto extend = [&ranges](std::int64_t number, TimeRange step) {
        const auto [found, is_new] = ranges.try_emplace(number, step);
        if (!is_new)
            found->second = {std::min(found->second.begin, step.begin), std::max(found->second.end, step.end)};
    };
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            extend(step.number, step.range);
    if (ranges.empty()) {
        for (const InferredSteps& inferred : analysis.inferred_steps())
            for (std::size_t i = 0; i < inferred.steps.size(); ++i)
                extend(static_cast<std::int64_t>(i) + 1, inferred.steps[i]); // as StepAccount::numbers
    }
    return ranges;
}

/// Carries `time` from one run to the other: linear inside a segment, at the same distance from it outside of all, but
/// never into the next.
TimeNs carried(std::span<const StepPair> segments, TimeNs time, RunStep StepPair::*from, RunStep StepPair::*to) {
    const auto after = std::upper_bound(segments.begin(), segments.end(), time, [from](TimeNs t, const StepPair& pair) {
        return t < (pair.*from).range.begin;
    });
    if (after == segments.begin()) {
        const StepPair& first = segments.front();
        return (first.*to).range.begin + (time - (first.*from).range.begin);
    }
    const TimeRange source = ((*(after - 1)).*from).range;
    const TimeRange target = ((*(after - 1)).*to).range;
    if (time < source.end) {
        const double share = static_cast<double>(time - source.begin) / static_cast<double>(source.length());
        return target.begin + std::llround(share * static_cast<double>(target.length()));
    }
    const TimeNs beyond = target.end + (time - source.end);
    return after == segments.end() ? beyond : std::min(beyond, ((*after).*to).range.begin);
}

} // namespace

std::vector<RunStep> run_steps(const RunAnalysis& analysis) {
    std::vector<RunStep> steps;
    for (const auto& [number, range] : step_ranges(analysis))
        steps.push_back({number, range});
    std::sort(steps.begin(), steps.end(),
              [](const RunStep& a, const RunStep& b) { return a.range.begin < b.range.begin; });
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        steps[i].range.end = steps[i + 1].range.begin;
    std::erase_if(steps, [](const RunStep& step) { return step.range.empty(); });
    return steps;
}

std::vector<StepPair> pair_steps(std::span<const RunStep> baseline, std::span<const RunStep> test) {
    std::map<std::int64_t, const RunStep*> by_number;
    for (const RunStep& step : test)
        by_number[step.number] = &step;
    std::vector<StepPair> pairs;
    for (const RunStep& step : baseline) {
        const auto found = by_number.find(step.number);
        // A number that comes earlier in the test than the one before it would run time backwards.
        if (found != by_number.end() && (pairs.empty() || found->second->range.begin >= pairs.back().test.range.end))
            pairs.push_back({step, *found->second});
    }
    if (pairs.empty())
        for (std::size_t i = 0; i < std::min(baseline.size(), test.size()); ++i)
            pairs.push_back({baseline[i], test[i]});
    return pairs;
}

StepAlignment::StepAlignment(std::vector<StepPair> pairs, TimeRange baseline_span, TimeRange test_span)
    : paired_(!pairs.empty()), segments_(std::move(pairs)) {
    if (!paired_)
        segments_.push_back({{0, baseline_span}, {0, test_span}});
}

std::size_t StepAlignment::segment_at(TimeNs baseline_time) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), baseline_time,
                                        [](TimeNs t, const StepPair& pair) { return t < pair.baseline.range.begin; });
    return after == segments_.begin() ? 0 : static_cast<std::size_t>(after - segments_.begin()) - 1;
}

TimeNs StepAlignment::to_test(TimeNs baseline_time) const {
    return carried(segments_, baseline_time, &StepPair::baseline, &StepPair::test);
}

TimeNs StepAlignment::to_baseline(TimeNs test_time) const {
    return carried(segments_, test_time, &StepPair::test, &StepPair::baseline);
}

TimeNs StepAlignment::shift_at(TimeNs baseline_time) const {
    const StepPair& pair = segments_[segment_at(baseline_time)];
    return pair.test.range.begin - pair.baseline.range.begin;
}

TimeRange StepAlignment::to_test(TimeRange baseline, StepLayout layout) const {
    if (layout == StepLayout::stretched)
        return {to_test(baseline.begin), to_test(baseline.end)};
    const TimeNs shift = shift_at(baseline.begin + baseline.length() / 2);
    return {baseline.begin + shift, baseline.end + shift};
}

TimeRange StepAlignment::to_baseline(TimeRange test, StepLayout layout) const {
    if (layout == StepLayout::stretched)
        return {to_baseline(test.begin), to_baseline(test.end)};
    const TimeNs shift = shift_at(to_baseline(test.begin + test.length() / 2));
    return {test.begin - shift, test.end - shift};
}

} // namespace rankscope
