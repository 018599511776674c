// SPDX-License-Identifier: GPL-3.0-or-later
// What the host costs on all ranks: data loading, collections, waits, allocations, launches; and a slow first step.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/first_use.h"
#include "core/analysis/findings/held_to_facts.h"
#include "core/analysis/findings/host_named.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/trace/python_stacks.h"
#include "core/trace/unrecorded.h"

namespace rankscope {
namespace {

/// Nodes of one kind inside steps, and the largest of them.
struct Host {
    std::vector<std::uint32_t> nodes; ///< ascending
    std::vector<TimeNs> times;        ///< of each
    std::int64_t count = 0;
    TimeNs time = 0;
    std::size_t steps = 0;                  ///< distinct, over all ranks the most
    std::map<std::int64_t, double> by_step; ///< number of the step: time, mean of the ranks that have it
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    Onset onset{};    ///< where it is there in some steps only, the nodes are those of them
    double usual = 0; ///< ns a rank and step: what it takes in the other steps
};

/// Of each step, how many ranks have it. only: these ranks; empty: all.
std::map<std::int64_t, double> ranks_with_step(const FindingContext& c, const std::set<std::uint32_t>& only = {}) {
    std::map<std::int64_t, double> ranks;
    for (const GraphStep& step : c.graph.steps) {
        if (!only.empty() && !only.contains(step.rank))
            continue;
        if (c.graph.profiler_steps)
            ++ranks[step.number];
        else // of repetitions with numbers each rank has all
            for (const std::int64_t number : c.numbers())
                ++ranks[number];
    }
    return ranks;
}

/// Steps of these ranks (all where there are none), those of these numbers; of all numbers where there are none.
double rank_steps(const FindingContext& c, const std::set<std::int64_t>& numbers,
                  const std::set<std::uint32_t>& only = {}) {
    const std::map<std::int64_t, double> ranks = ranks_with_step(c, only);
    double count = 0;
    for (const auto& [number, with] : ranks)
        count += numbers.empty() || numbers.contains(number) ? with : 0;
    const bool of_all_repetitions = numbers.empty() && !c.graph.profiler_steps; // the last one may have no number
    return ranks.empty() || of_all_repetitions
               ? static_cast<double>(c.steps * (only.empty() ? c.inputs.run.ranks.size() : only.size()))
               : count;
}

/// The ranks of the nodes, where these are at most half of all: what is said of a step is then said of theirs. As where
/// stages have nobody to be compared with.
std::set<std::uint32_t> few_ranks(const FindingContext& c, const Host& host) {
    std::set<std::uint32_t> concerned;
    for (const std::uint32_t n : host.nodes)
        concerned.insert(c.graph.rank[n]);
    return 2 * concerned.size() <= c.inputs.run.ranks.size() ? concerned : std::set<std::uint32_t>{};
}

/// Per rank: when its host launches GPU work last. What the host does later keeps no recorded GPU work waiting.
std::vector<TimeNs> last_launches(const FindingContext& c) {
    std::vector<TimeNs> last(c.inputs.run.ranks.size(), std::numeric_limits<TimeNs>::max());
    for (std::uint32_t r = 0; r < last.size(); ++r)
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n-- > c.graph.first_node[r];)
            if (c.graph.kind[n] == NodeKind::launch) {
                last[r] = c.graph.start[n];
                break;
            }
    return last;
}

/// The host node is in a step; without profiler steps, in what counts of its rank.
bool is_in_step(const FindingContext& c, std::uint32_t node) {
    if (c.graph.profiler_steps)
        return c.graph.step[node] != kNoNode;
    const auto own = std::ranges::lower_bound(c.graph.steps, c.graph.rank[node], {}, &GraphStep::rank);
    return own == c.graph.steps.end() || own->rank != c.graph.rank[node] || c.graph.start[node] >= own->range.begin;
}

template <typename Choose>
Host choose(const FindingContext& c, Choose&& time_of) {
    Host host;
    std::map<std::uint32_t, std::size_t> seen;
    std::uint32_t last_step = kNoNode;
    std::uint32_t last_rank = kNoNode;
    const std::vector<TimeNs> last_launch = last_launches(c);
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (!is_host_node(c.graph.kind[n]) || !is_in_step(c, n) || c.graph.start[n] > last_launch[c.graph.rank[n]])
            continue;
        const TimeNs time = time_of(n);
        if (time <= 0)
            continue;
        host.nodes.push_back(n);
        host.times.push_back(time);
        ++host.count;
        host.time += time;
        if (const std::optional<std::int64_t> number = c.places.number_of(n))
            host.by_step[*number] += static_cast<double>(time);
        host.largest.emplace_back(time, n);
        if (c.graph.rank[n] != last_rank || c.graph.step[n] != last_step) {
            last_rank = c.graph.rank[n];
            last_step = c.graph.step[n];
            host.steps = std::max(host.steps, ++seen[last_rank]);
        }
    }
    const std::map<std::int64_t, double> ranks = ranks_with_step(c);
    for (auto& [number, time] : host.by_step)
        time /= ranks.at(number);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kEventsShown, host.largest.size()));
    std::partial_sort(host.largest.begin(), host.largest.begin() + shown, host.largest.end(), std::greater<>());
    host.largest.resize(static_cast<std::size_t>(shown));
    return host;
}

/// Leaves the nodes that are to stay.
template <typename Stays>
Host part_of(const FindingContext& c, const Host& host, Stays&& stays) {
    return choose(
        c,
        [&](std::uint32_t n) -> TimeNs {
            const auto at = std::ranges::lower_bound(host.nodes, n);
            const bool known = at != host.nodes.end() && *at == n && stays(n);
            return known ? host.times[static_cast<std::size_t>(at - host.nodes.begin())] : 0;
        });
}

