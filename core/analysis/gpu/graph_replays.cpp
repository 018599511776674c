// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gpu/graph_replays.h"

#include <algorithm>
#include <compare>
#include <map>

#include "core/analysis/basics/intervals.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The work of one launch: stream by stream, each in order of start.
struct Launch {
    std::size_t rank = 0;
    NameId name = 0; ///< of its slice
    std::vector<const GpuSlice*> work;
    const GpuSlice* first = nullptr; ///< that started first
};

using Sequence = std::vector<std::pair<NameId, EventKind>>;

/// Orders the work by streams, which interleave otherwise in each replay: those with more work first, else by names.
/// Returns the sequences of the streams.
std::vector<Sequence> order_by_streams(const RankTrace& rank, Launch& launch) {
    std::map<const Lane*, std::vector<const GpuSlice*>> by_lane;
    for (const GpuSlice* slice : launch.work)
        by_lane[&rank.lane_of(slice->event)].push_back(slice);
    std::vector<std::vector<const GpuSlice*>> streams;
    for (auto& [lane, work] : by_lane)
        streams.push_back(std::move(work));
    const auto comes_first = [&](const auto& a, const auto& b) {
        if (a.size() != b.size())
            return a.size() > b.size();
        for (std::size_t k = 0; k < a.size(); ++k)
            if (const auto by_name = rank.event_name(a[k]->event) <=> rank.event_name(b[k]->event); by_name != 0)
                return by_name < 0;
        return a.front()->range.begin < b.front()->range.begin;
    };
    std::ranges::sort(streams, comes_first);
    launch.first = launch.work.front();
    launch.work.clear();
    std::vector<Sequence> sequences;
    for (const auto& work : streams) {
        sequences.emplace_back();
        for (const GpuSlice* slice : work) {
            sequences.back().emplace_back(rank.events.name[slice->event], rank.events.kind[slice->event]);
            launch.work.push_back(slice);
        }
    }
    return sequences;
}

bool launches_graph(std::string_view name) { return name.find("GraphLaunch") != std::string_view::npos; }

EventIndex operator_in_capture(const RankTrace& rank, EventIndex event) {
    const EventIndex op = rank.gpu.operator_event[event];
    return op != kNoEvent && rank.events.kind[op] == EventKind::captured_op ? op : kNoEvent;
}

} // namespace

GraphAnalysis analyse_graphs(const Run& run, std::span<const std::span<const GpuSlice>> work) {
    GraphAnalysis result;
    std::map<std::vector<Sequence>, std::vector<Launch>> launches_of;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        NumberMap<TimeNs, NameId> slice_at; // the slice of a launch starts with its first work on a stream
        for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i)
            if (rank.events.kind[i] == EventKind::graph_launch)
                slice_at[rank.events.start[i]] = rank.events.name[i];
        PlaceMap<NameId, bool> is_graph;
        PlaceMap<EventIndex, Launch> launches;
        PlaceMap<EventIndex, std::size_t> cut;
        for (const GpuSlice& slice : work[r]) {
            result.gpu_total += slice.range.length();
            const EventIndex call = rank.events.link[slice.event];
            if (call == kNoEvent)
                continue;
            const auto [known, added] = is_graph.try_emplace(rank.events.name[call]);
            if (added)
                known->second = launches_graph(rank.event_name(call));
            if (!known->second)
                continue;
            result.in_graphs += slice.range.length();
            if (operator_in_capture(rank, slice.event) != kNoEvent)
                result.attributed += slice.range.length();
            Launch& launch = launches[call];
            launch.rank = r;
            launch.work.push_back(&slice);
            cut[call] += slice.range.length() != rank.events.duration[slice.event];
        }
        for (auto& [call, launch] : launches) {
            ++result.launches;
            if (cut[call] > 0)
                continue;
            std::vector<Sequence> sequences = order_by_streams(rank, launch);
            const auto slice = slice_at.find(launch.first->range.begin);
            launch.name = slice == slice_at.end() ? 0 : slice->second;
            launches_of[std::move(sequences)].push_back(std::move(launch));
        }
    }
    for (auto& [sequences, launches] : launches_of) {
        std::ranges::sort(launches, {}, [](const Launch& l) { return std::pair(l.rank, l.first->range.begin); });
        GraphStatistics graph;
        graph.name = launches.front().name;
        graph.nodes.resize(launches.front().work.size());
        std::vector<std::vector<TimeNs>> of_node(graph.nodes.size());
        std::vector<TimeNs> lengths, busy;
        for (const Launch& launch : launches) {
            const RankTrace& rank = *run.ranks[launch.rank];
            GraphReplay replay{launch.rank, launch.first->range, 0, launch.first->event};
            std::vector<TimeRange> ranges;
            for (std::size_t k = 0; k < launch.work.size(); ++k) {
                const GpuSlice& slice = *launch.work[k];
                ranges.push_back(slice.range);
                replay.range.end = std::max(replay.range.end, slice.range.end);
                of_node[k].push_back(slice.range.length());
                graph.total += slice.range.length();
                graph.nodes[k].name = rank.events.name[slice.event];
                if (const EventIndex op = operator_in_capture(rank, slice.event); op != kNoEvent) {
                    graph.attributed += slice.range.length();
                    graph.nodes[k].op = rank.events.name[op];
                }
            }
            replay.busy = measure(merge(std::move(ranges)));
            lengths.push_back(replay.range.length());
            busy.push_back(replay.busy);
            graph.replays.push_back(replay);
        }
        for (std::size_t k = 0; k < of_node.size(); ++k) {
            GraphNodeStatistics& node = graph.nodes[k];
            for (const TimeNs time : of_node[k])
                node.total += time;
            node.min = std::ranges::min(of_node[k]);
            node.max = std::ranges::max(of_node[k]);
            node.median = middle_median(std::move(of_node[k]));
        }
        graph.slowest = static_cast<std::size_t>(std::ranges::max_element(lengths) - lengths.begin());
        graph.min = std::ranges::min(lengths);
        graph.max = std::ranges::max(lengths);
        graph.median = middle_median(std::move(lengths));
        graph.median_busy = middle_median(std::move(busy));
        result.graphs.push_back(std::move(graph));
    }
    std::ranges::stable_sort(result.graphs, [](const GraphStatistics& a, const GraphStatistics& b) {
        return std::tuple(-a.total, a.replays.front().rank, a.replays.front().range.begin) <
               std::tuple(-b.total, b.replays.front().rank, b.replays.front().range.begin);
    });
    return result;
}

} // namespace rankscope
