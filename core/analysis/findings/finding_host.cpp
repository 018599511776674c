// SPDX-License-Identifier: GPL-3.0-or-later
// What the host costs on all ranks: data loading, collections, waits, allocations, launches; and a slow first step.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/replay/later_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Nodes of one kind inside steps, and the largest of them.
struct Host {
    std::vector<std::uint32_t> nodes; ///< ascending
    std::vector<TimeNs> times;        ///< of each
    std::int64_t count = 0;
    TimeNs time = 0;
    std::size_t steps = 0;                  ///< distinct, over all ranks the most
    std::map<std::int64_t, double> by_step; ///< number of the profiler step: time, of all ranks
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    Onset onset{};    ///< where it is there in some steps only, the nodes are those of them
    double usual = 0; ///< ns a rank and step: what it takes in the other steps
};

template <typename Choose>
Host choose(const FindingContext& c, Choose&& time_of) {
    Host host;
    std::map<std::uint32_t, std::size_t> seen;
    std::uint32_t last_step = kNoNode;
    std::uint32_t last_rank = kNoNode;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (!is_host_node(c.graph.kind[n]) || (c.graph.profiler_steps && c.graph.step[n] == kNoNode))
            continue;
        const TimeNs time = time_of(n);
        if (time <= 0)
            continue;
        host.nodes.push_back(n);
        host.times.push_back(time);
        ++host.count;
        host.time += time;
        if (const GraphStep* step = c.step_of(n))
            host.by_step[step->number] += static_cast<double>(time);
        host.largest.emplace_back(time, n);
        if (c.graph.rank[n] != last_rank || c.graph.step[n] != last_step) {
            last_rank = c.graph.rank[n];
            last_step = c.graph.step[n];
            host.steps = std::max(host.steps, ++seen[last_rank]);
        }
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, host.largest.size()));
    std::partial_sort(host.largest.begin(), host.largest.begin() + shown, host.largest.end(), std::greater<>());
    host.largest.resize(static_cast<std::size_t>(shown));
    return host;
}

/// Leaves the nodes of the steps in which it is there, where it is not in all of them and next to nothing elsewhere.
Host of_affected_steps(const FindingContext& c, Host host) {
    const Onset onset = onset_of(c, host.by_step);
    if (!in_some_steps(c, onset))
        return host;
    double usual = 0;
    for (const auto& [number, time] : host.by_step)
        usual += onset.steps.contains(number) ? 0 : time;
    const auto others = static_cast<double>((c.numbers.size() - onset.steps.size()) * c.inputs.run.ranks.size());
    if (c.share(usual / others) >= kUnhealthy)
        return host;
    Host affected = choose(c, [&](std::uint32_t n) -> TimeNs {
        const GraphStep* const step = c.step_of(n);
        const auto at = std::ranges::lower_bound(host.nodes, n);
        const bool counts = at != host.nodes.end() && *at == n && step != nullptr && onset.steps.contains(step->number);
        return counts ? host.times[static_cast<std::size_t>(at - host.nodes.begin())] : 0;
    });
    affected.onset = onset;
    affected.usual = usual / others;
    return affected;
}

struct HostFault {
    Host host;
    TimesChange remove;
    const char* code = nullptr;
    std::function<std::string(double per_step, double calls, double usual)> title; ///< ns a rank and step
    bool repairs = true; ///< whether what follows is told of the run without it
};

bool is_timed(NodeKind kind) {
    return kind == NodeKind::data_loading || kind == NodeKind::garbage_collection || kind == NodeKind::allocation;
}

Finding describe(const FindingContext& c, const HostFault& fault, double cost) {
    const Host& host = fault.host;
    const std::size_t steps = host.onset.steps.empty() ? c.steps : host.onset.steps.size();
    const auto rank_steps = static_cast<double>(steps * c.inputs.run.ranks.size());
    const double per_step = static_cast<double>(host.time) / rank_steps;
    const double calls = static_cast<double>(host.count) / rank_steps;
    Finding finding;
    finding.code = fault.code;
    finding.title = fault.title(per_step, calls, host.usual);
    for (std::size_t i = 0; i < host.nodes.size(); ++i)
        if (is_timed(c.graph.kind[host.nodes[i]]) && host.times[i] < c.graph.times.duration[host.nodes[i]]) {
            finding.title += " (without what single ranks take longer)";
            break;
        }
    finding.facts = {{"events", static_cast<double>(host.count), {}},
                     {"mean_us_per_rank_and_step", per_step / 1000, {}}};
    for (const auto& [time, node] : host.largest)
        finding.events.push_back(c.event(node));
    set_onset(c, host.onset, finding);
    finding.title += since_words(c, host.onset.steps);
    finding.cost = cost;
    finding.confidence = confidence_of(std::min(host.steps, steps), steps);
    return finding;
}