/// Leaves the nodes of the steps in which it is there, where it is not in all of them and next to nothing elsewhere.
Host of_affected_steps(const FindingContext& c, Host host) {
    const Onset onset = onset_of(c, host.by_step);
    if (!in_some_steps(c, onset))
        return host;
    double usual = 0;
    for (const auto& [number, time] : host.by_step)
        usual += onset.steps.contains(number) ? 0 : time;
    const auto others = static_cast<double>(c.numbers().size() - onset.steps.size());
    if (c.share(usual / others) >= kUnhealthy)
        return host;
    Host affected = part_of(c, host, [&](std::uint32_t n) { return c.is_in(onset.steps, n); });
    affected.onset = onset;
    affected.usual = usual / others;
    return affected;
}

constexpr double kManyMore = 2; ///< times the calls that ranks usually have
constexpr double kAsMuch = 0.8; ///< of what all save

/// Where at most half of the ranks wait many times more often than the others, and it saves as much if they alone do
/// not: leaves their waits.
Host of_ranks_with_more(const FindingContext& c, Host waits) {
    std::vector<std::int64_t> calls(c.inputs.run.ranks.size());
    for (const std::uint32_t n : waits.nodes)
        ++calls[c.graph.rank[n]];
    const auto usual = static_cast<double>(upper_median(calls));
    const auto has_more = [&](std::uint32_t n) {
        return static_cast<double>(calls[c.graph.rank[n]]) >= kManyMore * usual;
    };
    if (usual == 0)
        return waits;
    Host theirs = part_of(c, waits, has_more);
    if (theirs.count == 0)
        return waits;
    const auto without = [&c](const Host& host) {
        return [&c, &host](GraphTimes& times) { drop_waits(c.graph, host.nodes, times); };
    };
    const std::vector<double> time =
        c.replays.step_times(c.graph.times, std::vector<TimesChange>{without(waits), without(theirs)});
    if (c.step_time - time[1] < kAsMuch * (c.step_time - time[0]))
        return waits;
    theirs.onset = std::move(waits.onset);
    theirs.usual = waits.usual;
    return theirs;
}

/// Of a step of a rank that has it, ns; usual: in the other steps.
struct HostAmounts {
    double per_step = 0;
    double calls = 0;
    double usual = 0;
    const std::set<std::int64_t>& only_in; ///< numbers of the steps that have it; empty: all
};

struct HostFault {
    Host host;
    TimesChange remove;
    FindingCode code{};
    std::function<Message(const HostAmounts&)> title;
    bool repairs = true;           ///< whether what follows is told of the run without it
    bool names_ranks = false;      ///< the title does, and the steps
    bool no_fault = false;         ///< it happens once, as the program starts
    bool beside_first_use = false; ///< what a first use takes is no part of it, or all of it
};

constexpr double kHabit = 0.02; ///< of a step: what a loader that takes the same in all steps may cost

/// The ranges that the program names itself, but steps.
std::vector<EventIndex> own_ranges(const RankTrace& rank) {
    std::vector<EventIndex> ranges;
    for (EventIndex e = rank.events.gpu_count; e < rank.events.size(); ++e)
        if (rank.events.kind[e] == EventKind::annotation && !rank.event_name(e).starts_with("ProfilerStep"))
            ranges.push_back(e);
    return ranges;
}

/// One of the ranges and the host's time before and in the node are mostly the same time.
bool is_one_of(const FindingContext& c, std::uint32_t node, std::span<const EventIndex> ranges) {
    const std::uint32_t edge = host_edge(c.graph, node);
    const TimeNs before = edge == kNoNode ? 0 : std::max<TimeNs>(0, c.graph.times.lag[edge]);
    const TimeRange host =
        c.graph.clock.recorded(c.graph.rank[node], TimeRange{c.graph.start[node] - before, c.graph.end(node)});
    const EventTable& events = c.inputs.run.ranks[c.graph.rank[node]]->events;
    return std::ranges::any_of(ranges, [&](EventIndex e) {
        const TimeNs shared = std::min(host.end, events.end(e)) - std::max(host.begin, events.start[e]);
        return 2 * shared > host.length() && 2 * shared > events.duration[e];
    });
}

constexpr double kAlikePause = 0.75; ///< of the longest pause: as long as that

/// Two steps or more, equally far apart but not next to each other, and the recording has no step at that distance that
/// is left out. The first step may be: pauses_by_node() tells none there.
bool every_so_many(const FindingContext& c, const std::set<std::int64_t>& steps) {
    if (steps.size() < 2)
        return false;
    const std::int64_t apart = *std::next(steps.begin()) - *steps.begin();
    for (auto step = steps.begin(); std::next(step) != steps.end(); ++step)
        if (*std::next(step) - *step != apart)
            return false;
    const auto [first, last] =
        std::ranges::minmax(c.graph.steps | std::views::transform([](const GraphStep& step) { return step.number; }));
    return apart > 1 && *steps.begin() - apart <= first && *steps.rbegin() + apart > last;
}

/// What all ranks have alike is the program's habit and no fault: a loader that takes a little in each step; a range of
/// its own, such as for a checkpoint, a pause that is always as long, or a wait for the GPU, in every so many steps.
bool is_habit(const FindingContext& c, const HostFault& fault, double cost) {
    if (fault.no_fault)
        return true;
    if (fault.code == FindingCode::data_loading)
        return fault.host.onset.steps.empty() && c.share(cost) < kHabit;
    const bool waits = fault.code == FindingCode::synchronisation && !fault.host.onset.steps.empty();
    if ((fault.code != FindingCode::host_pauses && !waits) || c.inputs.run.ranks.size() < 2 || !c.graph.profiler_steps)
        return false;
    std::map<std::int64_t, std::set<std::uint32_t>> ranks;   // by number of the step
    std::map<std::uint32_t, std::vector<EventIndex>> ranges; // by rank
    const auto [shortest, longest] = std::ranges::minmax(fault.host.times);
    const bool alike = waits || static_cast<double>(shortest) >= kAlikePause * static_cast<double>(longest);
    for (const std::uint32_t n : fault.host.nodes) {
        const std::uint32_t rank = c.graph.rank[n];
        const auto is_named = [&] {
            const auto [own, added] = ranges.try_emplace(rank);
            if (added)
                own->second = own_ranges(*c.inputs.run.ranks[rank]);
            return is_one_of(c, n, own->second);
        };
        if (const GraphStep* step = c.graph.step_of(n); step != nullptr && (alike || is_named()))
            ranks[step->number].insert(rank);
    }
    std::set<std::int64_t> steps;
    for (const auto& [number, with] : ranks) {
        if (with.size() < c.inputs.run.ranks.size())
            return false;
        steps.insert(number);
    }
    return every_so_many(c, steps);
}

