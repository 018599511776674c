// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths of the host with the GPU time they launched.
#include "core/views/operator_tree.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "core/analysis/basics/per_rank.h"

namespace rankscope {
namespace {

constexpr std::uint32_t kRoot = 0;

/// Nodes in the order they were met, parents first.
class Paths {
public:
    std::vector<PathNode> nodes = std::vector<PathNode>(1);

    std::uint32_t child(std::uint32_t parent, NameId name, EventKind kind) {
        const auto [place, added] =
            children_.try_emplace({parent, name, kind}, static_cast<std::uint32_t>(nodes.size()));
        if (added) {
            PathNode node;
            node.name = name;
            node.kind = kind;
            node.parent = parent;
            nodes.push_back(node);
        }
        return place->second;
    }

    /// Counts of all nodes of other, which keep their paths.
    void add(const Paths& other) {
        std::vector<std::uint32_t> place(other.nodes.size(), kRoot);
        for (std::uint32_t n = 0; n < other.nodes.size(); ++n) {
            const PathNode& from = other.nodes[n];
            place[n] = n == kRoot ? kRoot : child(place[from.parent], from.name, from.kind);
            PathNode& to = nodes[place[n]];
            to.calls += from.calls;
            to.gpu_self += from.gpu_self;
            to.cpu_self += from.cpu_self;
            to.cpu_total += from.cpu_total;
        }
    }

private:
    struct Key {
        std::uint32_t parent;
        NameId name;
        EventKind kind;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            std::size_t hash = (std::size_t{key.parent} << 32 | key.name) * 0x9E3779B97F4A7C15ull;
            return (hash ^ hash >> 29) + static_cast<std::size_t>(key.kind);
        }
    };
    std::unordered_map<Key, std::uint32_t, Hash> children_;
};

class RankPaths {
public:
    RankPaths(const RunAnalysis& analysis, const RankAnalysis& rank, PathParts parts)
        : analysis_(analysis), rank_(*rank.trace), work_(rank.gpu_work), parts_(parts),
          standing_(rank_.events.size() - rank_.events.gpu_count) {}

    void add_calls(const std::stop_token& cancel) {
        for (const Lane& lane : rank_.lanes) {
            if (lane.kind != LaneKind::cpu_thread && lane.kind != LaneKind::gpu_annotation)
                continue; // the latter hold operators of captured graphs
            for (std::uint32_t row = lane.first_row; row < lane.first_row + lane.row_count && !cancel.stop_requested();
                 ++row)
                add_row(rank_.rows[row], row > lane.first_row ? rank_.rows[row - 1] : Row{});
        }
    }

    void add_gpu_work() {
        for (const GpuSlice& slice : work_) {
            EventIndex caller = rank_.gpu.operator_event[slice.event];
            caller = caller == kNoEvent ? rank_.events.link[slice.event] : caller;
            const std::uint32_t node = caller == kNoEvent ? kRoot : standing(caller).node;
            if (node == kRoot) {
                unattributed += slice.range.length();
                continue;
            }
            const std::uint32_t leaf =
                paths.child(node, rank_.events.name[slice.event], rank_.events.kind[slice.event]);
            ++paths.nodes[leaf].calls;
            paths.nodes[leaf].gpu_self += slice.range.length();
            paths.nodes[node].gpu_self += slice.range.length();
        }
    }

    Paths paths;
    TimeNs unattributed = 0;

private:
    /// Where an event stands: its own node, or that of the call around it when it is none of a path's parts itself.
    struct Standing {
        std::uint32_t node = kRoot;
        bool counted = false; ///< the call that the node stands for here begins in the selection
    };
    [[nodiscard]] Standing& standing(EventIndex event) { return standing_[event - rank_.events.gpu_count]; }

    [[nodiscard]] bool belongs(EventIndex event) const {
        switch (rank_.events.kind[event]) {
        case EventKind::captured_op:
        case EventKind::cpu_op: return true;
        case EventKind::captured_scope: return parts_.annotations || parts_.python;
        case EventKind::annotation: return parts_.annotations && !rank_.event_name(event).starts_with("ProfilerStep#");
        case EventKind::python: return parts_.python;
        default: return false;
        }
    }

    /// The events of both rows ascend, so the one around is looked for from where the last was found.
    void add_row(Row row, Row above) {
        const EventTable& events = rank_.events;
        EventIndex around = above.begin;
        for (EventIndex event = row.begin; event < row.end; ++event) {
            while (around + 1 < above.end && events.start[around + 1] <= events.start[event])
                ++around;
            const bool inside = around < above.end && events.start[around] <= events.start[event] &&
                                events.end(around) >= events.end(event);
            standing(event) = inside ? standing(around) : Standing{};
            if (belongs(event))
                add_call(event);
        }
    }

