// SPDX-License-Identifier: GPL-3.0-or-later
// A first recorded step that is longer than the later ones: warm-up.
//   Example: steps of 150, 100, 101 and 99 ms: the first one takes 50 ms longer, 12.5 ms a step.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/analysis/usual/times_of_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::ptrdiff_t kFewLater = 8; ///< one of so many may be as long as the first for another reason

/// Length of the first step less the median of the later ones, the most of any rank (stages of a pipeline
/// start together in the first step only, so that the mean tells nothing), ns. 0 where later steps differ as much.
/// ranges: of c.graph.steps. alike: of these, those that count; empty: all.
double longer_first_step(const FindingContext& c, std::span<const TimeRange> ranges, const std::vector<char>& alike) {
    std::map<std::uint32_t, std::vector<TimeNs>> lengths; // by rank, the first step first
    for (std::size_t s = 0; s < c.graph.steps.size(); ++s) {
        std::vector<TimeNs>& of_rank = lengths[c.graph.steps[s].rank];
        if (of_rank.empty() || alike.empty() || alike[s] != 0)
            of_rank.push_back(ranges[s].length());
    }
    TimeNs most = 0;
    for (auto& [rank, of_rank] : lengths) {
        if (of_rank.size() > 1) {
            const std::vector<TimeNs> later(of_rank.begin() + 1, of_rank.end());
            const TimeNs more = of_rank.front() - upper_median(later);
            const double scatter = robust_deviation({later.begin(), later.end()});
            const auto as_long = std::ranges::count_if(later, [&](TimeNs own) { return own >= of_rank.front(); });
            if (static_cast<double>(more) > kClearErrors * scatter && as_long <= std::ssize(later) / kFewLater)
                most = std::max(most, more);
        }
    }
    return static_cast<double>(most);
}

/// Of the steps of a serving engine: which compute what their rank's first one does. Empty for other runs.
std::vector<char> alike_with_first(const FindingContext& c) {
    const WorkOfSteps& work = c.inputs.work;
    std::vector<char> alike(work.size());
    std::size_t first = 0; // of the rank
    for (std::size_t s = 0; s < work.size(); ++s) {
        if (c.graph.steps[s].rank != c.graph.steps[first].rank)
            first = s;
        alike[s] = static_cast<char>(work[first] && work[s] && is_like_work(*work[first], *work[s]));
    }
    return alike;
}

/// Warm-up befalls all peers. Where kernels of the first step take longer on some of them only, its inputs are longer
/// there. By rank: what part of its kernels' extra time the peer that has least of it has too. usual: by node, ns.
std::vector<double> shared_by_peers(const FindingContext& c, const GraphTimes& times,
                                    const std::vector<TimeNs>& usual) {
    std::vector<double> extra(c.inputs.run.ranks.size());
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n)
        if (usual[n] >= 0 && c.graph.kind[n] == NodeKind::compute)
            extra[c.graph.rank[n]] += static_cast<double>(times.duration[n] - usual[n]);
    std::map<std::uint32_t, double> least; // of a class of peers
    for (std::size_t r = 0; r < extra.size(); ++r) {
        const auto [own, first] = least.try_emplace(c.peers.peer_class[r], extra[r]);
        own->second = std::min(own->second, extra[r]);
    }
    std::vector<double> shared;
    for (std::size_t r = 0; r < extra.size(); ++r)
        shared.push_back(extra[r] > 0 ? std::max(0.0, least.at(c.peers.peer_class[r])) / extra[r] : 1);
    return shared;
}

} // namespace

void find_first_iteration(const FindingContext& c, std::vector<Finding>& found) {
    // Work that takes longer in a step that does not is no warm-up. With the least cost that counts, this is asked
    // before any work.
    const auto steps = static_cast<double>(c.steps);
    const std::vector<char> alike = alike_with_first(c);
    std::vector<TimeRange> recorded;
    for (const GraphStep& step : c.graph.steps)
        recorded.push_back(step.range);
    const double longer = !c.graph.profiler_steps || c.steps < 3 ? 0 : longer_first_step(c, recorded, alike);
    if (longer <= 0 || longer < kLeastFault * c.step_time * steps / 2)
        return;
    // The first step of each rank, its work as long as in the later steps; without what stragglers take longer, which
    // is told already.
    const GraphTimes& repaired = c.repaired.times();
    std::vector<TimeNs> usual = times_of_later_steps(c.inputs.run, c.graph, repaired, alike);
    const std::vector<double> shared = alike.empty() ? shared_by_peers(c, repaired, usual) : std::vector<double>();
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (usual[n] < 0)
            continue;
        const bool is_host = c.graph.kind[n] == NodeKind::launch || c.graph.kind[n] == NodeKind::wait_begin;
        const TimeNs own = is_host ? host_time(c.graph, repaired, n) : repaired.duration[n];
        if (!shared.empty() && c.graph.kind[n] == NodeKind::compute)
            usual[n] = own - std::llround(static_cast<double>(own - usual[n]) * shared[c.graph.rank[n]]);
        largest.emplace_back(own - usual[n], n);
    }
    const double cost = c.repaired.saved_ns([&](GraphTimes& times) {
        for (const auto& [more, n] : largest)
            set_time(c.graph, n, usual[n], times);
    });
    if (c.share(cost) < kLeastFault || largest.empty() || longer < cost * steps / 2)
        return;
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kEventsShown, largest.size()));
    std::partial_sort(largest.begin(), largest.begin() + shown, largest.end(), std::greater<>());
    Finding finding;
    finding.code = FindingCode::first_iteration;
    finding.title = alike.empty()
                        ? "The first recorded step takes %1 longer than the later ones: warm-up, not the steady state; "
                          "leave it out with --iterations"_text(time_words(longer))
                        : "The first recorded step takes %1 longer than the later ones of like work: warm-up, not the "
                          "steady state; leave it out with --iterations"_text(time_words(longer));
    finding.facts = {{FactName::extra_us, longer / 1000, {}}, {FactName::steps, static_cast<double>(c.steps), {}}};
    for (const auto& [time, node] : std::span(largest).first(static_cast<std::size_t>(shown)))
        finding.events.push_back(c.event(node));
    // Kernels of several sizes hide which of them take longer. That the step does is a fact, be it without other
    // faults.
    const auto left = [&] {
        const std::vector<TimeRange> ranges = step_ranges(c.graph, replay(c.graph, repaired), repaired);
        return std::min(longer, longer_first_step(c, ranges, alike));
    };
    finding.cost = std::max(cost, (c.repaired.changed() ? left() : longer) / steps);
    finding.confidence = confidence_of(c.steps - 1, c.steps - 1);
    found.push_back(std::move(finding));
}

} // namespace rankscope