bool is_timed(NodeKind kind) {
    return kind == NodeKind::data_loading || kind == NodeKind::garbage_collection || kind == NodeKind::allocation;
}

Finding describe(const FindingContext& c, const HostFault& fault, double cost) {
    const Host& host = fault.host;
    // What it takes in the other steps is known of all ranks together, and a title that says so names no ranks.
    const bool of_all = host.usual > 0 && !fault.names_ranks;
    const std::set<std::uint32_t> few = of_all ? std::set<std::uint32_t>{} : few_ranks(c, host);
    const double count = rank_steps(c, host.onset.steps, few);
    double per_step = static_cast<double>(host.time) / count;
    const double calls = static_cast<double>(host.count) / count;
    Finding finding;
    finding.code = fault.code;
    TimeNs of_single_ranks = 0; // longer than the others: it is part of what is recorded, and of other findings
    for (std::size_t i = 0; i < host.nodes.size() && !fault.beside_first_use; ++i)
        if (is_timed(c.graph.kind[host.nodes[i]]))
            of_single_ranks += c.graph.times.duration[host.nodes[i]] - host.times[i];
    per_step += static_cast<double>(of_single_ranks) / count;
    finding.title = fault.title({per_step, calls, host.usual, host.onset.steps});
    if (of_single_ranks > 0)
        finding.title += " (the cost leaves out what single ranks take longer than the others)"_text();
    finding.facts = {{FactName::events, static_cast<double>(host.count), {}},
                     {FactName::mean_us_per_rank_and_step, per_step / 1000, {}}};
    for (const auto& [time, node] : host.largest)
        finding.events.push_back(c.event(node));
    for (const std::uint32_t rank : few)
        finding.ranks.push_back(c.rank_number(rank));
    std::ranges::sort(finding.ranks);
    if (!few.empty() && !fault.names_ranks)
        finding.title += "; only on %1"_text(rank_words(finding.ranks));
    set_onset(c, host.onset, finding);
    if (!fault.names_ranks)
        finding.title += since_words(c, host.onset.steps);
    finding.cost = cost;
    // Without marks of steps nobody knows in how many it was seen.
    finding.confidence = fault.no_fault || !finding.iterations.empty() ? kHappened
                         : c.graph.profiler_steps ? confidence_of(std::min(host.steps, c.steps), c.steps)
                                                  : std::max(0.5, confidence_of(host.steps, c.steps));
    return finding;
}

/// How long the host is in the call that ends with this node, ns; 0 where that is not known.
TimeNs length_of_wait(const StepGraph& graph, std::uint32_t n) {
    const std::uint32_t edge = host_edge(graph, n);
    return edge == kNoNode ? 0 : graph.start[n] - graph.start[graph.edges[edge].from];
}

/// Waits of a step but the last, which ends the step. Of repetitions nobody knows where they end: the longest waits,
/// one for each, may be those.
std::vector<bool> inner_waits(const FindingContext& c) {
    std::vector<bool> inner(c.graph.size());
    for (std::uint32_t r = 0; r + 1 < c.graph.first_node.size(); ++r) {
        std::vector<std::uint32_t> waits;
        for (std::uint32_t n = c.graph.first_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            if (c.graph.kind[n] != NodeKind::wait_end)
                continue;
            if (!waits.empty() && c.graph.step[waits.back()] == c.graph.step[n])
                inner[waits.back()] = true;
            waits.push_back(n);
        }
        if (c.graph.profiler_steps || c.graph.repetitions <= 1)
            continue;
        const auto ends = std::min(waits.size(), static_cast<std::size_t>(std::ceil(c.graph.repetitions_of[r])));
        std::ranges::stable_sort(waits, std::greater<>(), [&](std::uint32_t n) { return length_of_wait(c.graph, n); });
        for (std::size_t i = 0; i < ends; ++i)
            inner[waits[i]] = false;
    }
    return inner;
}

constexpr double kPause = 0.02;            ///< of a step, that the host takes longer than usual at one place
constexpr TimeNs kShortestPause = 100'000; ///< and this
constexpr TimeNs kBeyondUsual = 8;         ///< and times what it scatters by there, in median deviations; where the
                                           ///< peers tell what is usual, times that

/// "The hosts of ranks 1 and 2 pause in steps 8 and 10 ...".
Message pauses_words(const FindingContext& c, const Host& pauses) {
    std::set<int> ranks;
    for (const std::uint32_t n : pauses.nodes)
        ranks.insert(c.rank_number(c.graph.rank[n]));
    const std::size_t all = c.inputs.run.ranks.size();
    const std::string longest = time_words(static_cast<double>(pauses.largest.front().first));
    const Message some = onset_words(c, pauses.onset.steps);
    const Message steps = some.empty() && c.steps > 1 ? " in some steps"_text() : some;
    if (all == 1)
        return "The host pauses%1, for %2 at the longest, and the GPU waits"_text(steps, longest);
    if (ranks.size() == all)
        return "The hosts of all ranks pause%1, for %2 at the longest, and the GPU waits"_text(steps, longest);
    return plural(ranks.size(), "The host of rank %1 pauses%2, for %3 at the longest, and the GPU waits"_one,
                  "The hosts of ranks %1 pause%2, for %3 at the longest, and the GPU waits"_many)(
        rank_numbers({ranks.begin(), ranks.end()}), steps, longest);
}

