// SPDX-License-Identifier: GPL-3.0-or-later
// Joins an execution trace with the events of its rank: by rf_id, or, where the two were numbered apart, by thread,
// order and name.
#include <algorithm>
#include <map>
#include <set>

#include "core/base/seeded_hash.h"
#include "core/input/execution_trace/execution_trace.h"

namespace rankscope {
namespace {

/// Per event of the rank (its index in RankBuilder::events) the node, or nullptr.
using Join = std::vector<const ExecutionNode*>;

bool is_recorded(const RawEvent& event) {
    return (event.kind == EventKind::cpu_op || event.kind == EventKind::annotation) && event.external_id >= 0;
}

/// Threads of the execution trace and the profiler's frame around it carry no operator.
bool is_operator(const ExecutionNode& node) { return node.record > 0 && !node.name.starts_with("[pytorch|"); }

bool is_collective_kernel(std::string_view name) {
    return name.find("nccl") != std::string_view::npos || name.find("rccl") != std::string_view::npos;
}

/// Empty when the ids do not mean the same: fewer than nine of ten operators that share one have the same name.
Join joined_by_id(const ExecutionTrace& trace, RankBuilder& rank) {
    NumberMap<std::int64_t, const ExecutionNode*> nodes;
    for (const ExecutionNode& node : trace.nodes)
        if (is_operator(node))
            nodes.emplace(node.record, &node);
    Join join(rank.events().size(), nullptr);
    std::int64_t shared = 0, same = 0;
    for (std::size_t i = 0; i < join.size(); ++i) {
        const RawEvent event = rank.events()[i];
        const auto node = is_recorded(event) ? nodes.find(event.external_id) : nodes.end();
        if (node == nodes.end())
            continue;
        ++shared;
        if (node->second->name == rank.names().view(event.name)) {
            ++same;
            join[i] = node->second;
        }
    }
    return same * 10 >= shared * 9 && same > 0 ? join : Join{};
}

using NodeThread = std::vector<const ExecutionNode*>; ///< in order
using EventThread = std::vector<std::size_t>;         ///< likewise

/// Walks both sequences; where they part it looks for the nearest place from which three names in a row agree.
void align(const NodeThread& nodes, const EventThread& events, RankBuilder& rank, Join& join) {
    constexpr std::size_t kSearched = 400;
    constexpr std::size_t kAgreeing = 3;
    const auto agree = [&](std::size_t n, std::size_t e) {
        for (std::size_t k = 0; k < kAgreeing; ++k) {
            const bool ends = n + k >= nodes.size() || e + k >= events.size();
            if (ends)
                return k > 0;
            if (nodes[n + k]->name != rank.names().view(rank.events()[events[e + k]].name))
                return false;
        }
        return true;
    };
    std::size_t n = 0, e = 0;
    while (n < nodes.size() && e < events.size()) {
        if (nodes[n]->name == rank.names().view(rank.events()[events[e]].name)) {
            join[events[e++]] = nodes[n++];
            continue;
        }
        std::size_t skip_n = 1, skip_e = 1;
        bool found = false;
        for (std::size_t distance = 1; distance < kSearched && !found; ++distance)
            for (std::size_t on_nodes = 0; on_nodes <= distance && !found; ++on_nodes)
                if (agree(n + on_nodes, e + distance - on_nodes)) {
                    skip_n = on_nodes;
                    skip_e = distance - on_nodes;
                    found = true;
                }
        n += skip_n;
        e += skip_e;
    }
}

Join joined_by_order(const ExecutionTrace& trace, RankBuilder& rank) {
    std::map<std::int64_t, NodeThread> node_threads;
    for (const ExecutionNode& node : trace.nodes)
        if (is_operator(node))
            node_threads[node.thread].push_back(&node);
    std::map<TrackId, EventThread> event_threads;
    for (std::size_t i = 0; i < rank.events().size(); ++i)
        if (is_recorded(rank.events()[i]))
            event_threads[rank.events()[i].track].push_back(i);
    for (auto& [thread, nodes] : node_threads)
        std::ranges::stable_sort(nodes, {}, &ExecutionNode::record);
    for (auto& [track, events] : event_threads)
        std::ranges::stable_sort(events, [&](std::size_t a, std::size_t b) {
            const RawEvent x = rank.events()[a];
            const RawEvent y = rank.events()[b];
            return x.start != y.start         ? x.start < y.start
                   : x.duration != y.duration ? x.duration > y.duration
                                              : x.external_id < y.external_id;
        });
    // The two number threads differently: those with the most names in common belong together.
    Join join(rank.events().size(), nullptr);
    std::set<TrackId> taken;
    for (const auto& [thread, nodes] : node_threads) {
        std::map<std::string_view, std::int64_t> counts;
        for (const ExecutionNode* node : nodes)
            ++counts[node->name];
        std::int64_t best = 0;
        const std::pair<const TrackId, EventThread>* chosen = nullptr;
        for (const auto& candidate : event_threads) {
            if (taken.contains(candidate.first))
                continue;
            std::map<std::string_view, std::int64_t> left = counts;
            std::int64_t common = 0;
            for (const std::size_t i : candidate.second)
                if (const auto at = left.find(rank.names().view(rank.events()[i].name));
                    at != left.end() && at->second > 0) {
                    --at->second;
                    ++common;
                }
            if (common > best) {
                best = common;
                chosen = &candidate;
            }
        }
        if (chosen == nullptr)
            continue;
        taken.insert(chosen->first);
        align(nodes, chosen->second, rank, join);
    }
    return join;
}

/// Sizes for the kernels of collectives: the node of the innermost operator around their launch that has one.
std::int64_t add_sizes(const Join& join, RankBuilder& rank) {
    const auto& events = rank.events();
    std::map<TrackId, std::vector<std::size_t>> calls_around; ///< events with a collective's node, by start
    NumberMap<std::int64_t, std::size_t> by_external;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (join[i] != nullptr && join[i]->collective) {
            calls_around[events[i].track].push_back(i);
            by_external.emplace(events[i].external_id, i);
        }
    for (auto& [track, around] : calls_around)
        std::ranges::stable_sort(around, {}, [&](std::size_t i) { return events[i].start; });
    NumberMap<std::int64_t, std::size_t> launch_of;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (is_launch_call(events[i].kind) && events[i].correlation >= 0)
            launch_of[events[i].correlation] = i;
    const std::vector<std::uint32_t> known_list = rank.ordinals_with_collective();
    const PlaceSet<std::uint32_t> known(known_list.begin(), known_list.end());
    std::int64_t added = 0;
    for (std::size_t k = 0; k < events.size(); ++k) {
        const RawEvent& kernel = events[k];
        if (kernel.kind != EventKind::kernel || known.contains(kernel.ordinal) ||
            !is_collective_kernel(rank.names().view(kernel.name)))
            continue;
        std::size_t source = events.size();
        if (const auto external = by_external.find(kernel.external_id);
            kernel.external_id != kernel.correlation && external != by_external.end())
            source = external->second;
        const auto launch = launch_of.find(kernel.correlation);
        if (source == events.size() && launch != launch_of.end()) {
            const RawEvent& call = events[launch->second];
            const auto& around = calls_around[call.track];
            auto at = std::ranges::upper_bound(around, call.start, {}, [&](std::size_t i) { return events[i].start; });
            for (int tried = 0; at != around.begin() && tried < 64 && source == events.size(); ++tried) {
                --at;
                if (events[*at].start + events[*at].duration >= call.start)
                    source = *at;
            }
        }
        if (source == events.size())
            continue;
        const NodeCollective& from = *join[source]->collective;
        CollectiveArgs args;
        args.collective = rank.names().intern(from.name);
        args.dtype = rank.names().intern(from.dtype);
        args.in_elements = from.in_elements;
        args.out_elements = from.out_elements;
        args.group_size = from.group_size;
        if (!from.group_name.empty() || !from.group_description.empty())
            args.group = rank.process_group({from.group_name,
                                             from.group_description,
                                             {},
                                             static_cast<int>(std::clamp<std::int64_t>(from.group_size, 0, 1 << 20))});
        rank.add_collective(kernel.ordinal, args);
        ++added;
    }
    return added;
}

} // namespace

JoinReport join_execution_trace(const ExecutionTrace& trace, RankBuilder& rank) {
    JoinReport report;
    Join join = joined_by_id(trace, rank);
    if (join.empty()) {
        report.by_id = false;
        join = joined_by_order(trace, rank);
    }
    std::int64_t all_joined = 0, all = 0;
    for (std::size_t i = 0; i < join.size(); ++i) {
        const bool is_op = rank.events()[i].kind == EventKind::cpu_op;
        all += is_recorded(rank.events()[i]);
        all_joined += join[i] != nullptr;
        report.events += is_op;
        report.joined += is_op && join[i] != nullptr;
    }
    // Names that meet by chance join two recordings of different programs: nothing may be taken over then.
    if (all_joined * 2 < all) {
        report.joined = 0;
        return report;
    }
    PlaceMap<std::uint32_t, OperatorInputs> inputs;
    for (std::size_t i = 0; i < join.size(); ++i)
        if (join[i] != nullptr && !join[i]->shapes.empty()) {
            OperatorInputs entry;
            entry.dims = rank.names().intern(join[i]->shapes);
            entry.types = rank.names().intern(join[i]->types);
            entry.sequence = join[i]->sequence >= 0 ? join[i]->sequence : kUnknown;
            inputs.emplace(rank.events()[i].ordinal, entry);
        }
    report.shapes = rank.complete_inputs(std::move(inputs));
    report.sizes = add_sizes(join, rank);
    return report;
}

} // namespace rankscope
