// SPDX-License-Identifier: GPL-3.0-or-later
// What the recording lets us judge; and time in which the GPUs do nothing that no other finding tells of.
#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/network_limits.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/analysis/steps/step_windows.h"
#include "core/analysis/usual/work_of_steps.h"
#include "core/base/words.h"
#include "core/trace/short_name.h"

namespace rankscope {
namespace {

constexpr double kMuchIdle = 0.1;  ///< of the step
constexpr double kMoreIdle = 1.05; ///< times that of any other rank: worth naming

std::vector<int> ranks_recorded_longer(const FindingContext& c) {
    std::vector<int> ranks;
    for (std::uint32_t r = 0; r < c.peers.recorded_longer.size(); ++r)
        if (c.peers.recorded_longer[r])
            ranks.push_back(c.rank_number(r));
    return ranks;
}

void judge_ranks(const FindingContext& c, Judged& judged) {
    const Run& run = c.inputs.run;
    if (const std::vector<int> longer = ranks_recorded_longer(c); !longer.empty())
        judged.not_judged.push_back(
            "%1 took part in more calls than peers did: the recordings differ in length, and what "
            "one rank runs more of than another is not judged."_text(rank_words(longer))
                .as_sentence());
    const bool peers = std::ranges::any_of(c.peers.class_size, [](std::uint32_t size) { return size > 1; });
    const std::vector<std::uint32_t> like = ranks_of_like_work(run, c.graph, c.inputs.work);
    const bool unlike = std::ranges::any_of(like, [](std::uint32_t first) { return first != 0; });
    if (run.ranks.size() == 1) {
        judged.not_judged.push_back(run.untraced_ranks() > 0 && run.source != TraceSource::xplane
                                        ? "One of %1 ranks is traced: whether it is slower than the others "
                                          "cannot be told."_text(run.world_size)
                                    : run.left_out > 0 ? "One rank is left: nothing to compare it with."_text()
                                                       : "There is one rank: nothing to compare it with."_text());
    } else if (!peers && unlike) {
        judged.not_judged.push_back("By the names of their steps the ranks serve different requests: whether one is "
                                    "slow cannot be told."_text());
    } else if (!peers) {
        judged.not_judged.push_back("No two ranks run the same kernels: whether one is slow cannot be told."_text());
    } else if (recorded_for_unlike_lengths(c)) {
        judged.not_judged.push_back(
            "The ranks were recorded for different lengths of time, and no call joins them: they "
            "are not compared with each other."_text());
    } else if (guessed_calls_do_not_fit(c)) {
        judged.not_judged.push_back(
            "The recording does not say which ranks a collective call joins, and the calls that "
            "stream and order tell do not end together: which rank the others wait for, and what its "
            "host costs them, cannot be told."_text());
        judged.host = false;
    } else if (!c.graph.partners_known()) {
        judged.not_judged.push_back(
            "Of %1 % of the time of communication it is not known which ranks it joins: which rank the others wait "
            "for, and what its host costs them, cannot be told."_text(
                fmt::format("{:.0f}", 100 * c.graph.without_partners)));
        judged.host = false;
    } else {
        judged.ranks = true;
        if (unlike)
            judged.not_judged.push_back("By the names of their steps some ranks serve other requests than others: they "
                                        "are not compared with each other."_text());
        if (c.peers.across_stages)
            judged.not_judged.push_back(
                std::ranges::any_of(c.inputs.pipeline.stages, [](int stage) { return stage < 0; })
                    ? "Which ranks are of one pipeline stage is not known, so each is compared with those that run the "
                      "same kernels: a rank is called slow only if nearly all its kernels are."_text()
                : c.peers.lone_in_stage
                    ? "A pipeline stage has one recorded rank, so ranks are compared with other "
                      "stages: a rank is called slow only if nearly all its kernels are."_text()
                    : "All ranks of a pipeline stage compute slower than other stages, so ranks are "
                      "compared with other stages: a rank is called slow only if nearly all its kernels are."_text());
        if (const std::size_t untraced = run.untraced_ranks(); untraced > 0)
            judged.not_judged.push_back(
                run.source == TraceSource::xplane
                    ? "%1 of %2 devices have no events: nothing is said about them."_text(untraced, run.world_size)
                    : "%1 of %2 ranks are not traced: nothing is said about them."_text(untraced, run.world_size));
    }
}

void judge_links(const FindingContext& c, std::span<const Finding> found, Judged& judged) {
    if (c.jump) {
        judged.not_judged.push_back(
            "The clock of rank %1 jumps: when calls start and end is not known well enough to judge links."_text(
                c.rank_number(c.jump->rank)));
        return;
    }
    const LinkComparison links = compare_links(c);
    if (links.groups.empty()) {
        judged.not_judged.push_back(c.inputs.run.left_out > 0
                                        ? "No calls of known size join only ranks that are judged: whether a link is "
                                          "slow cannot be told."_text()
                                        : "No calls of known size between traced ranks are recorded: whether a link is "
                                          "slow cannot be told."_text());
        return;
    }
    if (!c.graph.partners_known()) { // those that are known are too few to speak for all
        judged.not_judged.push_back(
            "Of %1 % of the time of communication it is not known which ranks it joins: "
            "whether a link is slow cannot be told."_text(fmt::format("{:.0f}", 100 * c.graph.without_partners)));
        return;
    }
    const auto is_told = [&](const std::string& name) {
        return std::ranges::any_of(found, [&](const Finding& finding) {
            return finding.code == FindingCode::slow_link && finding.group == name;
        });
    };
    const bool known = usual_network(c.inputs.run).has_value();
    std::string alone;    // the first
    bool inside = false;  // it is inside a machine, and its messages are large
    bool between = false; // it is between machines
    std::size_t count = 0;
    std::string one_way; // the first of the groups that may all be slow for one reason
    std::size_t of_one_way = 0;
    std::size_t held_against_network = 0;
    const bool network_is_told = std::ranges::any_of(found, [](const Finding& finding) {
        return finding.code == FindingCode::slow_link && finding.cause == FindingCause::below_hardware;
    });
    for (const std::uint32_t group : links.groups) {
        const CommGroup& named = c.inputs.collectives.groups[group];
        const std::string& name = named.label();
        const bool compared = links.compared.contains(group);
        const bool of_network =
            !compared && known && links.large.contains(group) && links.between_machines.contains(group);
        if (is_told(name) || links.near_network.contains(group) || (compared && !links.one_way.contains(group)))
            continue;
        if (compared || of_network) {
            one_way = one_way.empty() && !network_is_told ? name : one_way;
            ++of_one_way;
            held_against_network += of_network && !network_is_told ? 1 : 0;
            continue;
        }
        if (alone.empty()) {
            inside = links.large.contains(group) && c.inputs.machines.way(named.ranks) == Way::inside;
            between = links.between_machines.contains(group);
        }
        alone = alone.empty() ? name : alone;
        ++count;
    }
    judged.links = count + held_against_network < links.groups.size();
    judged.network = one_way.empty();
    if (!one_way.empty())
        judged.not_judged.push_back(
            of_one_way > 1 ? "All calls like those of %1 take the same way between machines: whether that is "
                             "slow for all of them cannot be told."_text(group_words(one_way))
                           : "No other group makes the calls of %1, which cross machines: whether the network between "
                             "them is slow cannot be told."_text(group_words(one_way)));
    if (count == 0)
        return;
    const Message groups = count > 1 ? "%1 and of %2 more"_text(group_words(alone), count - 1) : group_words(alone);
    judged.not_judged.push_back(
        inside ? "No other group makes the calls of %1, and what carries its messages inside a machine is not known: "
                 "whether its link is slow cannot be told."_text(groups)
        : between && known
            ? "No other group makes the calls of %1, and its messages are too small to compare with the network: "
              "whether its link is slow cannot be told."_text(groups)
            : "No other group makes the calls of %1: whether its link is slow cannot be told."_text(groups));
}

/// Kernels that communicate while they compute count as computation, and their waits for other ranks as well.
void judge_fused(const Run& run, Judged& judged) {
    constexpr double kWorthSaying = 0.01; // of the time of all kernels
    const StringTable& names = *run.names;
    std::vector<std::optional<bool>> is_fused(names.size()); // by name; asked of those of kernels only
    TimeNs fused = 0;
    TimeNs all = 0;
    NameId example = 0;
    for (const auto& rank : run.ranks) {
        const EventTable& events = rank->events;
        for (EventIndex i = 0; i < events.gpu_count; ++i) {
            if (events.kind[i] != EventKind::kernel)
                continue;
            all += events.duration[i];
            std::optional<bool>& known = is_fused[events.name[i]];
            if (!known)
                known = compute_kind(names.view(events.name[i])) == ComputeKind::fused;
            if (*known) {
                fused += events.duration[i];
                example = events.name[i];
            }
        }
    }
    const double share = all > 0 ? static_cast<double>(fused) / static_cast<double>(all) : 0;
    if (share >= kWorthSaying)
        judged.not_judged.push_back(
            "Kernels that communicate while they compute, such as %1, take %2 % of the kernels' time: all of it counts "
            "as computation, and how long they wait for other ranks cannot be told."_text(
                short_name(names.view(example)), fmt::format("{:.0f}", 100 * share)));
}

/// Of a rank: when its GPU does nothing in its steps, or in what is recorded of it without profiler steps. It is busy
/// with what is not selected as well.
IntervalSet idle_times(const FindingContext& c, std::uint32_t rank, std::span<const TimeRange> steps) {
    const EventTable& events = c.inputs.run.ranks[rank]->events;
    std::vector<TimeRange> work;
    work.reserve(events.gpu_count);
    for (EventIndex i = 0; i < events.gpu_count; ++i)
        work.push_back(c.graph.clock.aligned(rank, events.range(i)));
    for (std::uint32_t n = c.graph.first_gpu_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        const std::uint32_t transfer = c.graph.transfer_of[n];
        work.push_back({c.graph.start[n], transfer == kNoNode ? c.graph.end(n) : c.graph.end(transfer)});
    }
    // What was launched before the recording is not in it, and keeps the GPU busy until its streams start.
    if (const auto queued = end_of_queued_work(*c.inputs.run.ranks[rank])) {
        TimeNs first_launch = *queued;
        for (EventIndex e = 0; e < events.gpu_count; ++e)
            if (events.link[e] != kNoEvent)
                first_launch = std::min(first_launch, events.start[events.link[e]]);
        work.push_back(c.graph.clock.aligned(rank, TimeRange{first_launch, *queued}));
    }
    const IntervalSet busy = merge(std::move(work));
    if (busy.empty())
        return {};
    std::vector<TimeRange> looked_at;
    for (std::size_t s = 0; s < steps.size(); ++s)
        if (c.graph.steps[s].rank == rank)
            looked_at.push_back(steps[s]);
    return subtract(merge(std::move(looked_at)), busy);
}

/// Of a rank: when launched work waits although nothing is recorded on its GPU. Handing over takes as long as
/// kKernelWaitLimit; longer than that, the GPU does what is not recorded, or waits for it.
IntervalSet held_back(const FindingContext& c, std::uint32_t rank, const IntervalSet& idle) {
    std::vector<TimeRange> waiting;
    for (std::uint32_t n = c.graph.first_gpu_node[rank]; n < c.graph.first_node[rank + 1]; ++n)
        for (const GraphEdge& edge : c.graph.edges_of(n))
            if (edge.kind == EdgeKind::launch && c.graph.end(edge.from) < c.graph.start[n])
                waiting.push_back({c.graph.end(edge.from), c.graph.start[n]});
    IntervalSet times = intersect(idle, merge(std::move(waiting)));
    std::erase_if(times, [](const TimeRange& time) { return time.length() < kKernelWaitLimit; });
    return times;
}

/// Of a rank: the call in which the host waits longest while the GPU does nothing, by its end, and that time. What goes
/// on then is not therefore to blame.
std::pair<TimeNs, std::uint32_t> longest_wait(const FindingContext& c, std::uint32_t rank, const IntervalSet& idle) {
    std::pair<TimeNs, std::uint32_t> longest{0, kNoNode};
    for (std::uint32_t n = c.graph.first_node[rank] + 1; n < c.graph.first_gpu_node[rank]; ++n) {
        if (c.graph.kind[n] != NodeKind::wait_end || c.graph.kind[n - 1] != NodeKind::wait_begin)
            continue;
        const TimeRange call{c.graph.start[n - 1], c.graph.start[n]};
        if (call.length() <= longest.first)
            continue;
        if (const TimeNs time = covered(idle, call); time > longest.first)
            longest = {time, n};
    }
    return longest;
}

} // namespace

bool recorded_for_unlike_lengths(const FindingContext& c) {
    constexpr double kLonger = 1.1;
    if (!c.recorded_once())
        return false;
    double shortest = 0;
    double longest = 0;
    for (std::uint32_t r = 0; r < c.joined.size(); ++r) {
        const auto length = static_cast<double>(c.inputs.run.ranks[r]->gpu_span.length());
        if (c.joined[r] != r)
            return false;
        shortest = r == 0 ? length : std::min(shortest, length);
        longest = std::max(longest, length);
    }
    return longest > kLonger * shortest;
}

bool launches_recorded(const StepGraph& graph) {
    const auto of_ranks = std::span(graph.kind).first(graph.first_node.back());
    return std::ranges::find(of_ranks, NodeKind::launch) != of_ranks.end();
}

Judged judge(const FindingContext& c, std::span<const Finding> found) {
    Judged judged;
    const bool launches = launches_recorded(c.graph);
    judged.host = launches && !c.inputs.threads_in_parallel;
    judge_ranks(c, judged);
    judge_links(c, found, judged);
    judge_fused(c.inputs.run, judged);
    if (c.inputs.threads_in_parallel)
        judged.not_judged.push_back("Threads of a rank call the GPU side by side, as loaders and savers of checkpoints "
                                    "do: what the host costs cannot be told, nor how much a rank's delays do."_text());
    else if (!launches)
        judged.not_judged.push_back("No launches of GPU work are recorded: what the host does cannot be told."_text());
    return judged;
}

void find_idle(const FindingContext& c, std::vector<Finding>& found) {
    const Facts& facts = c.inputs.facts;
    const std::vector<TimeRange> steps = step_ranges(c.graph);
    std::vector<std::pair<double, std::uint32_t>> by_rank; // idle a step
    std::pair<TimeNs, std::uint32_t> wait{0, kNoNode};
    double all = 0;
    double all_held = 0;
    for (const RankFacts& rank : facts.ranks) {
        const IntervalSet own = idle_times(c, rank.index, steps);
        const auto measured = static_cast<double>(measure(own));
        // Without steps the time counts from the first launch on, and the fact's from the first GPU work.
        by_rank.emplace_back(c.recorded_once() ? measured : rank.fill.idle_ns(), rank.index);
        all += measured;
        all_held += static_cast<double>(measure(held_back(c, rank.index, own)));
        wait = std::max(wait, longest_wait(c, rank.index, own));
    }
    const double idle =
        c.recorded_once() ? all / static_cast<double>(std::max<std::size_t>(1, by_rank.size())) : facts.fill.idle_ns();
    const double share = idle / (c.recorded_once() ? c.step_time : facts.fill.step_ns);
    if (!(share >= kMuchIdle))
        return;
    const double held = all > 0 ? idle * all_held / all : 0;
    double explained = 0;
    for (const Finding& finding : found)
        if (finding.code != FindingCode::exposed_communication && finding.code != FindingCode::exposed_copies &&
            finding.code != FindingCode::slow_link && !finding.hidden)
            explained += finding.cost;
    if (explained >= kMostOf * idle)
        return;
    Finding finding;
    finding.code = FindingCode::gpu_idle;
    finding.inherent = true;
    finding.at_most = true;
    const bool mostly_held = held > idle / 2;
    const std::string percent = fmt::format("{:.0f}", 100 * share);
    finding.title = mostly_held ? plural(by_rank.size(), "No work is recorded on the GPU for %1 % of the time"_one,
                                         "No work is recorded on the GPUs for %1 % of the time"_many)(percent)
                                : plural(by_rank.size(), "The GPU does nothing for %1 % of the time"_one,
                                         "The GPUs do nothing for %1 % of the time"_many)(percent);
    std::ranges::sort(by_rank, std::ranges::greater());
    if (by_rank.size() > 1 && by_rank[0].first >= kMoreIdle * by_rank[1].first)
        finding.title += ", most on rank %1"_text(c.rank_number(by_rank[0].second));
    if (mostly_held)
        finding.title += ", though launched work waits in most of it"_text();
    if (wait.second != kNoNode && static_cast<double>(wait.first) >= idle / 4) {
        const std::string time = time_words(static_cast<double>(wait.first));
        const std::string call(c.inputs.run.ranks[c.graph.rank[wait.second]]->event_name(c.graph.event[wait.second]));
        finding.title += "; one call of %1 covers %2 of that time"_text(call, time);
        finding.events.push_back(c.event(wait.second));
    }
    finding.facts = {{FactName::idle_us_per_step, idle / 1000, {}},
                     {FactName::launched_work_waits_us_per_step, held / 1000, {}},
                     {FactName::explained_by_other_findings_us_per_step, explained / 1000, {}}};
    finding.cost = idle;
    finding.confidence = 0.9;
    found.push_back(std::move(finding));
}

} // namespace rankscope
