// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the findings together and in order.
#include "core/analysis/findings/findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/delays/rank_spread.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/finding_summary.h"
#include "core/analysis/findings/held_to_facts.h"
#include "core/analysis/findings/operation_findings.h"
#include "core/analysis/findings/waits_of_faults.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/analysis/graph/step_time.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/isolation.h"
#include "core/base/words.h"
#include "core/base/work_count.h"
#include "core/trace/hardware_series.h"
#include "core/trace/step_ends.h"

namespace rankscope {

FindingEvent FindingContext::event(std::uint32_t node) const {
    const std::uint32_t rank = graph.rank[node];
    const EventIndex event = graph.event[node];
    if (event == kNoEvent)
        return {rank, event, graph.clock.recorded(rank, TimeRange{graph.start[node], graph.end(node)})};
    const EventTable& events = inputs.run.ranks[rank]->events;
    return {rank, event, events.range(event)};
}

std::vector<std::uint32_t> FindingContext::joined_to(const std::vector<int>& ranks) const {
    std::set<std::uint32_t> sets;
    for (std::uint32_t r = 0; r < joined.size(); ++r)
        if (std::ranges::find(ranks, rank_number(r)) != ranks.end())
            sets.insert(joined[r]);
    std::vector<std::uint32_t> members;
    for (std::uint32_t r = 0; r < joined.size(); ++r)
        if (sets.contains(joined[r]))
            members.push_back(r);
    return members;
}

double FindingContext::cost_to_joined(const std::vector<int>& ranks, double saved) const {
    const std::size_t members = joined_to(ranks).size();
    return members == 0 ? saved : saved * static_cast<double>(joined.size()) / static_cast<double>(members);
}

Message per_step_words(const FindingContext& c, double ns, const std::set<std::int64_t>& only_in) {
    if (only_in.size() == 1)
        return time_words(ns);
    return c.recorded_once() ? "%1 in all"_text(time_words(ns)) : "%1 a step"_text(time_words(ns));
}

Message share_words(const FindingContext& c, double ns) {
    const std::string percent = fmt::format("{:.0f}", 100 * c.share(ns));
    return c.recorded_once() ? "%1 % of the time"_text(percent) : "%1 % of the step"_text(percent);
}

Message times_words(const FindingContext& c, double per_step, const std::set<std::int64_t>& only_in) {
    // Fewer than one a step: how often in all of them.
    const std::size_t steps = only_in.empty() ? c.steps : only_in.size();
    const bool each = c.recorded_once() || per_step > 0.95;
    const auto count = std::max(1LL, std::llround(each ? per_step : per_step * static_cast<double>(steps)));
    if (only_in.size() == 1)
        return count == 1 ? "once"_text() : "%1 times"_text(count);
    if (!each && c.graph.profiler_steps)
        return count == 1 ? "once in %1 steps"_text(steps) : "%1 times in %2 steps"_text(count, steps);
    if (!each || c.recorded_once()) { // of repetitions the last may be cut
        if (c.inputs.run.ranks.size() > 1)
            return count == 1 ? "once on a rank"_text() : "%1 times on a rank"_text(count);
        return count == 1 ? "once in all"_text() : "%1 times in all"_text(count);
    }
    return count == 1 ? "once a step"_text() : "%1 times a step"_text(count);
}

double confidence_of(std::size_t seen, std::size_t steps) {
    // Laplace's rule of succession: that a step shows it.
    return (static_cast<double>(seen) + 1) / (static_cast<double>(steps) + 2);
}

namespace {

/// who_meets(), but all ranks together where the members of some calls are not traced: whom those join is not known.
std::vector<std::uint32_t> joined_ranks(const StepGraph& graph) {
    const auto of_ranks = std::span(graph.kind).first(graph.first_node.back());
    const bool lone = std::ranges::find(of_ranks, NodeKind::lone_communication) != of_ranks.end();
    return lone ? std::vector<std::uint32_t>(graph.first_gpu_node.size()) : who_meets(graph);
}

bool has_gpu_work(const StepGraph& graph) {
    for (std::size_t r = 0; r < graph.first_gpu_node.size(); ++r)
        if (graph.first_gpu_node[r] < graph.first_node[r + 1])
            return true;
    return false;
}

/// Start to end of a step on the host, mean over ranks, ns; 0 without profiler steps.
double host_step_time(const Run& run, const StepGraph& graph) {
    double sum = 0;
    std::size_t steps = 0;
    for (const GraphStep& step : graph.steps)
        if (graph.profiler_steps && has_known_end(*run.ranks[step.rank], step.number)) {
            sum += static_cast<double>(step.range.length());
            ++steps;
        }
    return steps == 0 ? 0 : sum / static_cast<double>(steps);
}

/// What is told of the run once its faults are gone, in this order, worked out side by side.
void find_the_rest(const FindingContext& c, std::vector<Finding>& found) {
    struct Part {
        void (*find)(const FindingContext&, std::vector<Finding>&);
        bool of_repaired = true; ///< measures by RepairedRun::saved_ns()
    };
    constexpr std::array<Part, 8> kParts{{{find_first_iteration, false},
                                          {find_slower_steps, false},
                                          {find_uneven_work},
                                          {find_exposed_communication},
                                          {find_exposed_copies},
                                          {find_host_bound},
                                          {find_bubbles},
                                          {find_clock_misfit, false}}};
    std::array<std::vector<Finding>, kParts.size()> lists;
    tbb::parallel_for(std::size_t{0}, kParts.size(),
                      [&](std::size_t i) { run_apart([&] { kParts[i].find(c, lists[i]); }); });
    const bool repaired = c.repaired.changed() && c.share(c.step_time - c.repaired.step_ns()) >= kUnhealthy;
    for (std::size_t i = 0; i < kParts.size(); ++i)
        for (Finding& finding : lists[i]) {
            finding.once_mended = repaired && kParts[i].of_repaired;
            found.push_back(std::move(finding));
        }
}

/// All that is told of the run, in the order in which one thing is taken out of the run before the next is measured.
void find_all(const FindingContext& c, RepairedRun& repaired, Findings& result) {
    if (c.inputs.run.source == TraceSource::operations) { // of which the step graph knows no dependencies
        const OperationGraph operations = operation_graph_of(c.inputs);
        find_in_operations(c, operations, result.list);
        find_slower_steps(c, result.list);
        result.judged = judge_operations(operations);
        return;
    }
    find_faults(c, repaired, result.list);
    if (!c.inputs.threads_in_parallel)
        find_host_faults(c, repaired, result.list);
    explain_late_rank(c, repaired, result.list);
    result.origins = origins_by_faults(c);
    name_victims(c, result.origins, result.list);
    find_the_rest(c, result.list);
    join_pauses(result.list);
    find_idle(c, result.list);
    result.judged = judge(c, result.list);
}

/// A call of which members are not traced, or not known, keeps its time, though it may be a wait for the rank at fault.
bool waits_unseen(const FindingContext& c) {
    constexpr double kHardlyAny = 0.02; // of the time of communication
    const Run& run = c.inputs.run;
    return c.graph.without_partners > kHardlyAny ||
           (std::cmp_less(run.ranks.size(), run.world_size) &&
            std::ranges::any_of(c.inputs.communication, &CommunicationNode::lone));
}

/// No cost beyond what the facts allow, and nothing that one step does not show.
void hold_to_bounds(const FindingContext& c, bool waits_unseen, std::vector<Finding>& list) {
    for (Finding& finding : list) {
        hold_to_bound(c, finding);
        // What seems to be communication, or a bubble, may be a wait for a rank that nobody recorded.
        if (waits_unseen &&
            (finding.code == FindingCode::exposed_communication || finding.code == FindingCode::pipeline_bubble))
            finding.at_most = true;
    }
    // One step does not show that what others hide in it comes again without them, nor that a rank which takes a little
    // longer in it does so in others: steps of healthy ranks on one real GPU differ by up to 1.7 %.
    constexpr double kLeastOfOneStep = 0.02;
    std::erase_if(list, [&](const Finding& f) {
        const bool once = c.graph.profiler_steps && c.steps < 2 && !f.inherent;
        return (f.at_most && c.share(f.cost) < kLeastFault) || (once && f.hidden) ||
               (once && f.code == FindingCode::straggler && c.share(f.cost) < kLeastOfOneStep);
    });
}

/// step: what_is_looked_at().
void tell_costs(const FindingContext& c, bool waits_unseen, const Message& step, std::vector<Finding>& list) {
    constexpr double kMayBeChance = 0.5; // confidence below which the sentence says so
    const bool any_fault = has_fault(list);
    for (Finding& finding : list) {
        const std::optional<double> joined_ns = step_of_joined_ns(c, finding);
        finding.share = joined_ns ? finding.cost / *joined_ns : c.share(finding.cost);
        if (finding.cost > 0) {
            finding.at_least = !finding.at_most && waits_unseen &&
                               (finding.code == FindingCode::straggler || finding.code == FindingCode::slow_link);
            finding.cost_words = cost_words(c, finding, joined_ns ? step_of_joined(c, finding, *joined_ns) : step);
            finding.title += std::string(". ");
            finding.title += cost_sentence(finding, any_fault);
        } else {
            finding.title += '.';
        }
        finding.cost_of_affected = std::max(finding.cost, cost_of_each(c, finding));
        finding.title += wait_left_words(c, finding);
        finding.title += shared_gpu_words(c, finding);
        if (finding.confidence > 0 && finding.confidence < kMayBeChance)
            finding.title += " It may be chance: few of the steps show it."_text();
    }
}

/// By what it costs a step that has it, where it costs 1 % on the mean of all steps.
void put_in_order(std::vector<Finding>& list) {
    std::ranges::stable_sort(list, {}, [&](const Finding& finding) {
        const double cost = finding.share < kUnhealthy ? finding.cost : finding.cost_of_affected;
        return std::tuple(finding.code != FindingCode::clock_misfit, finding.hidden, -cost);
    });
    // What makes bubbles is told before what is left of them.
    const auto bubble = std::ranges::find(list, FindingCode::pipeline_bubble, &Finding::code);
    const auto uneven = std::ranges::find(list, FindingCode::uneven_stages, &Finding::code);
    if (bubble != list.end() && uneven != list.end() && bubble < uneven)
        std::rotate(bubble, uneven, std::next(uneven));
}

/// ns per step that the faults of ranks and links cost together; 0: there are not several, or it is not known.
double cost_together(const FindingContext& c, const std::vector<Finding>& list) {
    // What counts as a fault of 1 % may include others than those, whose joint cost is not known.
    const bool only_these = std::ranges::all_of(list, [](const Finding& f) {
        if (f.code == FindingCode::expert_imbalance)
            return !f.inherent; // it is told as well, and is no fault
        return !f.is_costly_fault() || (f.code == FindingCode::straggler && f.cause != FindingCause::unexplained) ||
               f.code == FindingCode::slow_link;
    });
    if (c.repaired.told().size() < 2 || !only_these)
        return 0;
    const double together = c.step_time - c.repaired.step_ns_without_told();
    // Of ranks that calls do not join, a mean says less.
    const bool less =
        std::ranges::any_of(list, [&](const Finding& f) { return f.is_costly_fault() && f.cost > together; });
    return less ? 0 : together;
}

/// Healthy or not, and in a few words what matters.
void summarise(const FindingContext& c, const Message& step, Findings& result) {
    const Run& run = c.inputs.run;
    const Judged& judged = result.judged;
    result.healthy =
        (judged.ranks || judged.links || judged.host) &&
        std::ranges::none_of(
            result.list, [](const Finding& f) { return f.is_costly_fault() || f.code == FindingCode::clock_misfit; });
    const bool limits_logged = std::ranges::any_of(run.ranks, [](const auto& rank) { // facts tell of them
        return !hardware_samples(*rank, HardwareQuantity::limited_by_power).empty();
    });
    if (result.healthy && judged.ranks && !limits_logged)
        result.judged.not_judged.push_back("Ranks are compared with each other: what slows all GPUs alike, such as a "
                                           "limit of their power, does not show that way."_text());
    const double together = cost_together(c, result.list);
    const RanksDiffer differ = result.healthy && judged.ranks && run.ranks.size() > 1
                                   ? ranks_differ(c.inputs, result.list, step)
                                   : RanksDiffer();
    result.healthy = result.healthy && differ.sentence.empty();
    const Finding* const head = head_of(result.list, together);
    if (head != nullptr)
        result.head = static_cast<std::size_t>(head - result.list.data());
    const double host = host_step_time(run, c.graph);
    const auto summary_of = [&](Message told) {
        Message text = summary_words(run, result, head, std::move(told), together, differ, step);
        text += slow_first_launch_words(run, c.graph);
        // Where the GPU is behind the host, what metric iter_time calls a step is only the host's part of it.
        if (host_runs_ahead(host, c.step_time))
            text += " On the host a step takes %1 (iter_time)."_text(time_words(host));
        return text;
    };
    result.summary = summary_of(head != nullptr ? head->title : Message());
    result.headline = summary_of(head != nullptr ? short_words(run, *head, has_fault(result.list)) : Message());
    if (head != nullptr)
        result.beside_head = summary_of({});
}

Message words_without_gpu_work(const Run& run) {
    TimeNs sum = 0;
    for (const auto& rank : run.ranks)
        for (const KernelSum& kernel : rank->kernel_sums)
            sum += kernel.total;
    return sum > 0 ? "Sums of GPU work are recorded, %1 in all, and not when it ran: ranks, links and the host cannot "
                     "be judged."_text(time_words(static_cast<double>(sum)))
                   : "No GPU work is recorded here: ranks, links and the host cannot be judged."_text();
}

} // namespace

const Finding* why_late(const Findings& findings, int rank) {
    const auto tells = [&](const Finding& finding) {
        return explains_late_rank(finding) && std::ranges::find(finding.ranks, rank) != finding.ranks.end();
    };
    const auto found = std::ranges::find_if(findings.list, tells);
    return found == findings.list.end() ? nullptr : &*found;
}

std::string FindingFact::word() const {
    std::string whole(fact_word(name));
    return of.empty() ? whole : whole + '_' + of;
}

Findings find_findings(const FindingInputs& inputs) {
    count_work("find_findings");
    const StepGraph& graph = inputs.step_graph;
    Findings result;
    if (!has_gpu_work(graph)) {
        result.healthy = false;
        result.headline = result.summary = words_without_gpu_work(inputs.run);
        result.judged.not_judged = {result.summary};
        return result;
    }
    const Replays replays(graph, &inputs.beside);
    const Replays replays_as_computed(graph);
    const double step_time = mean_step_time(graph, graph.start, graph.times);
    result.step_time = told_step(inputs, step_time);
    RepairedRun repaired(graph, replays, step_time);
    const FindingContext context{.inputs = inputs,
                                 .graph = graph,
                                 .replays = replays,
                                 .replays_as_computed = replays_as_computed,
                                 .repaired = repaired,
                                 .experts = inputs.experts,
                                 .peers = inputs.peers,
                                 .communication = inputs.communication,
                                 .step_time = step_time,
                                 .told_step = result.step_time,
                                 .steps = step_count(graph),
                                 .places = step_places(graph, inputs.steps),
                                 .jump = find_clock_jump(inputs.collectives),
                                 .joined = joined_ranks(graph)};
    result.of_steps = !context.recorded_once();
    if (calls_alone(context)) {
        Findings alone = of_calls_alone(context, repaired);
        alone.of_steps = result.of_steps;
        return alone;
    }
    find_all(context, repaired, result);
    const bool unseen = waits_unseen(context);
    const Message step = what_is_looked_at(context);
    hold_to_bounds(context, unseen, result.list);
    tell_costs(context, unseen, step, result.list);
    put_in_order(result.list);
    summarise(context, step, result);
    return result;
}

} // namespace rankscope
