// SPDX-License-Identifier: GPL-3.0-or-later
// How long others take for what a rank does.
#include "core/analysis/replay/usual_times.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/statistics.h"

namespace rankscope {

UsualTimes usual_times(const StepGraph& graph, const PeerTimes& peers,
                       std::span<const CommunicationNode> communication) {
    UsualTimes usual{std::vector<TimeNs>(graph.size(), -1), std::vector<TimeNs>(graph.size(), -1)};
    for (std::uint32_t node = 0; node < std::min<std::size_t>(peers.expected.size(), graph.size()); ++node) {
        const NodeKind kind = graph.kind[node];
        const bool call = kind == NodeKind::launch || kind == NodeKind::wait_begin; // expected holds the way to it too
        if (call)
            usual.way[node] =
                peers.expected[node] < 0 ? -1 : std::max<TimeNs>(0, peers.expected[node] - graph.times.duration[node]);
        else if (node < peers.expected_before.size())
            usual.way[node] = peers.expected_before[node];
        if (!call && kind != NodeKind::wait_end && kind != NodeKind::step_begin && kind != NodeKind::step_end)
            usual.node[node] = peers.expected[node];
    }
    using Alike = std::tuple<CollectiveKind, ParallelDimension, std::int64_t>;
    const auto alike = [](const CommunicationNode& node) { return Alike{node.kind, node.dimension, node.bytes}; };
    std::map<Alike, std::vector<TimeNs>> times;
    for (const CommunicationNode& node : communication)
        if (!node.lone)
            times[alike(node)].push_back(graph.times.duration[node.node]);
    std::map<Alike, TimeNs> medians;
    for (const auto& [key, list] : times)
        medians[key] = middle_median(list);
    for (const CommunicationNode& node : communication)
        if (!node.lone)
            usual.node[node.node] = medians.at(alike(node));
    return usual;
}

} // namespace rankscope
