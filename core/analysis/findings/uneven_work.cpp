// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks whose work is unequal now here, now there: nobody is slow, and yet the others wait.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/usual/same_work.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kFarOff = 8;       ///< standard deviations: one step tells
constexpr double kFewChanges = 1.5; ///< the median of a rank's few changes may be smaller by chance

std::vector<double> changes_of(std::span<const double> by_step) {
    std::vector<double> changes;
    for (std::size_t i = 1; i < by_step.size(); ++i)
        changes.push_back(std::abs(by_step[i] - by_step[i - 1]));
    return changes;
}

/// How far ranks are from their own level in a step, on median: a standard deviation. A rank that is slow in one step
/// of few hardly changes it, though the peers that wait for it are slower beside communication in that step.
double scatter_around_levels(const std::vector<std::vector<double>>& by_step) {
    std::vector<double> apart;
    for (const std::vector<double>& of_rank : by_step) {
        const double level = middle_median(of_rank);
        for (const double value : of_rank)
            apart.push_back(std::abs(value - level));
    }
    const auto steps = static_cast<double>(by_step.front().size());
    return kNormalDeviation * upper_median(apart) * steps / (steps - 1); // of few steps the level fits them too well
}

/// How far a rank is from its own level in a step: a standard deviation, by how far it is from the step before. So a
/// rank that is slow from some step on, or in some, does not change it. Ranks that are slow in every other step do:
/// where half of the ranks scatter clearly less than all together, it is theirs. own: as of beyond_scatter().
double scatter_of(const std::vector<std::vector<double>>& by_step, const std::vector<std::vector<double>>& own) {
    std::vector<double> changes;
    std::vector<double> of_ranks;
    for (std::size_t r = 0; r < by_step.size(); ++r) {
        const std::vector<double> of_rank = changes_of(by_step[r]);
        changes.insert(changes.end(), of_rank.begin(), of_rank.end());
        of_ranks.push_back(upper_median(of_rank));
        if (r < own.size() && own[r].size() == by_step[r].size())
            of_ranks.back() = std::min(of_ranks.back(), upper_median(changes_of(own[r])));
    }
    const double of_changes = std::min(upper_median(changes), kFewChanges * lower_median(of_ranks));
    return std::min(kNormalDeviation / std::sqrt(2) * of_changes, scatter_around_levels(by_step));
}

/// Computation of one stage, or of peers, and how long it takes on the mean of what is the same.
struct EvenWork {
    std::vector<double> even; ///< per node, ns; -1: not compared
    std::vector<int> program; ///< per rank
    /// By program and number of the step.
    std::map<std::pair<int, std::int64_t>, std::vector<std::uint32_t>> nodes;
};

EvenWork even_work(const FindingContext& c) {
    const std::vector<int>& stages = c.inputs.pipeline.stages;
    EvenWork work;
    if (stages.size() == c.inputs.run.ranks.size() && std::ranges::all_of(stages, [](int stage) { return stage >= 0; }))
        work.program = stages;
    else
        work.program.assign(c.peers.peer_class.begin(), c.peers.peer_class.end());
    work.even = even_times(c.inputs.run, c.graph, c.repaired.times().duration, work.program);
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n)
        if (c.graph.kind[n] == NodeKind::compute && work.even[n] > 0 && !c.peers.surplus[n]) {
            const GraphStep* const step = c.graph.step_of(n);
            work.nodes[{work.program[c.graph.rank[n]], step == nullptr ? 0 : step->number}].push_back(n);
        }
    return work;
}

/// Each kernel as long as all that is the same, in proportion, and each rank of a step as long as the mean of its
/// program.
void even_out(const FindingContext& c, const EvenWork& work, GraphTimes& times) {
    for (const auto& [place, nodes] : work.nodes) {
        double own = 0;
        std::map<std::uint32_t, double> even; // by rank
        for (const std::uint32_t n : nodes) {
            own += static_cast<double>(times.duration[n]);
            even[c.graph.rank[n]] += work.even[n];
        }
        const double mean = own / static_cast<double>(even.size());
        for (const std::uint32_t n : nodes)
            times.duration[n] = std::llround(work.even[n] * mean / even[c.graph.rank[n]]);
    }
}

