// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation timeline says of one rank beyond names and times: its place in the mesh, and of each operation the
// step, the microbatch and the part of the model.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rankscope {

/// ordinal: as EventTable::ordinal. chunk, microbatch, sequence: -1 where the operation has none. sequence: its place
/// among the operations of its type that its rank ran in the step, from 0.
struct Operation {
    std::uint32_t ordinal = 0;
    std::int64_t step = 0;
    std::int32_t chunk = -1;
    std::int32_t microbatch = -1;
    std::int32_t sequence = -1;
};

/// Sizes of the mesh; at least what was recorded. other: data parallelism outside of dp (the authors' dsp_size).
struct OperationMesh {
    int dp = 1;
    int pp = 1;
    int tp = 1;
    int other = 1;
    friend bool operator==(const OperationMesh&, const OperationMesh&) = default;
};

/// stage: pipeline rank.
struct OperationTimeline {
    int dp = 0;
    int stage = 0;
    int tp = 0;
    OperationMesh mesh;
    std::vector<Operation> operations; ///< by ordinal

    /// nullptr: the event is no operation.
    [[nodiscard]] const Operation* find(std::uint32_t ordinal) const {
        const auto at = std::ranges::lower_bound(operations, ordinal, {}, &Operation::ordinal);
        return at != operations.end() && at->ordinal == ordinal ? &*at : nullptr;
    }
};

/// The types of operations that say what a pass does.
inline constexpr std::string_view kForwardCompute = "forward-compute";
inline constexpr std::string_view kBackwardCompute = "backward-compute";
inline constexpr std::string_view kWeightGradientCompute = "backward-wgrad-compute";

} // namespace rankscope
