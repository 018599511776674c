// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the same piece of work in each step: the n-th of a name and kind.
#include "core/analysis/usual/times_of_steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/usual/compared_work.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {

namespace {

constexpr double kMostOfLater = 0.95; ///< of the kernels of later steps: what more is, is more than they scatter

} // namespace

std::vector<TimeNs> times_of_later_steps(const Run& run, const StepGraph& graph, const GraphTimes& times,
                                         const std::vector<char>& alike) {
    std::vector<TimeNs> usual(graph.size(), -1);
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t r) {
        struct Place {
            std::uint32_t first = kNoNode; ///< its node in the first step
            std::vector<TimeNs> later;
        };
        NumberMap<std::uint64_t, std::vector<Place>> places; // by name and kind, then occurrence
        NumberMap<std::uint64_t, std::size_t> occurrence;
        std::uint32_t step = kNoNode;
        const auto first_step = static_cast<std::size_t>(
            std::ranges::lower_bound(graph.steps, static_cast<std::uint32_t>(r), {}, &GraphStep::rank) -
            graph.steps.begin());
        const auto counts = [&](std::uint32_t later) {
            const std::size_t at = first_step + later;
            return alike.empty() || (at < alike.size() && alike[at] != 0);
        };
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_node[r + 1]; ++n) {
            const NodeKind kind = graph.kind[n];
            if (!is_compared(kind) || kind == NodeKind::wait_end || graph.event[n] == kNoEvent ||
                graph.step[n] == kNoNode)
                continue;
            if (graph.step[n] != step) {
                step = graph.step[n];
                occurrence.clear();
            }
            const std::uint64_t key = std::uint64_t{compared_name(*run.ranks[r], kind, graph.event[n])} << 8 |
                                      static_cast<std::uint64_t>(kind);
            const std::size_t place = occurrence[key]++;
            std::vector<Place>& of_key = places[key];
            of_key.resize(std::max(of_key.size(), place + 1));
            if (step == 0)
                of_key[place].first = n;
            else if (of_key[place].first != kNoNode && counts(step))
                of_key[place].later.push_back(compared_time(graph, times, n));
        }
        for (auto& [key, of_key] : places) {
            std::vector<double> ratios; // of computation in later steps, to what is usual at its place
            TimeNs longest = 0;         // of all places
            for (const Place& place : of_key) {
                if (place.first == kNoNode || place.later.size() < 2)
                    continue;
                const TimeNs median = usual[place.first] = upper_median(place.later);
                if (graph.kind[place.first] == NodeKind::compute && median > 0)
                    for (const TimeNs time : place.later) {
                        ratios.push_back(static_cast<double>(time) / static_cast<double>(median));
                        longest = std::max(longest, time);
                    }
            }
            if (ratios.empty())
                continue;
            const double most = nearest_rank_percentile(std::move(ratios), kMostOfLater);
            for (const Place& place : of_key)
                if (place.first != kNoNode && usual[place.first] > 0) {
                    const TimeNs own = times.duration[place.first];
                    const bool scatters =
                        static_cast<double>(own) <= most * static_cast<double>(usual[place.first]) ||
                        (place.later.size() < kStepsOfScatter && own <= longest); // few steps show little of a place
                    if (scatters)
                        usual[place.first] = own;
                }
        }
    });
    return usual;
}

TimeNs own_host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node) {
    const NodeKind kind = graph.kind[node];
    if (!is_host_node(kind) || kind == NodeKind::wait_end)
        return -1;
    const std::uint32_t edge = host_edge(graph, node);
    const bool with_call = kind == NodeKind::launch || kind == NodeKind::wait_begin;
    return (edge == kNoNode ? 0 : times.lag[edge]) + (with_call ? times.duration[node] : 0);
}

UsualHostTimes usual_host_times(const Run& run, const StepGraph& graph, const GraphTimes& times) {
    UsualHostTimes usual{std::vector<TimeNs>(graph.size(), -1), std::vector<TimeNs>(graph.size())};
    std::vector<std::size_t> steps(run.ranks.size());
    for (const GraphStep& step : graph.steps)
        ++steps[step.rank];
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t r) {
        if (!graph.profiler_steps || steps[r] < kStepsThatTell)
            return;
        std::map<std::pair<std::uint64_t, std::size_t>, std::vector<std::uint32_t>> places; // key, n-th of a step
        NumberMap<std::uint64_t, std::size_t> occurrence;
        std::uint32_t last = kNoNode;
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_gpu_node[r]; ++n) {
            if (graph.step[n] == kNoNode || own_host_time(graph, times, n) < 0)
                continue;
            if (std::exchange(last, graph.step[n]) != graph.step[n])
                occurrence.clear();
            // Steps have numbers in their names.
            const bool border = graph.kind[n] == NodeKind::step_begin || graph.kind[n] == NodeKind::step_end;
            const std::uint64_t name =
                border || graph.event[n] == kNoEvent ? 0 : compared_name(*run.ranks[r], graph.kind[n], graph.event[n]);
            const std::uint64_t key = name << 8 | static_cast<std::uint64_t>(graph.kind[n]);
            places[{key, occurrence[key]++}].push_back(n);
        }
        for (const auto& [place, nodes] : places) {
            std::vector<TimeNs> own;
            for (const std::uint32_t n : nodes)
                own.push_back(own_host_time(graph, times, n));
            const bool rare = 2 * nodes.size() <= steps[r];
            const TimeNs median = rare ? 0 : lower_median(own);
            for (TimeNs& time : own)
                time = std::abs(time - median);
            const TimeNs scatter = rare ? 0 : lower_median(std::move(own));
            for (const std::uint32_t n : nodes) {
                usual.median[n] = median;
                usual.scatter[n] = scatter;
            }
        }
    });
    return usual;
}

} // namespace rankscope
