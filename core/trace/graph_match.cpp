// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/graph_match.h"

#include <algorithm>

namespace rankscope {
namespace {

/// Of two sequences of lengths a and b so many cells are looked at; longer ones that differ are not matched.
constexpr std::size_t kMostCells = 16u << 20;

bool same_node(const CapturedNode& captured, const ReplayedNode& replayed) {
    return captured.kind == replayed.kind &&
           (captured.kind != EventKind::kernel || captured.name.empty() || captured.name == replayed.name);
}

bool has_unnamed_kernel(const CapturedGraph& graph) {
    return std::ranges::any_of(
        graph.nodes, [](const CapturedNode& n) { return n.kind == EventKind::kernel && n.name.empty(); });
}

/// Joins the longest common subsequence of nodes[a_from, a_to) and replay[b_from, b_to).
void join_common(const CapturedGraph& graph, std::span<const ReplayedNode> replay, std::size_t a_from, std::size_t a_to,
                 std::size_t b_from, std::size_t b_to, GraphMatch& match) {
    const std::size_t rows = a_to - a_from;
    const std::size_t columns = b_to - b_from;
    if (rows == 0 || columns == 0 || rows > kMostCells / columns)
        return;
    // longest[i][j]: of what stands behind i and j
    std::vector<std::uint32_t> longest((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return longest[i * (columns + 1) + j]; };
    const auto same = [&](std::size_t i, std::size_t j) {
        return same_node(graph.nodes[a_from + i], replay[b_from + j]);
    };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) = same(i, j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows && j < columns;)
        if (same(i, j))
            match.node_of[b_from + j++] = static_cast<std::int32_t>(a_from + i++);
        else
            ++(at(i + 1, j) >= at(i, j + 1) ? i : j);
}

} // namespace

GraphMatch match_replay(const CapturedGraph& graph, std::span<const ReplayedNode> replay) {
    GraphMatch match;
    match.node_of.assign(replay.size(), -1);
    match.named = !has_unnamed_kernel(graph);
    const std::size_t shorter = std::min(graph.nodes.size(), replay.size());
    std::size_t prefix = 0;
    while (prefix < shorter && same_node(graph.nodes[prefix], replay[prefix])) {
        match.node_of[prefix] = static_cast<std::int32_t>(prefix);
        ++prefix;
    }
    match.complete = prefix == replay.size() && prefix == graph.nodes.size();
    if (!match.complete && match.named) {
        std::size_t suffix = 0;
        while (prefix + suffix < shorter &&
               same_node(graph.nodes[graph.nodes.size() - 1 - suffix], replay[replay.size() - 1 - suffix])) {
            ++suffix;
            match.node_of[replay.size() - suffix] = static_cast<std::int32_t>(graph.nodes.size() - suffix);
        }
        join_common(graph, replay, prefix, graph.nodes.size() - suffix, prefix, replay.size() - suffix, match);
    }
    match.matched = std::ranges::count_if(match.node_of, [](std::int32_t node) { return node >= 0; });
    const bool enough =
        match.named ? 10 * match.matched >= 9 * static_cast<std::int64_t>(replay.size()) : match.complete;
    if (!enough) {
        match.node_of.assign(replay.size(), -1);
        match.matched = 0;
    }
    return match;
}

} // namespace rankscope