/// Waits of a step but the last, which ends the step.
std::vector<bool> inner_waits(const FindingContext& c) {
    std::vector<bool> inner(c.graph.size());
    std::uint32_t last = kNoNode;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (c.graph.kind[n] != NodeKind::wait_end)
            continue;
        if (last != kNoNode && c.graph.rank[last] == c.graph.rank[n] && c.graph.step[last] == c.graph.step[n])
            inner[last] = true;
        last = n;
    }
    return inner;
}

std::vector<HostFault> host_fault_candidates(const FindingContext& c) {
    const auto duration_of = [&](NodeKind kind, bool but_first_step) {
        return choose(c, [&c, kind, but_first_step](std::uint32_t n) {
            // What stragglers take more than their peers is told already.
            const bool counts = c.graph.kind[n] == kind && !(but_first_step && c.steps > 1 && c.graph.step[n] == 0);
            return counts ? c.repaired_times().duration[n] : 0;
        });
    };
    const std::string_view on_average = !c.recorded_once()              ? "a step on average"
                                        : c.inputs.run.ranks.size() > 1 ? "on average"
                                                                        : "in all";
    std::vector<HostFault> faults;
    const auto add = [&](Host all, const char* code, auto&& title) {
        if (all.count == 0)
            return;
        Host host = of_affected_steps(c, std::move(all));
        // Where it is there in some steps only, what it takes in the others is no part of it.
        const double mean =
            static_cast<double>(host.time) /
            static_cast<double>(std::max<std::size_t>(1, host.onset.steps.size()) * c.inputs.run.ranks.size());
        const double part = host.onset.steps.empty() || mean <= 0 ? 1 : std::max(0.0, 1 - host.usual / mean);
        std::vector<std::pair<std::uint32_t, TimeNs>> left;
        for (std::size_t i = 0; i < host.nodes.size(); ++i)
            left.emplace_back(host.nodes[i], std::llround(part * static_cast<double>(host.times[i])));
        const auto remove = [left = std::move(left)](GraphTimes& times) {
            for (const auto& [n, time] : left)
                times.duration[n] -= std::min(time, times.duration[n]);
        };
        faults.push_back({std::move(host), remove, code, title, true});
    };
    add(
        duration_of(NodeKind::data_loading, false), "data_loading",
        [on_average](double per_step, double, double usual) {
            return fmt::format("Loading data takes the host {} {}{}, and the GPU waits for it", time_words(per_step),
                               usual > 0 ? "a step instead of " : std::string(on_average),
                               usual > 0 ? time_words(usual) : std::string());
        });
    add(duration_of(NodeKind::garbage_collection, false), "garbage_collection", [&c](double per_step, double, double) {
        return fmt::format("Python's garbage collection stops the host for {} {}", time_words(per_step),
                           per_step_words(c));
    });
    // Allocations of the first step alone are warm-up.
    Host allocations = duration_of(NodeKind::allocation, duration_of(NodeKind::allocation, true).steps * 2 < c.steps);
    const bool churn = allocations.steps * 2 >= c.steps && c.steps > 1;
    const std::string longest =
        allocations.largest.empty()
            ? std::string()
            : fmt::format("{} of {}",
                          c.inputs.run.ranks[c.graph.rank[allocations.largest.front().second]]->event_name(
                              c.graph.event[allocations.largest.front().second]),
                          time_words(static_cast<double>(allocations.largest.front().first)));
    const bool once = c.recorded_once();
    add(std::move(allocations), "allocation_churn",
        [churn, once, longest, on_average](double per_step, double calls, double) {
            return churn
                       ? fmt::format(
                             "The host allocates or frees GPU memory in the steps: {:.0f} calls a step, {}, the "
                             "longest {}; the caching allocator should keep the memory",
                             std::max(1.0, calls), time_words(per_step), longest)
                       : fmt::format("The host allocates or frees GPU memory{}: {} {}, the longest {}",
                                     once ? "" : ", but not in every step", time_words(per_step), on_average, longest);
        });
    const std::vector<bool> inner = inner_waits(c);
    Host waits = choose(c, [&](std::uint32_t n) -> TimeNs {
        const std::uint32_t edge = inner[n] && !c.peers.surplus[n] ? host_edge(c.graph, n) : kNoNode;
        return edge == kNoNode ? 0 : c.graph.start[n] - c.graph.start[c.graph.edges[edge].from];
    });
    waits = of_affected_steps(c, std::move(waits));
    if (waits.count > 0) {
        const auto remove = [&c, nodes = waits.nodes](GraphTimes& times) { drop_waits(c.graph, nodes, times); };
        const auto title = [&c](double per_step, double calls, double) {
            return fmt::format(
                "Calls that wait for the GPU hold the host up{}, {}, for {} {}, and it then launches too "
                "late",
                c.graph.profiler_steps ? " in the middle of the step" : "", times_words(c, calls), time_words(per_step),
                c.recorded_once() ? "together" : "a step");
        };
        // What a host that does not wait would do instead is guessed too boldly to build on.
        faults.push_back({std::move(waits), remove, "synchronisation", title, false});
    }
    return faults;
}

} // namespace