/// Ranks take as long as each other for all kernels of a name; what differs from step to step and kernel to kernel
/// stays.
void even_out_ranks(const FindingContext& c, const EvenWork& work, GraphTimes& times) {
    struct Sum {
        double own = 0;
        double even = 0;
    };
    const auto name = [&](std::uint32_t n) {
        return c.inputs.run.ranks[c.graph.rank[n]]->events.name[c.graph.event[n]];
    };
    std::map<std::pair<std::uint32_t, NameId>, Sum> of_rank;
    std::map<std::pair<int, NameId>, Sum> of_program;
    for (const auto& [place, nodes] : work.nodes)
        for (const std::uint32_t n : nodes)
            for (Sum* const sum : {&of_rank[{c.graph.rank[n], name(n)}], &of_program[{place.first, name(n)}]}) {
                sum->own += static_cast<double>(times.duration[n]);
                sum->even += work.even[n];
            }
    for (const auto& [place, nodes] : work.nodes)
        for (const std::uint32_t n : nodes) {
            const Sum& rank = of_rank.at({c.graph.rank[n], name(n)});
            const Sum& all = of_program.at({place.first, name(n)});
            if (rank.own > 0)
                times.duration[n] =
                    std::llround(static_cast<double>(times.duration[n]) * rank.even / rank.own * all.own / all.even);
        }
}

} // namespace

std::vector<bool> beyond_scatter(const FindingContext& c, const std::vector<std::vector<TimeNs>>& by_step,
                                 const std::vector<std::vector<double>>& own) {
    const std::size_t steps = c.numbers().size();
    if (steps < kStepsThatTell || by_step.size() < 2)
        return std::vector<bool>(by_step.size(), true);
    std::vector<std::vector<double>> values;
    for (const std::vector<TimeNs>& of_rank : by_step)
        values.emplace_back(of_rank.begin(), of_rank.end());
    const double scatter = scatter_of(values, own);
    std::vector<bool> beyond;
    for (const std::vector<double>& of_rank : values) {
        double sum = 0;
        for (const double value : of_rank)
            sum += value;
        beyond.push_back(sum >= kClearErrors * scatter * std::sqrt(static_cast<double>(of_rank.size())) ||
                         std::ranges::max(of_rank) >= kFarOff * scatter);
    }
    return beyond;
}

bool of_pipelines(const FindingContext& c) {
    return std::ranges::any_of(
        c.inputs.pipeline.stages, [](int stage) { return stage >= 0; });
}

void even_out_work(const FindingContext& c, GraphTimes& times) { even_out(c, even_work(c), times); }

void find_uneven_work(const FindingContext& c, std::vector<Finding>& found) {
    if (std::set(c.joined.begin(), c.joined.end()).size() == c.joined.size())
        return; // no call joins any two ranks: nobody waits
    const EvenWork work = even_work(c);
    const double cost = c.repaired.saved_ns([&](GraphTimes& times) { even_out(c, work, times); });
    if (c.share(cost) < kLeastInherent)
        return;
    const auto& by_step = c.inputs.computation_by_step;
    std::size_t longest = 0;
    for (std::size_t r = 1; r < by_step.size(); ++r)
        if (longest_turn(by_step, c.peers, r) > longest_turn(by_step, c.peers, longest))
            longest = r;
    // The finding says that it is now one rank, now another: not if it is always the same one, or if without steps
    // nobody knows when it was which.
    if (!of_pipelines(c) && (!c.graph.profiler_steps || !another_has_a_turn(by_step, c.peers, longest)))
        return;
    // Then it is the same ranks that take longer.
    if (c.repaired.saved_ns([&](GraphTimes& times) { even_out_ranks(c, work, times); }) >= kMostOf * cost)
        return;
    std::vector<std::pair<double, std::uint32_t>> largest; // ns longer, node
    for (const auto& [place, nodes] : work.nodes)
        for (const std::uint32_t n : nodes)
            largest.emplace_back(static_cast<double>(c.repaired.times().duration[n]) - work.even[n], n);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kEventsShown, largest.size()));
    std::partial_sort(largest.begin(), largest.begin() + shown, largest.end(), std::greater<>());
    Finding finding;
    finding.code = FindingCode::uneven_work;
    finding.inherent = true;
    finding.title = "Computation takes longer now on one rank, now on another, and the others wait, as with inputs of "
                    "unequal length or tokens of unequal number"_text();
    for (const auto& [more, node] : std::span(largest).first(static_cast<std::size_t>(shown)))
        finding.events.push_back(c.event(node));
    finding.cost = cost;
    finding.confidence = 0.7;
    found.push_back(std::move(finding));
}

} // namespace rankscope
