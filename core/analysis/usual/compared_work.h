// SPDX-License-Identifier: GPL-3.0-or-later
// What of a rank is compared with its peers, or with its other steps, and by which time.
//   A launch of 4 us, 6 us after the one before it -> compared by 10 us, under the name of the kernel that it launches.
#pragma once
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/step_graph.h"

namespace rankscope {

inline bool is_compared(NodeKind kind) {
    switch (kind) {
    case NodeKind::launch:
    case NodeKind::wait_begin:
    case NodeKind::wait_end:
    case NodeKind::data_loading:
    case NodeKind::garbage_collection:
    case NodeKind::allocation: return true;
    default: return is_local_gpu_work(kind);
    }
}

/// The host's own time before these is compared apart from what they take themselves.
inline bool has_time_before(NodeKind kind) {
    return kind == NodeKind::step_begin || kind == NodeKind::step_end || kind == NodeKind::data_loading ||
           kind == NodeKind::garbage_collection || kind == NodeKind::allocation;
}

/// ns: of a call that launches or waits, the host's time before it too.
inline TimeNs compared_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t n) {
    const NodeKind kind = graph.kind[n];
    return kind == NodeKind::launch || kind == NodeKind::wait_begin ? host_time(graph, times, n) : times.duration[n];
}

/// Launches are told apart by what they launch: inserted ones then shift no others.
inline NameId compared_name(const RankTrace& trace, NodeKind kind, EventIndex event) {
    return trace.events.name[kind == NodeKind::launch ? trace.events.link[event] : event];
}

} // namespace rankscope
