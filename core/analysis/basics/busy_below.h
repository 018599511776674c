// SPDX-License-Identifier: GPL-3.0-or-later
// How long anything below each node of a forest is busy: unions of time per subtree, however deep the forest is.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

constexpr std::uint32_t kNoParent = ~std::uint32_t{0};

/// Work of one node.
struct NodeWork {
    TimeRange range;
    std::uint32_t node = 0;
};

/// By node: the length of the union of all work of the node and of those below it, ns. parents: by node, kNoParent at a
/// root, no circles, in any order. work: sorted by start. Takes n log n for n nodes and pieces of work together, not
/// the depth times the work.
std::vector<TimeNs> busy_below(std::span<const std::uint32_t> parents, std::span<const NodeWork> work);

} // namespace rankscope
