// SPDX-License-Identifier: GPL-3.0-or-later
// What a finding costs, in words, and what is said beside that.

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/words.h"

namespace rankscope {

namespace {

/// Two times of a step that are told as one: the facts', and that of a replay.
bool same_step(double ns, double other_ns) { return std::abs(ns - other_ns) <= kReplayError * other_ns; }

/// As a number is said: "eight", "81.0", "11.2 ms" and "18 us", not "110 ms".
bool begins_with_a_vowel(std::string_view number) {
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    return number.starts_with('8') || (digits == 2 && (number.starts_with("11") || number.starts_with("18")));
}

/// Of those of its ranks that have a trace.
std::set<int> jobs_of(const FindingContext& c, const Finding& finding) {
    std::set<int> jobs;
    for (const int number : finding.ranks)
        if (const RankTrace* const rank = c.inputs.run.rank(number); rank != nullptr)
            jobs.insert(rank->job);
    return jobs;
}

} // namespace

double told_step(const FindingInputs& inputs, double of_graph) {
    const bool by_marks = inputs.facts.unit == StepAccount::Unit::profiler_steps && !inputs.step_graph.profiler_steps;
    return by_marks && inputs.facts.fill.step_ns > 0 ? inputs.facts.fill.step_ns : of_graph;
}

Message what_is_looked_at(const FindingContext& c) {
    // The replay aligns the ranks' clocks: its step may differ by a little from the one that the facts show.
    const double shown = c.inputs.facts.fill.step_ns;
    const bool same = (!c.recorded_once() || c.inputs.facts.behind_queued_work) && same_step(shown, c.told_step);
    const std::string time = time_words(same ? shown : c.told_step);
    if (!c.recorded_once()) {
        const bool of_jobs =
            !same && std::ranges::any_of(c.inputs.run.ranks, [](const auto& rank) { return rank->job > 0; });
        if (begins_with_a_vowel(time))
            return (of_jobs ? "an %1 step (mean of the jobs)"_text : "an %1 step"_text)(time);
        return (of_jobs ? "a %1 step (mean of the jobs)"_text : "a %1 step"_text)(time);
    }
    const bool mean = c.inputs.run.ranks.size() > 1;
    if (c.inputs.facts.behind_queued_work)
        return mean ? "the %1 (mean of the ranks) from the end of earlier work to the last GPU work"_text(time)
                    : "the %1 from the end of earlier work to the last GPU work"_text(time);
    if (launches_recorded(c.graph))
        return mean ? "the %1 (mean of the ranks) from the first launch to the last GPU work"_text(time)
                    : "the %1 from the first launch to the last GPU work"_text(time);
    return mean ? "the %1 (mean of the ranks) from the first to the last GPU work"_text(time)
                : "the %1 from the first to the last GPU work"_text(time);
}

std::optional<double> step_of_joined_ns(const FindingContext& c, const Finding& finding) {
    if (finding.code != FindingCode::straggler || c.recorded_once() || finding.ranks.empty() ||
        c.cost_to_joined(finding.ranks, 1) <= 1)
        return {};
    double sum = 0;
    double ranks = 0;
    for (const std::uint32_t r : c.joined_to(finding.ranks))
        if (const RankFacts* facts = c.inputs.facts.of_rank(c.rank_number(r))) {
            sum += facts->fill.step_ns;
            ++ranks;
        }
    return ranks == 0 || same_step(sum / ranks, c.inputs.facts.fill.step_ns) ? std::nullopt
                                                                             : std::optional(sum / ranks);
}

Message step_of_joined(const FindingContext& c, const Finding& finding, double step_ns) {
    const std::string time = time_words(step_ns);
    const bool of_job = std::ranges::any_of(jobs_of(c, finding), [](int job) { return job > 0; });
    if (begins_with_a_vowel(time))
        return (of_job ? "an %1 step of its job"_text : "an %1 step of these ranks"_text)(time);
    return (of_job ? "a %1 step of its job"_text : "a %1 step of these ranks"_text)(time);
}

double cost_of_each(const FindingContext& c, const Finding& finding) {
    const std::size_t affected = finding.iterations.size();
    if (affected == 0 || affected >= c.steps)
        return finding.cost;
    const std::size_t steps = c.graph.profiler_steps ? c.steps : c.numbers().size(); // the last repetition has no end
    return finding.cost_of_affected > 0 ? finding.cost_of_affected
                                        : finding.cost * static_cast<double>(steps) / static_cast<double>(affected);
}

Message cost_words(const FindingContext& c, const Finding& finding, const Message& step) {
    const auto bounded = [&](double ns) {
        const std::string time = time_words(ns);
        return finding.at_most ? "at most %1"_text(time) : finding.at_least ? "at least %1"_text(time) : Message(time);
    };
    if (finding.iterations.empty() || finding.iterations.size() >= c.steps)
        return "%1 of %2"_text(bounded(finding.cost), step);
    const double of_each = cost_of_each(c, finding);
    // In the steps in which it is seen, another fault may hide it: it costs time in the others.
    if (of_each < finding.cost)
        return "%1 of %2 on average"_text(bounded(finding.cost), step);
    const Message each = bounded(of_each);
    const std::string mean = time_words(finding.cost);
    return finding.iterations.size() == 1
               ? "%1 in step %2, %3 of %4 on average"_text(each, *finding.first_iteration, mean, step)
               : "%1 in each of %2 steps, %3 of %4 on average"_text(each, finding.iterations.size(), mean, step);
}

bool has_fault(std::span<const Finding> list) {
    return std::ranges::any_of(
        list, [](const Finding& finding) { return !finding.inherent; });
}

Message cost_sentence(const Finding& finding, bool any_fault) {
    const Message& cost = finding.cost_words;
    return finding.hidden         ? "Other findings hide it. Cost once they are dealt with: %1."_text(cost)
           : !finding.once_mended ? "Cost: %1."_text(cost)
           : any_fault            ? "Cost once the faults are fixed: %1."_text(cost)
                                  : "Cost once the other findings are dealt with: %1."_text(cost);
}

bool explains_late_rank(const Finding& finding) {
    return std::ranges::any_of(
        finding.facts, [](const FindingFact& f) { return f.name == FactName::wait_caused_us_per_other_rank; });
}

Message wait_left_words(const FindingContext& c, const Finding& finding) {
    const auto& late = c.inputs.late_rank;
    const RankFacts* const rank = late && explains_late_rank(finding) ? c.inputs.facts.of_rank(late->rank) : nullptr;
    // Of ranks of several jobs the cost is the mean of the jobs, and each waits for its own rank alone.
    if (jobs_of(c, finding).size() > 1)
        return {};
    if (rank == nullptr || finding.hidden || finding.cost >= (1 - kNearlyAlike) * rank->wait_caused_ns)
        return {};
    const Message wait = per_step_words(c, rank->wait_caused_ns);
    return rank->meets_all
               ? " The others wait %1 for rank %2; the rest of that they would wait for something else."_text(
                     wait, rank->rank)
               : " The others wait %1 for rank %2 on average; the rest of that they would wait for something else."_text(
                     wait, rank->rank);
}

/// Of a rank whose GPU work takes longer, where each rank has but a part of a GPU: ranks on one GPU share its memory
/// and its copies. Nothing records how much faster the peers were if this rank were. On an H200 in four parts, costs
/// are 3 to 15 % too low for it (tests/data/real). Empty elsewhere. A card of two dies gives each rank one of them.
Message shared_gpu_words(const FindingContext& c, const Finding& finding) {
    constexpr double kOneOfTwoDies = 0.5;
    const bool of_gpu = finding.cause == FindingCause::slower_kernels || finding.cause == FindingCause::more_kernels ||
                        finding.cause == FindingCause::slower_copies;
    const double share = multiprocessor_share(c.inputs.run);
    if (finding.code != FindingCode::straggler || !of_gpu || share >= kOneOfTwoDies)
        return {};
    return " The cost may be larger: a rank has about %1 % of a GPU's multiprocessors, and how ranks on one GPU slow "
           "each other is not recorded."_text(fmt::format("{:.0f}", 100 * share));
}

Message slow_first_launch_words(const Run& run, const StepGraph& graph) {
    if (graph.profiler_steps)
        return {};
    for (const GraphStep& step : graph.steps) {
        const auto kinds =
            std::span(graph.kind)
                .subspan(graph.first_node[step.rank], graph.first_gpu_node[step.rank] - graph.first_node[step.rank]);
        const auto launch = std::ranges::find(kinds, NodeKind::launch);
        const auto node = graph.first_node[step.rank] + static_cast<std::uint32_t>(launch - kinds.begin());
        const RankTrace& rank = *run.ranks[step.rank]; // those of the other ranks take about as long
        if (launch == kinds.end() || graph.start[node] >= step.range.begin || end_of_queued_work(rank))
            continue;
        return " The first launch of rank %1 takes %2: it belongs to no step."_text(
            rank.rank, time_words(static_cast<double>(rank.events.duration[graph.event[node]])));
    }
    return {};
}

} // namespace rankscope