/// Whether any host is seen to wait for its GPU. Else it may do so in a way that is not recorded, and look like a host
/// that works.
bool waits_recorded(const StepGraph& graph) {
    return std::ranges::find(graph.kind, NodeKind::wait_end) != graph.kind.end();
}

/// What the host of a rank takes at a place in its other steps; where it has too few of them, what its peers take, and
/// in the first step the larger of both. Without marks of steps one call more or less shifts all places behind it, and
/// nothing is usual.
struct UsualPlaces {
    UsualHostTimes times;
    std::vector<bool> of_peers; ///< by rank
};

UsualPlaces usual_places(const FindingContext& c) {
    UsualPlaces usual{usual_host_times(c.inputs.run, c.graph, c.repaired.times()), {}};
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        const auto median = std::span(usual.times.median)
                                .subspan(c.graph.first_node[r], c.graph.first_gpu_node[r] - c.graph.first_node[r]);
        usual.of_peers.push_back(c.graph.profiler_steps &&
                                 std::ranges::all_of(median, [](TimeNs time) { return time < 0; }));
        for (std::uint32_t n = c.graph.first_node[r]; n < c.graph.first_gpu_node[r]; ++n) {
            const bool is_first = c.graph.profiler_steps && c.graph.step[n] == 0;
            if (!usual.of_peers[r] && !is_first)
                continue;
            const bool with_call = c.graph.kind[n] == NodeKind::launch || c.graph.kind[n] == NodeKind::wait_begin;
            const TimeNs of_peers = c.peers.surplus[n] ? TimeNs{-1}
                                    : with_call        ? c.peers.expected[n]
                                                       : c.peers.expected_before[n];
            TimeNs& usual_time = usual.times.median[n];
            TimeNs& scatter = usual.times.scatter[n];
            if (usual.of_peers[r] && of_peers >= 0)
                usual_time = scatter = of_peers;
            else if (is_first) { // warm-up, but for what the peers do without it
                usual_time = of_peers >= 0 && usual_time >= 0 ? std::max(usual_time, of_peers) : TimeNs{-1};
                scatter = std::max(scatter, of_peers);
            }
        }
    }
    return usual;
}

/// Hosts scatter from rank to rank. Where peers tell what is usual, a pause is one of the longest, and most ranks have
/// none as long: the others are no pauses.
void drop_scatter_of_ranks(const FindingContext& c, const UsualPlaces& usual, std::vector<TimeNs>& longer) {
    std::vector<TimeNs> longest(usual.of_peers.size());
    TimeNs most = 0;
    for (std::uint32_t n = 0; n < longer.size(); ++n) {
        longest[c.graph.rank[n]] = std::max(longest[c.graph.rank[n]], longer[n]);
        most = std::max(most, longer[n]);
    }
    const auto least = static_cast<TimeNs>(kTogether * static_cast<double>(most));
    const bool of_most =
        2 * std::ranges::count_if(longest, [&](TimeNs time) { return time > least; }) > std::ssize(longest);
    for (std::uint32_t n = 0; n < longer.size(); ++n)
        if (usual.of_peers[c.graph.rank[n]] && (of_most || longer[n] < least))
            longer[n] = 0;
}

/// Per host node: what it takes longer than usual, where that is a pause; else 0. A place where the host's time always
/// scatters has none, nor has a rank that pauses in most of its steps. A slow first step is warm-up, unless the peers
/// do the same without it.
std::vector<TimeNs> pauses_by_node(const FindingContext& c, const UsualPlaces& usual) {
    const TimeNs least = shortest_pause(c);
    std::vector<TimeNs> longer(c.graph.first_node.back());
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        std::set<std::uint32_t> steps;
        const std::vector<TimeRange> unrecorded = unrecorded_times(*c.inputs.run.ranks[r]);
        const auto profiler_paused = [&](std::uint32_t n) { // and started again with the step
            const TimeNs before = c.graph.clock.recorded(r, c.graph.start[n]) - 1;
            return std::ranges::any_of(unrecorded, [&](const TimeRange& pause) { return pause.contains(before); });
        };
        for (std::uint32_t n = c.graph.first_node[r]; n < c.graph.first_gpu_node[r]; ++n) {
            // Between steps an engine may have no requests (find_host_bound()).
            const bool between = c.graph.kind[n] == NodeKind::step_begin || c.graph.kind[n] == NodeKind::step_end;
            const bool told =
                usual.times.median[n] >= 0 && !(between && (!c.inputs.work.empty() || profiler_paused(n)));
            const TimeNs more =
                told ? own_host_time(c.graph, c.repaired.times(), n) - usual.times.median[n] : TimeNs{0};
            if (more < std::max(least, kBeyondUsual * usual.times.scatter[n]))
                continue;
            longer[n] = more;
            steps.insert(c.graph.step[n]);
        }
        if (2 * steps.size() > c.steps && c.steps > 1)
            std::fill(longer.begin() + c.graph.first_node[r], longer.begin() + c.graph.first_gpu_node[r], 0);
    }
    drop_scatter_of_ranks(c, usual, longer);
    return longer;
}

/// The host takes longer in some steps at a place where it does not in most, or its peers do not: it writes a
/// checkpoint, a log, or collects garbage that is not recorded.
std::optional<HostFault> pauses_of_hosts(const FindingContext& c) {
    if (!waits_recorded(c.graph))
        return {};
    const auto usual = std::make_shared<const UsualPlaces>(usual_places(c));
    const std::vector<TimeNs> longer = pauses_by_node(c, *usual);
    Host pauses = of_affected_steps(c, choose(c, [&](std::uint32_t n) { return longer[n]; }));
    if (pauses.count == 0)
        return {};
    const auto remove = [&c, usual, nodes = pauses.nodes](GraphTimes& changed) {
        for (const std::uint32_t n : nodes) {
            const TimeNs more = own_host_time(c.graph, changed, n) - usual->times.median[n];
            if (more <= 0)
                continue;
            const std::uint32_t edge = host_edge(c.graph, n);
            const TimeNs before = edge == kNoNode ? 0 : std::clamp<TimeNs>(changed.lag[edge], 0, more);
            if (before > 0)
                changed.lag[edge] -= before;
            changed.duration[n] -= std::min(more - before, changed.duration[n]);
        }
    };
    const Message title = pauses_words(c, pauses);
    return HostFault{
        std::move(pauses), remove, FindingCode::host_pauses, [title](const HostAmounts&) { return title; }, true, true};
}

