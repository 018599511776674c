// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/held_to_facts.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/facts/idle_bound.h"
#include "core/analysis/findings/finding_kinds.h"

namespace rankscope {
namespace {

/// A straggler_slowdown beyond it forbids to say "no fault". A choice, no statistic.
constexpr double kSlowedDown = 1.02;

double saved_without_transfers(const FindingContext& c, const Finding& finding) {
    const double step = c.replays.step_time(c.graph.times, [&](GraphTimes& times) {
        for (const CommunicationNode& node : c.communication) {
            const std::vector<int>& members = c.inputs.collectives.groups[node.group].ranks;
            const bool concerned = finding.ranks.empty() || std::ranges::any_of(members, [&](int rank) {
                                       return std::ranges::find(finding.ranks, rank) != finding.ranks.end();
                                   });
            if (concerned || members.empty())
                times.duration[node.node] = 0;
        }
    });
    return std::max(0.0, c.step_time - step);
}

/// The most that a cause can cost, ns a step: of the host, the idle time of the GPUs that it can explain; of a link,
/// what the step would be shorter if its communication took no time. None: its replay only takes away what it tells.
std::optional<double> most_it_can_cost(const FindingContext& c, const Finding& finding) {
    const FindingKind* const kind = finding_kind(finding.code, finding.cause);
    if (kind == nullptr)
        return {};
    switch (kind->bound) {
    case CostBound::idle_time: return most_that_hosts_cost_ns(c.inputs.facts, finding.ranks, c.step_time);
    case CostBound::transfers: return saved_without_transfers(c, finding);
    case CostBound::none: break;
    }
    return {};
}

/// Ranks, or else the operations of a kind among each other, take unequally long.
Message slowdown_words(const StragglerSlowdown& slowdown) {
    const std::string times = fmt::format("{:.2f}", slowdown.slowdown());
    const bool of_ranks = std::ranges::any_of(
        slowdown.by_worker, [](const WorkerSlowdown& worker) { return worker.slowdown > kSlowedDown; });
    if (of_ranks || slowdown.by_operation.empty())
        return "Ranks take unequally long: a step takes %1 times as long as if all took the mean "
               "(straggler_slowdown); no rank stands out."_text(times);
    const GroupSlowdown& most = slowdown.by_operation.front();
    return "Operations of one kind take unequally long, most %1 (which makes a step %2 times as long): a step takes %3 "
           "times as "
           "long as if all of a kind took their mean (straggler_slowdown). No rank stands out."_text(
               most.name, fmt::format("{:.2f}", most.slowdown), times);
}

/// A finding that costs 1 % says why ranks take unequally long, of this rank or of all.
bool explains(const Finding& finding, const std::vector<RankThatStandsOut>& ranks) {
    if (finding.share < kUnhealthy || finding.hidden)
        return false;
    const FindingKind* const kind = finding_kind(finding.code, finding.cause);
    if (kind != nullptr && kind->about_uneven_work)
        return true;
    return std::ranges::any_of(ranks, [&](const RankThatStandsOut& rank) {
        return std::ranges::find(finding.ranks, rank.facts->rank) != finding.ranks.end();
    });
}

/// ns per step, on average, by which the repetitions that the finding is told of are longer than the others.
double longer_for_repetitions(const FindingContext& c, const Finding& finding) {
    const std::set<std::int64_t> steps(finding.iterations.begin(), finding.iterations.end());
    return std::max(0.0, longer_than_others(c, steps)) * static_cast<double>(steps.size()) /
           static_cast<double>(c.numbers().size());
}

} // namespace

void hold_to_bound(const FindingContext& c, Finding& finding) {
    if (!c.graph.profiler_steps && !finding.iterations.empty() && finding.code != FindingCode::slower_steps)
        finding.cost = std::min(finding.cost, longer_for_repetitions(c, finding));
    const auto most = most_it_can_cost(c, finding);
    if (!most || finding.cost <= *most)
        return;
    // A replay counts steps a little otherwise than the facts: a cost is cut in silence up to there.
    finding.at_most = finding.cost > (1 + kReplayError) * *most;
    if (finding.at_most)
        finding.facts.push_back({FactName::replayed_cost_us_per_step, finding.cost / 1000, {}});
    finding.cost = *most;
}

RanksDiffer ranks_differ(const FindingInputs& inputs, const std::vector<Finding>& list, const Message& step) {
    const std::vector<RankThatStandsOut> ranks = ranks_that_stand_out(inputs.facts);
    // It replays, and is not needed beside ranks. Jobs side by side, as prefill and decode, are no peers.
    const bool one_job = std::ranges::none_of(inputs.run.ranks, [](const auto& rank) { return rank->job > 1; });
    const StragglerSlowdown* const slowdown = ranks.empty() && one_job ? inputs.straggler_slowdown() : nullptr;
    if (ranks.empty() && (slowdown == nullptr || !(slowdown->slowdown() > kSlowedDown)))
        return {};
    RanksDiffer result;
    result.told = std::ranges::any_of(list, [&](const Finding& finding) { return explains(finding, ranks); });
    if (result.told)
        return result;
    if (ranks.empty()) {
        result.sentence = slowdown_words(*slowdown);
        return result;
    }
    const RankThatStandsOut& first = ranks.front();
    result.sentence = rank_fact_words(first, inputs.facts).as_sentence();
    if (first.most_ns <= 0)
        return result;
    const auto& kernels = first.facts->slowest_kernels;
    if (first.computes_otherwise && kernels && 2 * kernels->excess_ns >= first.facts->computation_excess_ns) {
        result.sentence += ' ';
        result.sentence += "Its %1 kernels take %2 times as long as its peers'."_text(
            kernel_kind_words(compute_kind_word(kernels->kind)), fmt::format("{:.2f}", kernels->ratio));
    }
    const auto about_it = std::ranges::find_if(list, [&](const Finding& finding) {
        return finding.cost > 0 && finding.ranks.size() == 1 && finding.ranks.front() == first.facts->rank;
    });
    result.sentence += ' ';
    result.sentence += about_it != list.end()
                           ? "By the recorded dependencies that costs %1 of %2."_text(time_words(about_it->cost), step)
                           : "What that costs cannot be told: no recorded cause makes the replayed step longer."_text();
    result.sentence += ' ';
    const std::string most = time_words(first.most_ns);
    result.sentence += inputs.beside.empty()
                           ? "By the fact itself it is at most %1."_text(most)
                           : "The fact allows %1 and more, because computation of its peers is slower beside "
                             "communication that waits for it."_text(most);
    return result;
}

} // namespace rankscope
