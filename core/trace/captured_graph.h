// SPDX-License-Identifier: GPL-3.0-or-later
// What a program said while it captured a CUDA or HIP graph: the operators and modules around each node.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/event_table.h"

namespace rankscope {

/// An operator, a module or an annotation that was open while nodes were added.
struct CapturedFrame {
    std::string name;
    bool is_operator = false;
    std::int32_t parent = -1;                   ///< index in CapturedGraph::frames, before this one; -1: none
    std::string dims, types, concrete, strides; ///< of operators, as in OperatorInputs
    friend bool operator==(const CapturedFrame&, const CapturedFrame&) = default;
};

/// A kernel, copy or set that the graph will run.
struct CapturedNode {
    EventKind kind = EventKind::kernel;
    std::string name;        ///< of the kernel; "" where the recorder does not name it (CUDA)
    std::int32_t frame = -1; ///< the innermost frame around the launch; -1: none
};

/// One graph, from the start of its capture to its end.
struct CapturedGraph {
    std::string file;
    std::int64_t tokens = -1;   ///< that it was captured for; -1: not said
    std::int64_t requests = -1; ///< likewise, where the file says so: with several tokens a request both are told apart
    std::int32_t piece = 0;     ///< its place among the graphs of that file
    std::int32_t pieces = 1;
    std::vector<CapturedFrame> frames;
    std::vector<CapturedNode> nodes; ///< in the order of capture
};

using CapturedGraphs = std::shared_ptr<const std::vector<CapturedGraph>>;

} // namespace rankscope