/// Of each rank, aligned: when its GPU works. A transfer of a call counts from its last arrival on.
std::vector<IntervalSet> busy_times(const FindingContext& c) {
    std::vector<IntervalSet> busy;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        std::vector<TimeRange> work;
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            const std::uint32_t transfer = c.graph.transfer_of[n];
            work.push_back({c.graph.start[n], transfer == kNoNode ? c.graph.end(n) : c.graph.end(transfer)});
        }
        busy.push_back(merge(std::move(work)));
    }
    return busy;
}

/// Where a rank first uses a library: its nodes, and the time that a later use does not take.
struct FirstUses {
    Host host;
    std::vector<TimeNs> of_node;                           ///< of each node but transfers
    std::vector<std::pair<std::uint32_t, TimeNs>> of_edge; ///< launches: what the call itself takes longer
    std::size_t count = 0;
    std::uint32_t rank = 0; ///< of the longest
    FirstUse longest{};
};

FirstUses first_uses_of_hosts(const FindingContext& c, const std::vector<IntervalSet>& busy) {
    FirstUses result;
    result.of_node.resize(c.graph.first_node.back());
    TimeNs most = 0;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        const RankTrace& trace = *c.inputs.run.ranks[r];
        const EventTable& events = trace.events;
        std::vector<TimeRange> own_busy;
        for (const TimeRange& range : busy[r])
            own_busy.push_back(c.graph.clock.recorded(r, range));
        const std::vector<FirstUse> uses = first_uses(trace, own_busy, !c.graph.profiler_steps);
        std::vector<TimeNs> costs(uses.size());
        for (std::uint32_t n = c.graph.first_node[r]; !uses.empty() && n < c.graph.first_gpu_node[r]; ++n) {
            if (!is_in_step(c, n))
                continue;
            const std::uint32_t edge = host_edge(c.graph, n);
            const TimeNs before = edge == kNoNode ? 0 : std::max<TimeNs>(0, c.graph.times.lag[edge]);
            const TimeRange own = c.graph.clock.recorded(r, TimeRange{c.graph.start[n] - before, c.graph.end(n)});
            for (std::size_t u = 0; u < uses.size(); ++u) {
                const auto length = static_cast<double>(events.duration[uses[u].operation]);
                const auto spared = length - static_cast<double>(uses[u].later);
                const TimeNs shared = events.range(uses[u].operation).clipped_to(own).length();
                if (shared <= 0)
                    continue;
                const TimeNs cost = std::llround(static_cast<double>(shared) * spared / length);
                result.of_node[n] += cost;
                costs[u] += cost;
            }
        }
        for (std::uint32_t n = c.graph.first_gpu_node[r]; !uses.empty() && n < c.graph.first_node[r + 1]; ++n)
            for (std::uint32_t e = c.graph.first_edge[n]; e < c.graph.first_edge[n + 1]; ++e)
                if (c.graph.edges[e].kind == EdgeKind::launch)
                    if (const TimeNs cost = std::min({result.of_node[c.graph.edges[e].from], c.graph.times.lag[e],
                                                      c.graph.times.duration[c.graph.edges[e].from]});
                        cost > 0)
                        result.of_edge.emplace_back(e, cost);
        for (std::size_t u = 0; u < uses.size(); ++u) {
            result.count += costs[u] > 0 ? 1 : 0;
            if (costs[u] > most)
                std::tie(most, result.rank, result.longest) = std::tuple(costs[u], r, uses[u]);
        }
    }
    result.host = choose(c, [&](std::uint32_t n) { return result.of_node[n]; });
    return result;
}

HostFault first_use_fault(const FindingContext& c, const FirstUses& uses) {
    const RankTrace& trace = *c.inputs.run.ranks[uses.rank];
    const std::string operation = shortened(trace.event_name(uses.longest.operation), kWidthOfName);
    const std::string time = time_words(static_cast<double>(trace.events.duration[uses.longest.operation]));
    const std::string library = library_of(trace, uses.longest);
    Message title =
        library.empty()
            ? "First use: %1 takes %2 where the recording has it first, %3 of that in %4"_text(
                  operation, time, time_words(static_cast<double>(trace.events.duration[uses.longest.call])),
                  std::string(trace.event_name(uses.longest.call)))
            : "First use: %1 takes %2 where the recording has it first, as %3 is loaded"_text(operation, time, library);
    if (uses.count > 1)
        title += plural(uses.count - 1, "; %1 more first use takes long"_one,
                        "; %1 more first uses take long"_many)(uses.count - 1);
    title += "; this happens once and is no fault"_text();
    const auto remove = [nodes = uses.host.nodes, times_of = uses.host.times, edges = uses.of_edge,
                         &c](GraphTimes& times) {
        for (const auto& [edge, more] : edges)
            times.lag[edge] -= std::clamp<TimeNs>(times.lag[edge], 0, more);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::uint32_t edge = host_edge(c.graph, nodes[i]);
            const TimeNs before = edge == kNoNode ? 0 : std::clamp<TimeNs>(times.lag[edge], 0, times_of[i]);
            if (before > 0)
                times.lag[edge] -= before;
            times.duration[nodes[i]] -= std::min(times_of[i] - before, times.duration[nodes[i]]);
        }
    };
    return {uses.host, remove, FindingCode::first_use, [title](const HostAmounts&) { return title; }, true, false,
            true,      true};
}

