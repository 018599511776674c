// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths of the host with the GPU time they launched.
#include "core/views/operator_tree.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/operators/modules.h"
#include "core/base/seeded_hash.h"

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
        std::size_t operator()(const Key& key) const { return seeded_hash(key.parent, key.name, key.kind); }
    };
    std::unordered_map<Key, std::uint32_t, Hash> children_;
};

class RankPaths {
public:
    RankPaths(const Run& run, const RankTrace& rank, const Selection& selection, PathParts parts)
        : rank_(rank), selection_(selection), parts_(parts), standing_(rank.events.size() - rank.events.gpu_count) {
        if (selection.time)
            window_ = selection.window(run, rank.rank);
    }

    /// Paths start at these calls, ascending, and nothing else is in them. They must outlive this.
    void start_at(std::span<const EventIndex> calls) { starts_ = calls; }
    /// Calls are in the paths, but count nothing.
    void only_pass() { passing_ = true; }

    void add_calls(const std::stop_token& cancel) {
        for (const Lane& lane : rank_.lanes) {
            if (lane.kind != LaneKind::cpu_thread && lane.kind != LaneKind::gpu_annotation)
                continue; // the latter hold operators of captured graphs
            for (std::uint32_t row = lane.first_row; row < lane.first_row + lane.row_count && !cancel.stop_requested();
                 ++row)
                add_row(rank_.rows[row], row > lane.first_row ? rank_.rows[row - 1] : Row{});
        }
    }

    /// False: the paths start at calls, and this was launched in none of them.
    bool add_gpu_work(const GpuSlice& slice) {
        const std::uint32_t node = caller_of(slice.event);
        if (node == kRoot) {
            unattributed += starts_ ? 0 : slice.range.length();
            return !starts_;
        }
        const std::uint32_t leaf = paths.child(node, rank_.events.name[slice.event], rank_.events.kind[slice.event]);
        ++paths.nodes[leaf].calls;
        paths.nodes[leaf].gpu_self += slice.range.length();
        paths.nodes[node].gpu_self += slice.range.length();
        return true;
    }

    Paths paths;
    TimeNs unattributed = 0;

private:
    /// Where an event stands: its own node, or that of the call around it when it is none of a path's parts itself.
    struct Standing {
        std::uint32_t node = kRoot;
        bool counted = false; ///< the call that the node stands for here is in the selection
    };
    [[nodiscard]] Standing& standing(EventIndex event) { return standing_[event - rank_.events.gpu_count]; }

    /// The node of the operator that launched it, or of the call where no operator is known.
    [[nodiscard]] std::uint32_t caller_of(EventIndex gpu_event) {
        const EventIndex op = rank_.gpu.operator_event[gpu_event];
        const EventIndex call = rank_.events.link[gpu_event];
        const std::uint32_t node = op == kNoEvent ? kRoot : standing(op).node;
        const bool ask_call = op == kNoEvent || (starts_ && node == kRoot); // a path may start inside the operator
        return ask_call && call != kNoEvent ? standing(call).node : node;
    }

    [[nodiscard]] bool belongs(EventIndex event) const {
        switch (rank_.events.kind[event]) {
        case EventKind::captured_op:
        case EventKind::cpu_op: return true;
        case EventKind::captured_scope: return parts_.annotations || parts_.python || parts_.modules;
        case EventKind::annotation: return parts_.annotations && !rank_.event_name(event).starts_with("ProfilerStep#");
        case EventKind::python:
            return parts_.python || (parts_.modules && !module_of_frame(rank_.event_name(event)).empty());
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
            const bool outside = starts_ && standing(event).node == kRoot;
            if (outside ? std::ranges::binary_search(*starts_, event) : belongs(event))
                add_call(event);
        }
    }

    struct Counted {
        bool selected = false;
        TimeNs time = 0;
    };
    [[nodiscard]] Counted counted(EventIndex call) const {
        const TimeRange range = rank_.events.range(call);
        if (passing_)
            return {};
        if (!selection_.iterations.empty()) {
            const ProfilerStep* step = step_at(rank_.steps, range.begin);
            if (step == nullptr || !selection_.has_iteration(step->number))
                return {};
        }
        if (!window_)
            return {true, range.length()};
        const TimeRange inside = range.clipped_to(*window_);
        return {range.empty() ? window_->contains(range.begin) : !inside.empty(), inside.length()};
    }

