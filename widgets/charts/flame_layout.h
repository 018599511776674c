// SPDX-License-Identifier: GPL-3.0-or-later
// Where the boxes of a flame graph lie: plain geometry, as many boxes as there are pixels for them.
#pragma once
#include <vector>

#include "core/views/operator_tree.h"

namespace rankscope {

/// What the width of a box stands for.
enum class FlameWeight : std::uint8_t { gpu, cpu };
TimeNs flameTime(const PathNode& node, FlameWeight weight);

struct FlameBox {
    std::uint32_t node = 0;
    int depth = 0; ///< row, the root of the tree is 0
    double left = 0;
    double width = 0;
};

/// root fills the width, its ancestors too; below it each child has its share, in the order of the tree. Boxes narrower
/// than a pixel are left out, with all below them. By depth, then from left to right.
std::vector<FlameBox> flameBoxes(const OperatorTree& tree, std::uint32_t root, FlameWeight weight, double width);

} // namespace rankscope
