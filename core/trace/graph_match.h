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
    std::uint32_t stream = 0;
};

/// For each replayed node the captured one, or -1.
struct GraphMatch {
    std::vector<std::int32_t> node_of;
    std::int64_t matched = 0;
    bool complete = false; ///< both sequences are the same, or of several streams the same work
    bool named = true;     ///< the capture names every kernel that was matched
};

/// Copies and sets are matched by kind, since recorders name them otherwise when captured; kernels by name. Where the
/// sequences differ, the longest common subsequence is taken, and nothing of what lies outside of it: the capture of
/// kernels without names must have the same length and kinds. Nothing is matched when less than nine tenths of the
/// replay would be.
///
/// Of a replay on several streams the order of starts differs from replay to replay; only what one stream runs stays in
/// the order of capture. So kernels whose name one stream runs are matched by their place among those of that name, and
/// those of a name on several streams where their matched neighbours on the stream leave one choice. Nothing is matched
/// where a stream does not keep the order of the capture, or the capture does not name the kernels.
GraphMatch match_replay(const CapturedGraph& graph, std::span<const ReplayedNode> replay);

} // namespace rankscope
