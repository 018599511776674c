// SPDX-License-Identifier: GPL-3.0-or-later
// Pauses of a serving engine, and the finding about them.
#include "core/analysis/findings/host_engine_pauses.h"

#include <cstddef>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kEnginePause = 10;         ///< times what an engine's host usually takes from one step to the next
constexpr double kEnginePauseOfAStep = 0.5; ///< of a usual step

} // namespace

EnginePauses pauses_between_steps(const FindingContext& c) {
    EnginePauses pauses;
    if (c.inputs.work.empty())
        return pauses;
    const std::vector<GraphStep>& steps = c.graph.steps;
    for (std::size_t first = 0, last = 0; first < steps.size(); first = last) {
        std::vector<TimeNs> lags, lengths;
        for (last = first; last < steps.size() && steps[last].rank == steps[first].rank; ++last) {
            const std::uint32_t edge = steps[last].end == kNoNode ? kNoNode : host_edge(c.graph, steps[last].end);
            lags.push_back(edge == kNoNode ? 0 : c.graph.times.lag[edge]);
            lengths.push_back(steps[last].range.length() - lags.back());
        }
        const TimeNs usual = upper_median(lags), step = upper_median(lengths);
        for (std::size_t s = first; s + 1 < last; ++s) {
            const TimeNs lag = lags[s - first];
            if (static_cast<double>(lag) < kEnginePause * static_cast<double>(usual) ||
                static_cast<double>(lag) < kEnginePauseOfAStep * static_cast<double>(step) || lag <= usual)
                continue;
            pauses.edges.emplace_back(host_edge(c.graph, steps[s].end), usual);
            pauses.before.insert(steps[s + 1].number);
            if (lag - usual > pauses.longest) {
                pauses.longest = lag - usual;
                pauses.longest_end = steps[s].end;
            }
        }
    }
    return pauses;
}

Finding describe_engine_pauses(const FindingContext& c, const EnginePauses& pauses, double cost) {
    Finding finding;
    finding.code = FindingCode::engine_pauses;
    finding.inherent = true;
    finding.title = "Before %1 of %2 steps the engine does nothing for up to %3: it has no requests, or something that "
                    "was not recorded holds it up"_text(pauses.before.size(), c.steps,
                                                        time_words(static_cast<double>(pauses.longest)));
    finding.facts = {{FactName::pauses, static_cast<double>(pauses.before.size()), {}},
                     {FactName::longest_us, static_cast<double>(pauses.longest) / 1000, {}}};
    Onset onset;
    onset.steps = pauses.before;
    set_onset(c, onset, finding);
    if (pauses.longest_end != kNoNode) {
        const std::uint32_t rank = c.graph.rank[pauses.longest_end];
        const TimeNs end = c.graph.start[pauses.longest_end];
        finding.events.push_back({rank, kNoEvent, c.graph.clock.recorded(rank, TimeRange{end - pauses.longest, end})});
    }
    finding.cost = cost;
    finding.confidence = 0.8;
    return finding;
}

} // namespace rankscope