/// Each costs what it does in the recording, or, where stragglers hide it, once they are repaired; nothing below the
/// least.
void find_host_faults(FindingContext& c, std::vector<Finding>& found) {
    const std::vector<HostFault> faults = host_fault_candidates(c);
    std::vector<TimesChange> changes;
    for (const HostFault& fault : faults)
        changes.push_back(fault.remove);
    // All at once; again for those after one that is taken out.
    Replays::InBoth tries = c.repaired ? c.replays.step_times(c.graph.times, *c.repaired, changes)
                                       : Replays::InBoth{c.replays.step_times(c.graph.times, changes), {}};
    const std::vector<double> alone = std::move(tries.first);
    std::vector<double> without = std::move(tries.second);
    for (std::size_t i = 0, tried = 0; i < faults.size(); ++i) {
        if (c.repaired && i >= tried + without.size()) {
            without = c.replays.step_times(*c.repaired, std::span(changes).subspan(i));
            tried = i;
        }
        const double time = c.repaired ? without[i - tried] : alone[i];
        const double in_recording = c.step_time - alone[i];
        const double cost = c.share(in_recording) >= kLeastFault ? in_recording : c.repaired_time - time;
        if (c.share(cost) < kLeastFault)
            continue;
        if (faults[i].repairs) {
            c.repair(faults[i].remove);
            c.repaired_time = time;
            without.clear();
        }
        found.push_back(describe(c, faults[i], cost));
        found.back().hidden = c.share(in_recording) < kLeastFault;
        found.back().inherent = c.share(cost) < kUnhealthy;
    }
}

namespace {

/// In the repaired run, ns per step: the time in which the busiest rank runs nothing on its GPU; what its collectives
/// wait for others counts as such.
double idle_of_busiest(const FindingContext& c) {
    const GraphTimes& times = c.repaired_times();
    const std::vector<TimeNs> start = c.repaired ? replay(c.graph, *c.repaired) : c.graph.start;
    TimeNs most = 0;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        std::vector<TimeRange> busy;
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            if (c.graph.profiler_steps && c.graph.step[n] == kNoNode)
                continue;
            const std::uint32_t own = c.graph.transfer_of[n] == kNoNode ? n : c.graph.transfer_of[n];
            busy.push_back({start[own], start[own] + times.duration[own]});
        }
        most = std::max(most, measure(merge(std::move(busy))));
    }
    return (c.repaired ? c.repaired_time : c.step_time) - static_cast<double>(most) / static_cast<double>(c.steps);
}

constexpr double kPause = 10;         ///< times what an engine's host usually takes from one step to the next
constexpr double kPauseOfAStep = 0.5; ///< of a usual step

