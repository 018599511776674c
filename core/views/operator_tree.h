// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths of the host with the GPU time they launched: what a flame graph draws.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/search/range_statistics.h"
#include "core/analysis/selection/selected_time.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// What stands in a path beside CPU operators and, at its end, the GPU work.
struct PathParts {
    bool annotations = true; ///< the user's; profiler steps never, so that steps merge
    bool python = false;
    bool modules = false; ///< of Python functions those that call a module of the model
    friend bool operator==(const PathParts&, const PathParts&) = default;
};

/// All calls of one name on one path, of the chosen ranks and all steps. GPU times are sums of durations, as the
/// selection clips them, so that parts add up. A node of GPU work has calls, gpu_self and gpu_total only.
struct PathNode {
    NameId name = 0;
    EventKind kind = EventKind::other;
    std::uint32_t parent = 0;
    std::uint32_t first_child = 0; ///< children are nodes [first_child, first_child + child_count)
    std::uint32_t child_count = 0;
    std::int64_t calls = 0; ///< those in the selection, if only with a part; of GPU work: events
    TimeNs gpu_self = 0;    ///< launched by the calls themselves
    TimeNs gpu_total = 0;   ///< with all inside: the sum of the children's
    TimeNs cpu_self = 0;
    TimeNs cpu_total = 0; ///< the calls' own durations, as the selection clips them
};

/// nodes[0] is the root: its totals are those of everything, its name says nothing. Parents come before children;
/// children with the most GPU time first, then by CPU time, then by name.
struct OperatorTree {
    std::vector<PathNode> nodes;
    TimeNs unattributed = 0; ///< GPU work of which no caller is known; not in the nodes
};

/// Each thread's stack is a path of its own: backward operators stand beside forward ones. Stopped: an empty tree.
OperatorTree operator_tree(const RunAnalysis& analysis, RankChoice rank, PathParts parts,
                           const std::stop_token& cancel = {});

/// What a tree is of when somebody points at it on the timeline.
struct PathScope {
    RankChoice rank;     ///< nothing: all ranks
    Selection selection; ///< as recorded: ranks on clocks that differ are not aligned
    /// By rank as in Run::ranks, ascending; empty: everything. Of a call there is what it contains on its thread and
    /// the GPU work launched in it, and the paths start at it. Of GPU work there is itself, at the end of its whole
    /// path.
    std::vector<std::vector<EventIndex>> events;
};

/// Slices that no call path goes through (the user's annotations as the GPU shows them, launches of graphs, syncs)
/// stand for the time they take, on their rank.
PathScope scope_of_slice(const Run& run, EventPlace slice);
/// All events with the slice's name and kind; of calls inside each other the outermost counts.
PathScope scope_of_name(const Run& run, EventPlace slice, RankChoice rank);
/// The profiler step that the slice belongs to; nothing: none.
std::optional<std::int64_t> step_of_slice(const Run& run, EventPlace slice);
PathScope scope_of_step(std::int64_t step, RankChoice rank);
/// range: absolute. Calls and GPU work that overlap it, with the part inside.
PathScope scope_of_range(const Run& run, TimeRange range, RankChoice rank);

/// Calls that only lead to GPU work of scope.events are in its paths, but count nothing themselves.
OperatorTree operator_tree(const Run& run, const PathScope& scope, PathParts parts, const std::stop_token& cancel = {});

/// All calls of one name, wherever they stand. Totals count what is called by itself once.
struct OperatorTotal {
    NameId name = 0;
    EventKind kind = EventKind::cpu_op;
    std::int64_t calls = 0;
    TimeNs gpu_self = 0;
    TimeNs gpu_total = 0;
    TimeNs cpu_self = 0;
    TimeNs cpu_total = 0;
};
/// By name and kind; no GPU work; in the order of children.
std::vector<OperatorTotal> operator_totals(const StringTable& names, const OperatorTree& tree);

} // namespace rankscope
