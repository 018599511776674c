// SPDX-License-Identifier: GPL-3.0-or-later
// Why the rank comes late that the others wait for most.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/delays/late_waits.h"
#include "core/analysis/delays/rank_spread.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/base/words.h"

namespace rankscope {

namespace {

std::vector<FindingFact> facts_of(const LateRank& late) {
    return {{FactName::wait_caused_us_per_other_rank, static_cast<double>(late.cost) / 1000, {}},
            {FactName::arrives_last_at, static_cast<double>(late.times_last), {}},
            {FactName::of_calls, static_cast<double>(late.calls), {}}};
}

/// In Run::ranks.
std::uint32_t index_of(const FindingContext& c, int rank) {
    const auto& ranks = c.inputs.run.ranks;
    return static_cast<std::uint32_t>(std::ranges::find(ranks, rank, [](const auto& r) { return r->rank; }) -
                                      ranks.begin());
}

/// Why a rank comes last though no fault of it was found: what the facts tell of it.
Message no_fault_found_words(const FindingContext& c, int rank) {
    const RankFacts* facts = c.inputs.facts.of_rank(rank);
    const double ratio = facts == nullptr ? 1 : facts->computation_ratio_to_peers.value_or(1);
    const bool longer = ratio >= 1 + kComputesOtherwise;
    const std::string times = fmt::format("{:.2f}", ratio);
    if (facts != nullptr && facts->slowest_kernels &&
        facts->slowest_kernels->excess_ns >= kMostOf * facts->wait_caused_ns) {
        const Message kind = kernel_kind_words(compute_kind_word(facts->slowest_kernels->kind));
        const std::string kernels = fmt::format("{:.2f}", facts->slowest_kernels->ratio);
        return longer ? "it computes %1 times as long as its peers, its %2 kernels %3 times"_text(times, kind, kernels)
                      : "its %1 kernels take %2 times as long as its peers'"_text(kind, kernels);
    }
    return longer ? "it computes %1 times as long as its peers"_text(times)
                  : "the recording does not show why: nothing on it takes clearly longer than on its peers"_text();
}

/// Where the host of a rank takes longer than its peers' by a pause in half of its steps or more: what that is at each
/// of these nodes. The sum over all nodes may hide it: a host that is quick elsewhere waits there for its GPU.
struct RepeatedPause {
    std::vector<std::pair<std::uint32_t, TimeNs>> nodes; ///< ns beyond the peers
    double per_step_ns = 0;
};
RepeatedPause repeated_pause(const FindingContext& c, std::uint32_t rank) {
    const TimeNs least = shortest_pause(c);
    RepeatedPause pause;
    std::set<std::uint32_t> steps;
    for (std::uint32_t n = c.graph.first_node[rank]; n < c.graph.first_gpu_node[rank]; ++n) {
        const OwnExcess own = own_excess(c.graph, c.peers, n);
        const TimeNs longer = (own.cause == OwnCause::host_bound ? own.time : 0) + excess_before(c.graph, c.peers, n);
        if (c.graph.step[n] == kNoNode || longer < least)
            continue;
        pause.nodes.emplace_back(n, longer);
        pause.per_step_ns += static_cast<double>(longer) / static_cast<double>(c.steps);
        steps.insert(c.graph.step[n]);
    }
    if (!c.graph.profiler_steps || c.steps < kStepsThatTell || 2 * steps.size() < c.steps)
        return {};
    return pause;
}

/// ns a step that a rank waits for this one which meets it in the calls that it is late to: the facts' mean is over all
/// ranks of the job, and those that never meet it wait for those that do.
double waited_by_each(const FindingContext& c, std::uint32_t rank) {
    const RankFacts* const facts = c.inputs.facts.of_rank(c.rank_number(rank));
    if (facts == nullptr)
        return 0;
    const Lateness late = lateness_of(c, rank);
    const auto others = static_cast<double>(c.inputs.run.ranks.size() - 1);
    const double meet = std::min(others, static_cast<double>(std::max<std::size_t>(late.members, 2) - 1));
    return late.members == 0 ? facts->wait_caused_ns : facts->wait_caused_ns * others / meet;
}

/// Of lateness without a cause only the facts tell a cost: what another rank waits for the rank in a step, without what
/// findings about it explain. A replay in which nobody waits for it takes away more: what ranks do beside long calls.
void hold_to_waits(double waited_ns, const std::vector<Finding>& found, Finding& finding) {
    for (const Finding& told : found)
        if (told.ranks == finding.ranks)
            waited_ns -= told.cost;
    if (finding.cost <= waited_ns)
        return;
    finding.facts.push_back({FactName::replayed_cost_us_per_step, finding.cost / 1000, {}});
    finding.cost = std::max(0.0, waited_ns);
}

} // namespace

void explain_late_rank(const FindingContext& c, RepairedRun& repaired, std::vector<Finding>& found) {
    const auto late = c.inputs.late_rank;
    if (!late)
        return;
    const auto& ranks = c.inputs.run.ranks;
    const std::uint32_t rank = index_of(c, late->rank);
    const std::vector<FindingFact> facts = facts_of(*late);
    // What the faults of this rank leave of its lateness. That others are repaired too would say nothing of it, nor
    // would a network that is slow for all.
    GraphTimes own = c.graph.times;
    for (const auto* told : {&repaired.told(), &repaired.told_of_hosts()})
        for (const auto& [of, remove] : *told)
            if (std::ranges::find(of, late->rank) != of.end() && 2 * of.size() <= ranks.size())
                remove(own);
    const double half = c.inputs.late_waits.of_rank[rank] / 2;
    const auto late_with = [&](const GraphTimes& times) {
        const Replays::Replayed now = c.replays.replayed(times);
        return late_waits(c.graph, c.peers, c.inputs.collectives, now.start, now.times).of_rank[rank];
    };
    const double waited_ns = waited_by_each(c, rank);
    const auto cause = std::ranges::find_if(found, [&](const Finding& f) { // of this rank, and not of most of them
        return 2 * f.ranks.size() <= ranks.size() && std::ranges::find(f.ranks, late->rank) != f.ranks.end();
    });
    // Or what it takes longer is half as long as the others wait for it, whatever hides what that costs.
    const bool as_long =
        cause != found.end() && cause->ranks.size() == 1 &&
        std::ranges::any_of(cause->facts, [&](const FindingFact& fact) {
            return fact.name == FactName::excess_us_per_step &&
                   2000 * fact.number >=
                       std::min(static_cast<double>(late->cost) / static_cast<double>(c.steps), waited_ns);
        });
    if (cause != found.end() && (as_long || late_with(own) <= half)) {
        cause->facts.insert(cause->facts.end(), facts.begin(), facts.end());
        return;
    }
    const bool compared = !c.peers.across_stages && c.peers.class_size[c.peers.peer_class[rank]] > 1;
    const auto goes_with = [&](const TimesChange& change) {
        GraphTimes changed = own;
        change(changed);
        return late_with(changed) <= half;
    };
    const bool in_turn = takes_turns(longer_than_peers(c.inputs.computation_by_step, c.peers, rank)) &&
                         (of_pipelines(c) || another_has_a_turn(c.inputs.computation_by_step, c.peers, rank)) &&
                         goes_with([&](GraphTimes& times) { even_out_work(c, times); });
    const RepeatedPause pause = compared && !in_turn ? repeated_pause(c, rank) : RepeatedPause{};
    const TimesChange without_pause = [&](GraphTimes& times) {
        for (const auto& [node, longer] : pause.nodes)
            if (const std::uint32_t edge = host_edge(c.graph, node); edge != kNoNode)
                times.lag[edge] = std::max<TimeNs>(0, times.lag[edge] - longer);
    };
    const bool pauses = !pause.nodes.empty() && goes_with(without_pause);
    const bool for_host = compared && !in_turn && !pauses && launches_recorded(c.graph) &&
                          goes_with([&](GraphTimes& times) { scale_host(c.graph, 0, false, times); });
    const Candidate candidate = unexplained_lateness(
        c, rank,
        in_turn    ? "most of that is computation which takes longer now on one rank, now on another"_text()
        : pauses   ? "its host pauses for %1 more than its peers'"_text(per_step_words(c, pause.per_step_ns))
        : for_host ? "most of that would be gone if launching took no time"_text()
        : cause != found.end() ? "the other findings about this rank explain less than half of that"_text()
        : compared             ? no_fault_found_words(c, late->rank)
                               : "why cannot be told: no other rank does the same work"_text());
    Finding finding = candidate.describe();
    const double before = repaired.step_ns();
    repaired.take_out(pauses ? without_pause : candidate.remove);
    repaired.replay();
    finding.cost = std::max(0.0, before - repaired.step_ns());
    if (!pauses)
        hold_to_waits(waited_ns, found, finding);
    // Others wait for it, and the step would be no shorter; or it is nobody's fault.
    finding.inherent = in_turn || for_host || c.share(finding.cost) < kLeastFault;
    if (pauses) {
        finding.cause = FindingCause::host_bound;
        finding.facts.push_back({FactName::excess_us_per_step, pause.per_step_ns / 1000, {}});
        for (std::size_t i = 0; i < std::min(kEventsShown, pause.nodes.size()); ++i)
            finding.events.push_back(c.event(pause.nodes[i].first));
    }
    finding.facts.insert(finding.facts.end(), facts.begin(), facts.end());
    found.push_back(std::move(finding));
}

} // namespace rankscope
