// SPDX-License-Identifier: GPL-3.0-or-later
// Busy time of every rank, laid over the parts of the steps it falls into.
#include "core/compare/step_profile.h"

#include <algorithm>
#include <span>

#include "core/analysis/gpu/gpu_timeline.h"

namespace rankscope {
namespace {

/// Where part k of a step starts; integer, so that neighbouring parts share their border.
TimeNs part_begin(TimeRange step, std::size_t part, std::size_t parts) {
    const TimeNs length = step.length();
    const auto whole = static_cast<TimeNs>(parts);
    const auto k = static_cast<TimeNs>(part);
    return step.begin + length / whole * k + length % whole * k / whole;
}

/// Adds to sums[k] the share of part k that the set covers, summed over the steps. Both ascend, so one walk does.
void add_shares(const IntervalSet& set, std::span<const RunStep> steps, std::vector<double>& sums) {
    auto first = set.begin();
    for (const RunStep& step : steps) {
        first = std::find_if(first, set.end(), [&step](TimeRange range) { return range.end > step.range.begin; });
        auto range = first;
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const TimeRange part{part_begin(step.range, k, sums.size()), part_begin(step.range, k + 1, sums.size())};
            TimeNs covered = 0;
            for (; range != set.end() && range->begin < part.end; ++range) {
                covered += range->clipped_to(part).length();
                if (range->end > part.end)
                    break; // goes on in the next part
            }
            sums[k] += part.empty() ? 0.0 : static_cast<double>(covered) / static_cast<double>(part.length());
        }
    }
}

} // namespace

StepProfile step_profile(const RunAnalysis& analysis, std::span<const RunStep> steps, std::size_t parts) {
    StepProfile profile;
    std::vector<double> computation(parts);
    std::vector<double> communication(parts);
    std::vector<double> copy(parts);
    std::size_t ranks = 0;
    for (const RankAnalysis& rank : analysis.ranks()) {
        if (rank.gpu_work.empty())
            continue;
        ++ranks;
        const ClassIntervals classes = class_intervals(rank.gpu_work);
        add_shares(classes.compute, steps, computation);
        add_shares(subtract(classes.communication, classes.compute), steps, communication);
        add_shares(subtract(subtract(classes.memory_copy, classes.compute), classes.communication), steps, copy);
    }
    if (ranks == 0 || steps.empty())
        return profile;
    const double weight = 1.0 / static_cast<double>(ranks * steps.size());
    profile.steps = steps.size();
    for (const RunStep& step : steps)
        profile.step_ns += static_cast<double>(step.range.length()) / static_cast<double>(steps.size());
    for (std::size_t k = 0; k < parts; ++k) {
        PhaseShares shares{computation[k] * weight, communication[k] * weight, copy[k] * weight, 0};
        shares.idle = std::max(0.0, 1.0 - shares.computation - shares.exposed_communication - shares.exposed_copy);
        profile.phases.push_back(shares);
    }
    return profile;
}

} // namespace rankscope
