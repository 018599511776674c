// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/graph_match.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

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

bool on_several_streams(std::span<const ReplayedNode> replay) {
    return std::ranges::any_of(
        replay, [&](const ReplayedNode& n) { return n.stream != replay.front().stream; });
}

/// What a node is matched by: copies and sets by kind alone.
using NodeKey = std::pair<EventKind, std::string_view>;
NodeKey key_of(EventKind kind, std::string_view name) {
    return {kind, kind == EventKind::kernel ? name : std::string_view()};
}

/// Matches the work of several streams.
class StreamMatch {
public:
    StreamMatch(const CapturedGraph& graph, std::span<const ReplayedNode> replay, std::vector<std::int32_t>& node_of)
        : replay_(replay), node_of_(node_of) {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            captured_[key_of(graph.nodes[i].kind, graph.nodes[i].name)].push_back(static_cast<std::int32_t>(i));
        for (std::size_t i = 0; i < replay.size(); ++i) {
            replayed_[key_of(replay[i].kind, replay[i].name)].push_back(i);
            streams_[replay[i].stream].push_back(i);
        }
        taken_.resize(graph.nodes.size());
    }

    void run() {
        for (const auto& [key, places] : replayed_) {
            const auto found = captured_.find(key);
            const bool one_stream = std::ranges::all_of(
                places, [&](std::size_t i) { return replay_[i].stream == replay_[places.front()].stream; });
            if (one_stream && found != captured_.end() && found->second.size() == places.size())
                for (std::size_t k = 0; k < places.size(); ++k)
                    join(places[k], found->second[k]);
        }
        while (keeps_order() && join_between_neighbours()) {
        }
        if (!keeps_order())
            std::ranges::fill(node_of_, -1);
    }

private:
    void join(std::size_t place, std::int32_t node) {
        node_of_[place] = node;
        taken_[static_cast<std::size_t>(node)] = true;
    }

    [[nodiscard]] bool keeps_order() const {
        return std::ranges::all_of(
            streams_,
            [&](const auto& stream) {
                std::int32_t last = -1;
                return std::ranges::all_of(
                    stream.second,
                    [&](std::size_t place) {
                        const std::int32_t node = node_of_[place];
                        return node < 0 || node > std::exchange(last, node);
                    });
            });
    }

    /// Work of one name on one stream, between two matched neighbours.
    struct Gap {
        std::vector<std::size_t> places;
        std::vector<std::int32_t> choices;
    };

    [[nodiscard]] std::vector<Gap> gaps() const {
        std::vector<Gap> all;
        for (const auto& [stream, places] : streams_) {
            std::map<NodeKey, std::vector<std::size_t>> open;
            std::int32_t before = -1;
            const auto close = [&](std::int32_t behind) {
                for (auto& [key, of_key] : open) {
                    Gap gap{std::move(of_key), {}};
                    if (const auto found = captured_.find(key); found != captured_.end())
                        for (auto node = std::ranges::upper_bound(found->second, before);
                             node != found->second.end() && *node < behind; ++node)
                            if (!taken_[static_cast<std::size_t>(*node)])
                                gap.choices.push_back(*node);
                    all.push_back(std::move(gap));
                }
                open.clear();
                before = behind;
            };
            for (const std::size_t place : places)
                if (node_of_[place] >= 0)
                    close(node_of_[place]);
                else
                    open[key_of(replay_[place].kind, replay_[place].name)].push_back(place);
            close(static_cast<std::int32_t>(taken_.size()));
        }
        return all;
    }

    /// False: nothing was found.
    bool join_between_neighbours() {
        const std::vector<Gap> open = gaps();
        std::vector<int> asked(taken_.size());
        for (const Gap& gap : open)
            for (const std::int32_t node : gap.choices)
                ++asked[static_cast<std::size_t>(node)];
        bool found = false;
        for (const Gap& gap : open) {
            const bool alone = std::ranges::all_of(
                gap.choices, [&](std::int32_t node) { return asked[static_cast<std::size_t>(node)] == 1; });
            if (!alone || gap.choices.size() != gap.places.size())
                continue;
            for (std::size_t k = 0; k < gap.places.size(); ++k)
                join(gap.places[k], gap.choices[k]);
            found = true;
        }
        return found;
    }

    std::span<const ReplayedNode> replay_;
    std::vector<std::int32_t>& node_of_;
    std::map<NodeKey, std::vector<std::int32_t>> captured_;
    std::map<NodeKey, std::vector<std::size_t>> replayed_;
    std::map<std::uint32_t, std::vector<std::size_t>> streams_;
    std::vector<bool> taken_;
};

GraphMatch match_streams(const CapturedGraph& graph, std::span<const ReplayedNode> replay, bool named) {
    GraphMatch match;
    match.named = named;
    match.node_of.assign(replay.size(), -1);
    if (!named)
        return match;
    StreamMatch(graph, replay, match.node_of).run();
    match.matched = std::ranges::count_if(match.node_of, [](std::int32_t node) { return node >= 0; });
    match.complete = match.matched == std::ssize(replay) && replay.size() == graph.nodes.size();
    if (10 * match.matched < 9 * std::ssize(replay)) {
        match.node_of.assign(replay.size(), -1);
        match.matched = 0;
    }
    return match;
}

} // namespace

GraphMatch match_replay(const CapturedGraph& graph, std::span<const ReplayedNode> replay) {
    if (on_several_streams(replay))
        return match_streams(graph, replay, !has_unnamed_kernel(graph));
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
