// SPDX-License-Identifier: GPL-3.0-or-later
// Which node of a captured graph each kernel of its replay is, by order and names.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/trace/captured_graph.h"

namespace rankscope {

/// GPU work of one launch of a graph, in the order of its starts.
struct ReplayedNode {
    EventKind kind = EventKind::kernel;
    std::string_view name;
    friend bool operator==(const ReplayedNode&, const ReplayedNode&) = default;
};

/// For each replayed node the captured one, or -1.
struct GraphMatch {
    std::vector<std::int32_t> node_of;
    std::int64_t matched = 0;
    bool complete = false; ///< both sequences are the same
    bool named = true;     ///< the capture names every kernel that was matched
};

/// Copies and sets are matched by kind, since recorders name them otherwise when captured; kernels by name. Where the
/// sequences differ, the longest common subsequence is taken, and nothing of what lies outside of it: the capture of
/// kernels without names must have the same length and kinds. Nothing is matched when less than nine tenths of the
/// replay would be.
GraphMatch match_replay(const CapturedGraph& graph, std::span<const ReplayedNode> replay);

} // namespace rankscope