    void add_call(EventIndex event) {
        const EventTable& events = rank_.events;
        const Standing outer = standing(event);
        const Counted call = counted(event);
        const std::uint32_t node = paths.child(outer.node, events.name[event], events.kind[event]);
        standing(event) = {node, call.selected};
        if (!call.selected)
            return;
        ++paths.nodes[node].calls;
        if (is_graph_slice(events.kind[event]))
            return; // the host did nothing
        paths.nodes[node].cpu_self += call.time;
        paths.nodes[node].cpu_total += call.time;
        if (outer.counted)
            paths.nodes[outer.node].cpu_self -= call.time;
    }

    const RankTrace& rank_;
    const Selection& selection_;
    PathParts parts_;
    std::optional<TimeRange> window_;                   ///< of the selection
    std::optional<std::span<const EventIndex>> starts_; ///< nothing: paths start at the outermost calls
    bool passing_ = false;
    std::vector<Standing> standing_; ///< by event, from the first of the CPU on
};

/// The calls among the events and what they contain; then the GPU work among them that none of these launched.
void add_events(RankPaths& inside, RankPaths& towards, std::span<const EventIndex> calls,
                std::span<const GpuSlice> chosen, std::span<const GpuSlice> work, const std::stop_token& cancel) {
    std::vector<EventIndex> counted;
    if (!calls.empty()) {
        inside.start_at(calls);
        inside.add_calls(cancel);
        for (const GpuSlice& slice : work)
            if (inside.add_gpu_work(slice))
                counted.push_back(slice.event);
    }
    if (chosen.empty())
        return;
    std::ranges::sort(counted);
    towards.only_pass();
    towards.add_calls(cancel);
    for (const GpuSlice& slice : chosen)
        if (!std::ranges::binary_search(counted, slice.event))
            towards.add_gpu_work(slice);
}

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

/// of: the paths of the i-th chosen rank.
template <typename PathsOfRank>
OperatorTree tree_of(const Run& run, RankChoice rank, const std::stop_token& cancel, PathsOfRank&& of) {
    std::vector<std::size_t> chosen(run.ranks.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (rank)
        chosen = {*rank};
    std::vector<Paths> found(chosen.size());
    std::vector<TimeNs> unattributed(chosen.size());
    tbb::parallel_for(std::size_t{0}, chosen.size(), [&](std::size_t i) { of(chosen[i], found[i], unattributed[i]); });
    OperatorTree tree;
    if (cancel.stop_requested())
        return tree;
    Paths all;
    for (const Paths& paths : found)
        all.add(paths);
    tree.unattributed = std::accumulate(unattributed.begin(), unattributed.end(), TimeNs{0});
    tree.nodes = ordered(*run.names, std::move(all.nodes));
    return tree;
}

} // namespace

OperatorTree operator_tree(const RunAnalysis& analysis, RankChoice rank, PathParts parts,
                           const std::stop_token& cancel) {
    const Run& run = analysis.run();
    const std::vector<RankAnalysis>& ranks = analysis.ranks();
    return tree_of(run, rank, cancel, [&](std::size_t r, Paths& paths, TimeNs& unattributed) {
        RankPaths found(run, *run.ranks[r], analysis.selection(), parts);
        found.add_calls(cancel);
        for (const GpuSlice& slice : ranks[r].gpu_work)
            found.add_gpu_work(slice);
        paths = std::move(found.paths);
        unattributed = found.unattributed;
    });
}

OperatorTree operator_tree(const Run& run, const PathScope& scope, PathParts parts, const std::stop_token& cancel) {
    return tree_of(
        run, scope.rank, cancel,
        [&](std::size_t r, Paths& paths, TimeNs& unattributed) {
            const RankTrace& rank = *run.ranks[r];
            const std::vector<KernelClass> classes(rank.events.gpu_count); // nobody asks for them
            const std::vector<GpuSlice> work = select_gpu_work(run, rank, scope.selection, classes);
            RankPaths towards(run, rank, scope.selection, parts);
            if (scope.events.empty()) {
                towards.add_calls(cancel);
                for (const GpuSlice& slice : work)
                    towards.add_gpu_work(slice);
            } else {
                const std::span<const EventIndex> events = scope.events[r];
                const auto first_call = std::ranges::lower_bound(events, rank.events.gpu_count);
                const std::span<const EventIndex> gpu(events.begin(), first_call);
                std::vector<GpuSlice> chosen;
                std::ranges::copy_if(
                    work, std::back_inserter(chosen),
                    [&](const GpuSlice& slice) { return std::ranges::binary_search(gpu, slice.event); });
                RankPaths inside(run, rank, scope.selection, parts);
                add_events(inside, towards, {first_call, events.end()}, chosen, work, cancel);
                paths.add(inside.paths);
            }
            paths.add(towards.paths);
            unattributed = towards.unattributed;
        });
}

