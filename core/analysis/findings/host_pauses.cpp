// SPDX-License-Identifier: GPL-3.0-or-later
// Where and in which steps hosts pause, beside what they take there in other steps, or their peers do.
#include "core/analysis/findings/host_pauses.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/host_synchronisation.h"
#include "core/analysis/usual/times_of_steps.h"
#include "core/trace/unrecorded.h"

namespace rankscope {
namespace {

constexpr double kPause = 0.02;            ///< of a step, that the host takes longer than usual at one place
constexpr TimeNs kShortestPause = 100'000; ///< and this
constexpr TimeNs kBeyondUsual = 8;         ///< and times what it scatters by there, in median deviations; where the
                                           ///< peers tell what is usual, times that

/// "The hosts of ranks 1 and 2 pause in steps 8 and 10 ...".
Message pauses_words(const FindingContext& c, const HostTimes& pauses) {
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

} // namespace

TimeNs shortest_pause(const FindingContext& c) {
    return std::max<TimeNs>(kShortestPause, std::llround(kPause * c.step_time));
}

std::optional<HostFault> pauses_of_hosts(const FindingContext& c) {
    if (!waits_recorded(c.graph))
        return {};
    const auto usual = std::make_shared<const UsualPlaces>(usual_places(c));
    const std::vector<TimeNs> longer = pauses_by_node(c, *usual);
    HostTimes pauses = of_affected_steps(c, host_times(c, [&](std::uint32_t n) { return longer[n]; }));
    if (pauses.count == 0)
        return {};
    const auto remove = [&c, usual, nodes = pauses.nodes](GraphTimes& changed) {
        for (const std::uint32_t n : nodes) {
            const TimeNs more = own_host_time(c.graph, changed, n) - usual->times.median[n];
            if (more > 0)
                shorten_host(c.graph, n, more, changed);
        }
    };
    const Message title = pauses_words(c, pauses);
    return HostFault{
        std::move(pauses), remove, FindingCode::host_pauses, [title](const HostAmounts&) { return title; }, true, true};
}

} // namespace rankscope
