// SPDX-License-Identifier: GPL-3.0-or-later
// Where the boxes of a flame graph lie.
#include "widgets/charts/flame_layout.h"

#include <algorithm>

namespace rankscope {

TimeNs flameTime(const PathNode& node, FlameWeight weight) {
    return weight == FlameWeight::gpu ? node.gpu_total : node.cpu_total;
}

std::vector<FlameBox> flameBoxes(const OperatorTree& tree, std::uint32_t root, FlameWeight weight, double width) {
    constexpr double kNarrowest = 1;
    std::vector<FlameBox> boxes;
    if (root >= tree.nodes.size() || width <= 0)
        return boxes;
    for (std::uint32_t node = root; node != 0;) {
        node = tree.nodes[node].parent;
        boxes.push_back({node, 0, 0, width});
    }
    std::ranges::reverse(boxes);
    boxes.push_back({root, 0, 0, width});
    for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i].depth = static_cast<int>(i);
    for (std::size_t i = boxes.size() - 1; i < boxes.size(); ++i) {
        const FlameBox box = boxes[i];
        const PathNode& node = tree.nodes[box.node];
        TimeNs inside =
            0; // children on other clocks or threads may be more than their parent: they share its width then
        for (std::uint32_t child = node.first_child; child < node.first_child + node.child_count; ++child)
            inside += flameTime(tree.nodes[child], weight);
        const auto whole = static_cast<double>(std::max(inside, flameTime(node, weight)));
        double left = box.left;
        for (std::uint32_t child = node.first_child; whole > 0 && child < node.first_child + node.child_count;
             ++child) {
            const double share = box.width * static_cast<double>(flameTime(tree.nodes[child], weight)) / whole;
            if (share >= kNarrowest)
                boxes.push_back({child, box.depth + 1, left, share});
            left += share;
        }
    }
    return boxes;
}

} // namespace rankscope