PathScope scope_of_slice(const Run& run, EventPlace slice) {
    const RankTrace& rank = *run.ranks[slice.rank];
    switch (rank.events.kind[slice.event]) {
    case EventKind::gpu_annotation:
    case EventKind::gpu_sync:
    case EventKind::graph_launch: return scope_of_range(run, rank.events.range(slice.event), slice.rank);
    default: break;
    }
    PathScope scope;
    scope.rank = slice.rank;
    scope.events.resize(run.ranks.size());
    scope.events[slice.rank] = {slice.event};
    return scope;
}

PathScope scope_of_name(const Run& run, EventPlace slice, RankChoice rank) {
    const EventTable& own = run.ranks[slice.rank]->events;
    PathScope scope;
    scope.rank = rank;
    scope.events.resize(run.ranks.size());
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const EventTable& events = run.ranks[r]->events;
        for (EventIndex i = 0; i < events.size() && (!rank || *rank == r); ++i)
            if (events.name[i] == own.name[slice.event] && events.kind[i] == own.kind[slice.event])
                scope.events[r].push_back(i);
    }
    return scope;
}

std::optional<std::int64_t> step_of_slice(const Run& run, EventPlace slice) {
    const RankTrace& rank = *run.ranks[slice.rank];
    if (rank.steps.empty())
        return {};
    const bool work = slice.event < rank.events.gpu_count;
    const EventIndex call = work && !steps_of_device(rank) ? rank.events.link[slice.event] : slice.event;
    const ProfilerStep* step = call != kNoEvent ? step_at(rank.steps, rank.events.start[call])
                                                : WorkSteps(rank).of(slice.event); // looks at all GPU work
    return step == nullptr ? std::nullopt : std::optional(step->number);
}

PathScope scope_of_step(std::int64_t step, RankChoice rank) {
    PathScope scope;
    scope.rank = rank;
    scope.selection.iterations = {{step, step}};
    return scope;
}

PathScope scope_of_range(const Run& run, TimeRange range, RankChoice rank) {
    PathScope scope;
    scope.rank = rank;
    scope.selection.time = TimeRange{range.begin - run.span.begin, range.end - run.span.begin};
    return scope;
}

namespace {

std::uint64_t name_and_kind(const PathNode& node) {
    return std::uint64_t{node.name} << 8 | static_cast<std::uint64_t>(node.kind);
}

/// By node: whether one around it has its name and kind. One walk down the tree and up again.
std::vector<bool> nodes_inside_themselves(const OperatorTree& tree) {
    constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> first(tree.nodes.size(), kNone); // child
    std::vector<std::uint32_t> next(tree.nodes.size(), kNone);  // sibling
    for (auto n = static_cast<std::uint32_t>(tree.nodes.size()); --n > kRoot;)
        next[n] = std::exchange(first[tree.nodes[n].parent], n);
    NumberMap<std::uint64_t, std::uint32_t> around;
    std::vector<bool> inside(tree.nodes.size());
    for (std::uint32_t at = first[kRoot]; at != kNone;) {
        inside[at] = around[name_and_kind(tree.nodes[at])]++ > 0;
        if (first[at] != kNone) {
            at = first[at];
            continue;
        }
        while (true) {
            --around[name_and_kind(tree.nodes[at])];
            const std::uint32_t parent = tree.nodes[at].parent;
            if (next[at] != kNone || parent == kRoot) {
                at = next[at];
                break;
            }
            at = parent;
        }
    }
    return inside;
}

} // namespace

std::vector<OperatorTotal> operator_totals(const StringTable& names, const OperatorTree& tree) {
    std::vector<OperatorTotal> totals;
    NumberMap<std::uint64_t, std::size_t> place;
    const std::vector<bool> inside_themselves = nodes_inside_themselves(tree);
    for (std::uint32_t n = 1; n < tree.nodes.size(); ++n) {
        const PathNode& node = tree.nodes[n];
        if (is_gpu_work(node.kind))
            continue;
        const auto [at, added] = place.try_emplace(name_and_kind(node), totals.size());
        if (added)
            totals.push_back({node.name, node.kind});
        OperatorTotal& total = totals[at->second];
        total.calls += node.calls;
        total.gpu_self += node.gpu_self;
        total.cpu_self += node.cpu_self;
        if (!inside_themselves[n]) {
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