constexpr TimeNs kLongBlock = 100'000; ///< a shorter call may wait for work that an earlier one waited for already

std::vector<HostFault> host_fault_candidates(const FindingContext& c) {
    const std::vector<IntervalSet> busy = busy_times(c);
    const FirstUses first = first_uses_of_hosts(c, busy);
    const auto duration_of = [&](NodeKind kind, bool but_first_step) {
        return choose(c, [&c, &first, kind, but_first_step](std::uint32_t n) {
            // What stragglers take more than their peers is told already.
            const bool counts = c.graph.kind[n] == kind && !(but_first_step && c.steps > 1 && c.graph.step[n] == 0);
            return counts ? c.repaired.times().duration[n] - first.of_node[n] : 0;
        });
    };
    const auto on_average = [&c](const HostAmounts& of) {
        const std::string time = time_words(of.per_step);
        return of.only_in.size() == 1          ? Message(time)
               : !c.recorded_once()            ? "%1 a step on average"_text(time)
               : c.inputs.run.ranks.size() > 1 ? "%1 on average"_text(time)
                                               : "%1 in all"_text(time);
    };
    std::vector<HostFault> faults;
    if (first.host.count > 0)
        faults.push_back(first_use_fault(c, first));
    const auto add = [&](Host all, FindingCode code, auto&& title) {
        if (all.count == 0)
            return;
        Host host = of_affected_steps(c, std::move(all));
        // Where it is there in some steps only, what it takes in the others is no part of it.
        const double mean = static_cast<double>(host.time) / rank_steps(c, host.onset.steps);
        const double part = host.onset.steps.empty() || mean <= 0 ? 1 : std::max(0.0, 1 - host.usual / mean);
        std::vector<std::pair<std::uint32_t, TimeNs>> left;
        for (std::size_t i = 0; i < host.nodes.size(); ++i)
            left.emplace_back(host.nodes[i], std::llround(part * static_cast<double>(host.times[i])));
        const auto remove = [left = std::move(left)](GraphTimes& times) {
            for (const auto& [n, time] : left)
                times.duration[n] -= std::min(time, times.duration[n]);
        };
        faults.push_back({std::move(host), remove, code, title, true, false});
    };
    add(
        duration_of(NodeKind::data_loading, false), FindingCode::data_loading,
        [&c, on_average](const HostAmounts& of) {
            return "Loading data takes the host %1, and the GPU waits for it"_text(
                of.usual > 0 ? "%1 instead of %2"_text(per_step_words(c, of.per_step, of.only_in), time_words(of.usual))
                             : on_average(of));
        });
    add(duration_of(NodeKind::garbage_collection, false), FindingCode::garbage_collection, [&c](const HostAmounts& of) {
        return "Python's garbage collection stops the host for %1"_text(per_step_words(c, of.per_step, of.only_in));
    });
    // Allocations of the first step alone are warm-up.
    Host allocations = duration_of(NodeKind::allocation, duration_of(NodeKind::allocation, true).steps * 2 < c.steps);
    const bool churn = allocations.steps * 2 >= c.steps && c.steps > 1;
    std::string longest_call;
    std::string longest;
    if (!allocations.largest.empty()) {
        const auto& [time, node] = allocations.largest.front();
        longest_call = c.inputs.run.ranks[c.graph.rank[node]]->event_name(c.graph.event[node]);
        longest = time_words(static_cast<double>(time));
    }
    const bool once = c.recorded_once();
    const bool beside_first_use = first.count > 0;
    const std::size_t told = faults.size();
    add(std::move(allocations), FindingCode::allocation_churn,
        [churn, once, beside_first_use, longest, longest_call, on_average](const HostAmounts& of) {
            if (churn)
                return "The host allocates or frees GPU memory in the steps: %1 calls a step, %2, the longest %3 of "
                       "%4; the caching allocator should keep the memory"_text(
                           fmt::format("{:.0f}", std::max(1.0, of.calls)), time_words(of.per_step), longest_call,
                           longest);
            if (once && beside_first_use)
                return "The host allocates or frees GPU memory: %1 beside the first uses, the longest %2 %3 of that"_text(
                    time_words(of.per_step), longest_call, longest);
            return once ? "The host allocates or frees GPU memory: %1, the longest %2 of %3"_text(on_average(of),
                                                                                                  longest_call, longest)
                        : "The host allocates or frees GPU memory, but not in every step: %1, the longest %2 of "
                          "%3"_text(on_average(of), longest_call, longest);
        });
    // Who uses a library for the first time fills its memory for the first time as well.
    if (faults.size() > told) {
        faults.back().no_fault = once && beside_first_use;
        faults.back().beside_first_use = beside_first_use;
    }
    if (auto pauses = pauses_of_hosts(c))
        faults.push_back(*std::move(pauses));
    const std::vector<bool> inner = inner_waits(c);
    Host waits = choose(c, [&](std::uint32_t n) -> TimeNs {
        const TimeNs length = inner[n] && !c.peers.surplus[n] ? length_of_wait(c.graph, n) : 0;
        if (length == 0)
            return 0;
        const TimeNs early = c.graph.gpu_early[c.graph.rank[n]];
        const TimeRange call{c.graph.start[n] - length, c.graph.start[n]};
        const TimeNs work = covered(busy[c.graph.rank[n]], {call.begin - early, call.end - early});
        const bool for_else = call.length() >= kLongBlock && // else the host blocks for something else than its GPU
                              static_cast<double>(work) < kMostOf * static_cast<double>(call.length());
        return for_else ? 0 : call.length();
    });
    waits = of_ranks_with_more(c, of_affected_steps(c, std::move(waits)));
    if (waits.count > 0) {
        const auto remove = [&c, nodes = waits.nodes](GraphTimes& times) { drop_waits(c.graph, nodes, times); };
        const auto title = [&c](const HostAmounts& of) {
            const bool one = c.recorded_once() || of.only_in.size() == 1;
            const std::string time = time_words(of.per_step);
            const Message together = one ? "%1 together"_text(time) : "%1 a step"_text(time);
            return c.graph.profiler_steps
                       ? "Calls that wait for the GPU hold the host up in the middle of the step, %1, for %2, and it "
                         "then launches too late"_text(times_words(c, of.calls, of.only_in), together)
                       : "Calls that wait for the GPU hold the host up, %1, for %2, and it then launches too "
                         "late"_text(times_words(c, of.calls, of.only_in), together);
        };
        // What a host that does not wait would do instead is guessed too boldly to build on.
        faults.push_back({std::move(waits), remove, FindingCode::synchronisation, title, false, false});
    }
    return faults;
}

