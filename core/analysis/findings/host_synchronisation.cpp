// SPDX-License-Identifier: GPL-3.0-or-later
// Waits of hosts for their GPUs: which are in the middle of a step, and whether a few ranks wait far more often.
#include "core/analysis/findings/host_synchronisation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "core/analysis/basics/tolerance.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kManyMore = 2;        ///< times the calls that ranks usually have
constexpr double kAsMuch = 0.8;        ///< of what all save
constexpr TimeNs kLongBlock = 100'000; ///< a shorter call may wait for work that an earlier one waited for already

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

/// Where at most half of the ranks wait many times more often than the others, and it saves as much if they alone do
/// not: leaves their waits.
HostTimes of_ranks_with_more(const FindingContext& c, HostTimes waits) {
    std::vector<std::int64_t> calls(c.inputs.run.ranks.size());
    for (const std::uint32_t n : waits.nodes)
        ++calls[c.graph.rank[n]];
    const auto usual = static_cast<double>(upper_median(calls));
    const auto has_more = [&](std::uint32_t n) {
        return static_cast<double>(calls[c.graph.rank[n]]) >= kManyMore * usual;
    };
    if (usual == 0)
        return waits;
    HostTimes theirs = part_of_host(c, waits, has_more);
    if (theirs.count == 0)
        return waits;
    const auto without = [&c](const HostTimes& host) {
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

} // namespace

bool waits_recorded(const StepGraph& graph) {
    return std::ranges::find(graph.kind, NodeKind::wait_end) != graph.kind.end();
}

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

std::optional<HostFault> synchronisation_of_hosts(const FindingContext& c, const std::vector<IntervalSet>& busy) {
    const std::vector<bool> inner = inner_waits(c);
    HostTimes waits = host_times(c, [&](std::uint32_t n) -> TimeNs {
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
    if (waits.count == 0)
        return {};
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
    return HostFault{std::move(waits), remove, FindingCode::synchronisation, title, false, false};
}

} // namespace rankscope
