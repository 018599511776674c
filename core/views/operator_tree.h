// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths of the host with the GPU time they launched: what a flame graph draws.
#pragma once
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/selection/selected_time.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// What stands in a path beside CPU operators and, at its end, the GPU work.
struct PathParts {
    bool annotations = true; ///< the user's; profiler steps never, so that steps merge
    bool python = false;
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
    std::int64_t calls = 0; ///< those that begin in the selection; of GPU work: events
    TimeNs gpu_self = 0;    ///< launched by the calls themselves
    TimeNs gpu_total = 0;   ///< with all inside: the sum of the children's
    TimeNs cpu_self = 0;
    TimeNs cpu_total = 0; ///< the calls' own durations
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