/// Hardly anything is left of it once what is told already is mended: a host that waits for its GPU before it pauses
/// could hide the pause, if it did not wait.
bool is_same_fault(const FindingContext& c, const GraphTimes& mended, const HostFault& fault, double alone) {
    const std::vector<double> time =
        c.replays.step_times(mended, std::vector<TimesChange>{[](GraphTimes&) {}, fault.remove});
    return time[0] - time[1] < kSameFault * alone;
}

/// Its ranks are told as slow already, and hardly anything is left of it once they are not: both have one cause, as a
/// checkpoint that copies, waits and writes.
bool is_told_of_its_ranks(const FindingContext& c, const HostFault& fault, double left, double alone) {
    if (!c.repaired.changed() || left >= kSameFault * alone)
        return false;
    const std::set<std::uint32_t> ranks = few_ranks(c, fault.host);
    return !ranks.empty() && std::ranges::all_of(ranks, [&](std::uint32_t rank) {
        return std::ranges::any_of(c.repaired.told(), [&](const ToldFault& told) {
            return std::ranges::find(told.ranks, c.rank_number(rank)) != told.ranks.end();
        });
    });
}

} // namespace

TimeNs shortest_pause(const FindingContext& c) {
    return std::max<TimeNs>(kShortestPause, std::llround(kPause * c.step_time));
}

/// Each costs what it does in the recording, or, where stragglers hide it, once they are repaired; nothing below the
/// least.
void find_host_faults(const FindingContext& c, RepairedRun& repaired, std::vector<Finding>& found) {
    const std::vector<HostFault> faults = host_fault_candidates(c);
    std::vector<TimesChange> changes;
    for (const HostFault& fault : faults)
        changes.push_back(fault.remove);
    // All at once; again for those after one that is taken out.
    Replays::InBoth tries = c.repaired.changed() ? c.replays.step_times(c.graph.times, c.repaired.times(), changes)
                                                 : Replays::InBoth{c.replays.step_times(c.graph.times, changes), {}};
    const std::vector<double> alone = std::move(tries.first);
    std::vector<double> without = std::move(tries.second);
    std::optional<GraphTimes> mended; // those told so far
    for (std::size_t i = 0, tried = 0; i < faults.size(); ++i) {
        if (c.repaired.changed() && i >= tried + without.size()) {
            without = c.replays.step_times(c.repaired.times(), std::span(changes).subspan(i));
            tried = i;
        }
        const double time = c.repaired.changed() ? without[i - tried] : alone[i];
        const double in_recording = c.step_time - alone[i];
        const double cost = c.share(in_recording) >= kLeastFault ? in_recording : c.repaired.step_ns() - time;
        // What a host that does not wait would do once other faults are mended is guessed too boldly to be told.
        const bool guessed = !faults[i].repairs && c.share(in_recording) < kLeastFault;
        if (c.share(cost) < kLeastFault || guessed)
            continue;
        if (mended && is_same_fault(c, *mended, faults[i], in_recording))
            continue;
        if (is_told_of_its_ranks(c, faults[i], c.repaired.step_ns() - time, in_recording))
            continue;
        if (faults[i].repairs) {
            if (!mended)
                mended = c.graph.times;
            faults[i].remove(*mended);
            repaired.take_out(faults[i].remove);
            repaired.set_step_ns(time);
            without.clear();
        }
        found.push_back(describe(c, faults[i], cost));
        if (!found.back().ranks.empty())
            repaired.tell_of_hosts(found.back().ranks, faults[i].remove);
        found.back().hidden = c.share(in_recording) < kLeastFault;
        found.back().inherent = c.share(cost) < kUnhealthy || is_habit(c, faults[i], cost);
    }
}