/// Between two steps of a serving engine the host may wait for requests, which no trace tells.
struct Pauses {
    std::vector<std::pair<std::uint32_t, TimeNs>> edges; ///< of the step graph, and what is usual there
    std::set<std::int64_t> before;                       ///< numbers of the steps
    TimeNs longest = 0;
    std::uint32_t longest_end = kNoNode; ///< node: the end of the step before it
};

Pauses pauses_between_steps(const FindingContext& c) {
    Pauses pauses;
    if (work_of_steps(c).empty())
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
            if (static_cast<double>(lag) < kPause * static_cast<double>(usual) ||
                static_cast<double>(lag) < kPauseOfAStep * static_cast<double>(step) || lag <= usual)
                continue;
            pauses.edges.emplace_back(host_edge(c.graph, steps[s].end), usual);
            pauses.before.insert(steps[s + 1].number);
            if (lag > pauses.longest) {
                pauses.longest = lag;
                pauses.longest_end = steps[s].end;
            }
        }
    }
    return pauses;
}

Finding describe_pauses(const FindingContext& c, const Pauses& pauses, double cost) {
    Finding finding;
    finding.code = "engine_pauses";
    finding.inherent = true;
    finding.title = fmt::format(
        "Before {} of {} steps the engine does nothing for up to {}: it has no requests, or something that was not "
        "recorded holds it up",
        pauses.before.size(), c.steps, time_words(static_cast<double>(pauses.longest)));
    finding.facts = {{"pauses", static_cast<double>(pauses.before.size()), {}},
                     {"longest_us", static_cast<double>(pauses.longest) / 1000, {}}};
    Onset onset;
    onset.steps = pauses.before;
    set_onset(c, onset, finding);
    if (pauses.longest_end != kNoNode)
        finding.events.push_back(c.event(pauses.longest_end));
    finding.cost = cost;
    finding.confidence = 0.8;
    return finding;
}

} // namespace

void find_host_bound(const FindingContext& c, std::vector<Finding>& found) {
    if (!launches_recorded(c.graph))
        return; // a TPU, an operation timeline: nothing is known of a host
    const Pauses pauses = pauses_between_steps(c);
    const auto without_pauses = [&](GraphTimes& times) {
        for (const auto& [edge, usual] : pauses.edges)
            times.lag[edge] = std::min(times.lag[edge], usual);
    };
    const double paused = pauses.edges.empty() ? 0 : std::max(0.0, c.repaired_cost(without_pauses));
    if (c.share(paused) >= kLeastInherent)
        found.push_back(describe_pauses(c, pauses, paused));
    // The replay takes a host for one that works where the recording does not say that it waits for its GPU. A host
    // that takes no time saves no more than the time in which the busiest GPU does nothing.
    const double saved = c.repaired_cost([&](GraphTimes& times) {
        without_pauses(times);
        scale_host(c.graph, 0, false, times);
    }) - paused;
    const bool waits = std::ranges::find(c.graph.kind, NodeKind::wait_end) != c.graph.kind.end();
    const double cost = c.share(saved) < kLeastInherent || waits ? saved : std::min(saved, idle_of_busiest(c) - paused);
    if (c.share(cost) < kLeastInherent)
        return;
    TimeNs waited = 0;
    std::pair<TimeNs, std::uint32_t> longest{0, 0};
    const auto& idle = c.inputs.idle_causes;
    for (std::uint32_t r = 0; r < idle.size(); ++r)
        for (const StreamIdle& stream : idle[r])
            waited += stream.causes[static_cast<std::size_t>(IdleCause::host_wait)].time;
    Finding finding;
    finding.code = "host_bound";
    finding.inherent = true;
    std::vector<std::pair<TimeNs, std::uint32_t>> gaps; // launches with the most host time before them
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (c.graph.kind[n] == NodeKind::launch && (!c.graph.profiler_steps || c.graph.step[n] != kNoNode)) {
            const TimeNs time = host_time(c.graph, n);
            if (time > longest.first)
                longest = {time, n};
        }
    }
    finding.title =
        fmt::format("The GPU waits for the host: {:.0f} % of the {} would be saved if launching cost no time",
                    100 * c.share(cost), c.recorded_once() ? "time" : "step");
    finding.facts = {{"host_wait_us_all_streams", static_cast<double>(waited) / 1000, {}},
                     {"longest_before_a_launch_us", static_cast<double>(longest.first) / 1000, {}}};
    if (longest.first > 0)
        finding.events.push_back(c.event(longest.second));
    finding.cost = cost;
    finding.confidence = 0.8;
    found.push_back(std::move(finding));
}

