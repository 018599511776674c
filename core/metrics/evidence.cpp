// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evidence.h"

#include <algorithm>

namespace rankscope {
namespace {

std::optional<Evidence> longest_iteration(const RunAnalysis& run) {
    std::optional<Evidence> longest;
    const auto take = [&](int rank, const TimeRange& range) {
        if (!longest || range.length() > longest->range.length())
            longest = Evidence{rank, range};
    };
    for (std::size_t i = 0; i < run.ranks().size(); ++i) {
        const RankAnalysis& rank = run.ranks()[i];
        for (const ProfilerStep& step : rank.steps)
            take(rank.trace->rank, step.range);
        if (rank.steps.empty())
            for (const TimeRange& step : run.inferred_steps()[i].steps)
                take(rank.trace->rank, step);
    }
    return longest;
}

} // namespace

std::optional<Evidence> evidence_of(const Metric& metric, const RunAnalysis& run) {
    const auto own = metric.evidence ? metric.evidence(run) : std::nullopt;
    return own ? own : longest_iteration(run);
}

std::optional<Evidence> longest_call(const RunAnalysis& run) {
    const auto calls = run.call_table().whole_calls();
    const auto longest = std::ranges::max_element(calls, {}, &CollectiveTiming::latency);
    if (longest == calls.end())
        return {};
    return evidence_at(run, (*longest).last_rank, {(*longest).start, (*longest).start + (*longest).wall});
}

Evidence evidence_at(const RunAnalysis& run, std::size_t rank, TimeRange aligned) {
    const TimeNs offset = run.clock().offset[rank];
    return {run.run().ranks[rank]->rank, {aligned.begin + offset, aligned.end + offset}};
}

} // namespace rankscope