namespace {

/// In the repaired run, ns per step: the time in which the busiest rank runs nothing on its GPU; what its collectives
/// wait for others counts as such.
double idle_of_busiest(const FindingContext& c) {
    const GraphTimes& times = c.repaired.times();
    const std::vector<TimeNs> start = c.repaired.changed() ? replay(c.graph, c.repaired.times()) : c.graph.start;
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
    return c.repaired.step_ns() - static_cast<double>(most) / static_cast<double>(c.steps);
}

constexpr double kEnginePause = 10;         ///< times what an engine's host usually takes from one step to the next
constexpr double kEnginePauseOfAStep = 0.5; ///< of a usual step

/// Between two steps of a serving engine the host may wait for requests, which no trace tells.
struct Pauses {
    std::vector<std::pair<std::uint32_t, TimeNs>> edges; ///< of the step graph, and what is usual there
    std::set<std::int64_t> before;                       ///< numbers of the steps
    TimeNs longest = 0;                                  ///< without what is usual
    std::uint32_t longest_end = kNoNode;                 ///< node: the end of the step before it
};

Pauses pauses_between_steps(const FindingContext& c) {
    Pauses pauses;
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

Finding describe_pauses(const FindingContext& c, const Pauses& pauses, double cost) {
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

} // namespace

namespace {

/// Most of what is recorded of the host while GPUs wait is inside one thing, and more is recorded than not.
bool is_mostly_inside(const FindingContext& c, const HostNamed& host) {
    const StepFill& fill = c.inputs.facts.fill;
    return !host.mostly_launches() && fill[StepShare::unrecorded] <= fill[StepShare::host] && !host.name.empty() &&
           2 * host.named >= host.other;
}

/// Launches are blamed only where the host makes one after the other. What is recorded of the host, facts say.
Message host_bound_words(const FindingContext& c, const HostNamed& host, double cost) {
    constexpr std::size_t kActivityWidth = 80;
    const StepFill& fill = c.inputs.facts.fill;
    if (host.mostly_launches())
        return "The GPU waits for the host: %1 would be saved if launching cost no time"_text(share_words(c, cost));
    if (fill[StepShare::unrecorded] > fill[StepShare::host])
        return "The GPU waits for the host: %1 would be saved if it took no time; what it does then is mostly not "
               "recorded"_text(share_words(c, cost));
    constexpr TimeNs kLittle = 10; // a name of less than a tenth of the time says nothing of it
    if (host.name.empty() || kLittle * host.named < host.other)
        return "The GPU waits for the host: %1 would be saved if it took no time"_text(share_words(c, cost));
    const std::string name = shortened(host.name, kActivityWidth);
    return is_mostly_inside(c, host)
               ? "The GPU waits for the host, which is mostly inside %1: %2 would be saved if it took no time"_text(
                     name, share_words(c, cost))
               : "The GPU waits for the host, which does many things then, the longest inside %1: %2 would be saved if "
                 "it took no time"_text(name, share_words(c, cost));
}

/// Whether steps of the rank are known: a device that only copies beside the others has none. All, where none has any.
std::vector<bool> ranks_with_steps(const FindingContext& c) {
    std::vector<bool> with(c.inputs.run.ranks.size());
    const auto& windows = c.inputs.steps.windows;
    for (std::size_t r = 0; r < windows.size(); ++r)
        with[r] = !windows[r].empty();
    if (std::ranges::find(with, true) == with.end())
        with.assign(with.size(), true);
    return with;
}

/// What their hosts do keeps GPUs waiting also once the faults that are told are gone. All ranks, where none is
/// without. Indices.
std::vector<std::uint32_t> ranks_without_faults(const FindingContext& c) {
    std::vector<std::uint32_t> ranks;
    const std::vector<bool> with_steps = ranks_with_steps(c);
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r) {
        if (!with_steps[r])
            continue;
        const auto concerns = [&](const ToldFault& told) {
            return std::ranges::find(told.ranks, c.rank_number(r)) != told.ranks.end();
        };
        if (std::ranges::none_of(c.repaired.told(), concerns) &&
            std::ranges::none_of(c.repaired.told_of_hosts(), concerns))
            ranks.push_back(r);
    }
    if (ranks.empty())
        for (std::uint32_t r = 0; r < with_steps.size(); ++r)
            if (with_steps[r])
                ranks.push_back(r);
    return ranks;
}

/// What the host costs beyond the time in which its own GPU is idle: ranks wait for others whose hosts are late. Empty
/// where that is next to nothing.
Message waits_for_hosts_words(const FindingContext& c, double cost) {
    const StepFill& fill = c.inputs.facts.fill;
    // Without steps, facts count from the first GPU work on, and costs from its launch on.
    const double beyond = cost - fill.idle_ns() - std::max(0.0, c.step_time - fill.step_ns);
    return beyond < kNearlyAlike * cost
               ? Message()
               : "; at least %1 of that is waiting for ranks whose hosts are late"_text(time_words(beyond));
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
    const double paused = pauses.edges.empty() ? 0 : std::max(0.0, c.repaired.saved_ns(without_pauses));
    if (c.share(paused) >= kLeastInherent)
        found.push_back(describe_pauses(c, pauses, paused));
    // A host that is never seen to wait for its GPU may do so in a way that is not recorded, and the replay takes it
    // for one that works. Then it saves no more than the time in which the busiest GPU does nothing.
    const double saved = c.repaired.saved_ns([&](GraphTimes& times) {
        without_pauses(times);
        scale_host(c.graph, 0, false, times);
    }) - paused;
    const double cost = c.share(saved) < kLeastInherent || waits_recorded(c.graph)
                            ? saved
                            : std::min(saved, idle_of_busiest(c) - paused);
    if (c.share(cost) < kLeastInherent)
        return;
    TimeNs waited = 0;
    std::pair<TimeNs, std::uint32_t> longest{0, 0};
    const auto& idle = c.inputs.idle_causes;
    for (std::uint32_t r = 0; r < idle.size(); ++r)
        for (const StreamIdle& stream : idle[r])
            waited += stream.causes[static_cast<std::size_t>(IdleCause::host_wait)].time;
    Finding finding;
    finding.code = FindingCode::host_bound;
    finding.inherent = true;
    const std::vector<bool> with_steps = ranks_with_steps(c);
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (c.graph.kind[n] == NodeKind::launch && with_steps[c.graph.rank[n]] &&
            (!c.graph.profiler_steps || c.graph.step[n] != kNoNode)) {
            const TimeNs time = host_time(c.graph, n);
            if (time > longest.first)
                longest = {time, n};
        }
    }
    const HostNamed host = name_host_time(c, ranks_without_faults(c));
    finding.facts = {{FactName::host_wait_us_all_streams, static_cast<double>(waited) / 1000, {}},
                     {FactName::longest_before_a_launch_us, static_cast<double>(longest.first) / 1000, {}}};
    if (is_mostly_inside(c, host))
        finding.facts.push_back({FactName::host_is_in, 0, host.name});
    if (!host.mostly_launches() && host.longest.event != kNoEvent)
        finding.events.push_back(host.longest);
    if (longest.first > 0)
        finding.events.push_back(c.event(longest.second));
    finding.cost = cost;
    finding.confidence = 0.8;
    hold_to_bound(c, finding); // which the sentence is about
    finding.title = host_bound_words(c, host, finding.cost);
    finding.title += waits_for_hosts_words(c, finding.cost);
    if (python_stacks_recorded(c.inputs.run))
        finding.title += "; Python stacks were recorded, which slows the host"_text();
    found.push_back(std::move(finding));
}

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