namespace {

/// Recorded: length of the first step less the median of the later ones, the most of any rank (stages of a pipeline
/// begin together in the first step only, so that the mean tells nothing), ns.
/// alike: of c.graph.steps, those that count; empty: all.
double longer_first_step(const FindingContext& c, const std::vector<char>& alike) {
    std::map<std::uint32_t, std::vector<TimeNs>> lengths; // by rank, the first step first
    for (std::size_t s = 0; s < c.graph.steps.size(); ++s) {
        std::vector<TimeNs>& of_rank = lengths[c.graph.steps[s].rank];
        if (of_rank.empty() || alike.empty() || alike[s] != 0)
            of_rank.push_back(c.graph.steps[s].range.length());
    }
    TimeNs most = 0;
    for (auto& [rank, of_rank] : lengths) {
        if (of_rank.size() > 1) {
            const TimeNs usual = upper_median(std::vector<TimeNs>(of_rank.begin() + 1, of_rank.end()));
            most = std::max(most, of_rank.front() - usual);
        }
    }
    return static_cast<double>(most);
}

/// Of the steps of a serving engine: which compute what their rank's first one does. Empty for other runs.
std::vector<char> alike_with_first(const FindingContext& c) {
    const auto work = work_of_steps(c);
    std::vector<char> alike(work.size());
    std::size_t first = 0; // of the rank
    for (std::size_t s = 0; s < work.size(); ++s) {
        if (c.graph.steps[s].rank != c.graph.steps[first].rank)
            first = s;
        alike[s] = static_cast<char>(work[first] && work[s] && is_like_work(*work[first], *work[s]));
    }
    return alike;
}

} // namespace

void find_first_iteration(const FindingContext& c, std::vector<Finding>& found) {
    // Work that takes longer in a step that does not is no warm-up. With the least cost that counts, this is asked
    // before any work.
    const auto steps = static_cast<double>(c.steps);
    const std::vector<char> alike = alike_with_first(c);
    const double longer = !c.graph.profiler_steps || c.steps < 3 ? 0 : longer_first_step(c, alike);
    if (longer <= 0 || longer < kLeastFault * c.step_time * steps / 2)
        return;
    // The first step of each rank, its work as long as in the later steps.
    const std::vector<TimeNs> usual = times_of_later_steps(c.inputs.run, c.graph, alike);
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (usual[n] < 0 || c.repaired_times().duration[n] != c.graph.times.duration[n])
            continue; // what is put down to a straggler already
        const bool is_host = c.graph.kind[n] == NodeKind::launch || c.graph.kind[n] == NodeKind::wait_begin;
        const TimeNs recorded = is_host ? host_time(c.graph, n) : c.graph.times.duration[n];
        largest.emplace_back(recorded - usual[n], n);
    }
    const double cost = c.repaired_cost([&](GraphTimes& times) {
        for (const auto& [more, n] : largest)
            set_time(c.graph, n, usual[n], times);
    });
    if (c.share(cost) < kLeastFault || largest.empty() || longer < cost * steps / 2)
        return;
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, largest.size()));
    std::partial_sort(largest.begin(), largest.begin() + shown, largest.end(), std::greater<>());
    const double extra = cost * static_cast<double>(c.steps);
    Finding finding;
    finding.code = "first_iteration";
    finding.title =
        fmt::format("The first recorded step takes {} longer than the later ones{}: warm-up, not the steady "
                    "state; leave it out with --iterations",
                    time_words(extra), alike.empty() ? "" : " of like work");
    finding.facts = {{"extra_us", extra / 1000, {}}, {"steps", static_cast<double>(c.steps), {}}};
    for (const auto& [time, node] : std::span(largest).first(static_cast<std::size_t>(shown)))
        finding.events.push_back(c.event(node));
    finding.cost = cost;
    finding.confidence = confidence_of(c.steps - 1, c.steps - 1);
    found.push_back(std::move(finding));
}

} // namespace rankscope