    void add_call(EventIndex event) {
        const EventTable& events = rank_.events;
        const Standing outer = standing(event);
        const bool counted = is_selected(analysis_.run(), rank_, analysis_.selection(), events.start[event]);
        const std::uint32_t node = paths.child(outer.node, events.name[event], events.kind[event]);
        standing(event) = {node, counted};
        if (!counted)
            return;
        ++paths.nodes[node].calls;
        if (is_graph_slice(events.kind[event]))
            return; // the host did nothing
        paths.nodes[node].cpu_self += events.duration[event];
        paths.nodes[node].cpu_total += events.duration[event];
        if (outer.counted)
            paths.nodes[outer.node].cpu_self -= events.duration[event];
    }

    const RunAnalysis& analysis_;
    const RankTrace& rank_;
    std::span<const GpuSlice> work_;
    PathParts parts_;
    std::vector<Standing> standing_; ///< by event, from the first of the CPU on
};

/// Totals from the leaves up; nodes without anything in the selection go; children together, in order.
std::vector<PathNode> ordered(const StringTable& names, std::vector<PathNode> nodes) {
    for (PathNode& node : nodes)
        node.gpu_total = is_gpu_work(node.kind) ? node.gpu_self : 0;
    std::vector<bool> kept(nodes.size());
    kept[kRoot] = true;
    for (std::size_t n = nodes.size(); n-- > 1;) {
        PathNode& parent = nodes[nodes[n].parent];
        kept[n] = kept[n] || nodes[n].calls > 0;
        kept[nodes[n].parent] = kept[nodes[n].parent] || kept[n];
        parent.gpu_total += nodes[n].gpu_total;
        if (nodes[n].parent == kRoot)
            parent.cpu_total += nodes[n].cpu_total;
    }
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t n = 1; n < nodes.size(); ++n)
        if (kept[n])
            children[nodes[n].parent].push_back(n);
    std::vector<PathNode> result{nodes[kRoot]};
    std::vector<std::uint32_t> source{kRoot};
    for (std::size_t n = 0; n < result.size(); ++n) {
        std::vector<std::uint32_t>& own = children[source[n]];
        std::ranges::sort(own, [&](std::uint32_t a, std::uint32_t b) {
            const auto key = [&](const PathNode& node) {
                return std::tuple(-node.gpu_total, -node.cpu_total, names.view(node.name), node.kind);
            };
            return key(nodes[a]) < key(nodes[b]);
        });
        result[n].first_child = static_cast<std::uint32_t>(result.size());
        result[n].child_count = static_cast<std::uint32_t>(own.size());
        for (const std::uint32_t child : own) {
            result.push_back(nodes[child]);
            result.back().parent = static_cast<std::uint32_t>(n);
            source.push_back(child);
        }
    }
    return result;
}

} // namespace

OperatorTree operator_tree(const RunAnalysis& analysis, RankChoice rank, PathParts parts,
                           const std::stop_token& cancel) {
    const std::vector<RankAnalysis>& ranks = analysis.ranks();
    std::vector<std::size_t> chosen(ranks.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (rank)
        chosen = {*rank};
    std::vector<std::optional<RankPaths>> found(chosen.size());
    tbb::parallel_for(std::size_t{0}, chosen.size(), [&](std::size_t i) {
        found[i].emplace(analysis, ranks[chosen[i]], parts);
        found[i]->add_calls(cancel);
        found[i]->add_gpu_work();
    });
    OperatorTree tree;
    if (cancel.stop_requested())
        return tree;
    Paths all;
    for (const auto& paths : found) {
        all.add(paths->paths);
        tree.unattributed += paths->unattributed;
    }
    tree.nodes = ordered(*analysis.run().names, std::move(all.nodes));
    return tree;
}

std::vector<OperatorTotal> operator_totals(const StringTable& names, const OperatorTree& tree) {
    std::vector<OperatorTotal> totals;
    std::unordered_map<std::uint64_t, std::size_t> place;
    for (std::uint32_t n = 1; n < tree.nodes.size(); ++n) {
        const PathNode& node = tree.nodes[n];
        if (is_gpu_work(node.kind))
            continue;
        const auto [at, added] =
            place.try_emplace(std::uint64_t{node.name} << 8 | static_cast<std::uint64_t>(node.kind), totals.size());
        if (added)
            totals.push_back({node.name, node.kind});
        OperatorTotal& total = totals[at->second];
        total.calls += node.calls;
        total.gpu_self += node.gpu_self;
        total.cpu_self += node.cpu_self;
        bool inside_itself = false;
        for (std::uint32_t up = node.parent; up != kRoot && !inside_itself; up = tree.nodes[up].parent)
            inside_itself = tree.nodes[up].name == node.name && tree.nodes[up].kind == node.kind;
        if (!inside_itself) {
            total.gpu_total += node.gpu_total;
            total.cpu_total += node.cpu_total;
        }
    }
    std::ranges::sort(totals, [&](const OperatorTotal& a, const OperatorTotal& b) {
        const auto key = [&](const OperatorTotal& t) {
            return std::tuple(-t.gpu_total, -t.cpu_total, names.view(t.name), t.kind);
        };
        return key(a) < key(b);
    });
    return totals;
}

} // namespace rankscope
