// SPDX-License-Identifier: GPL-3.0-or-later
// How large the inputs of operators are in two runs: a step with another batch takes another time.
#pragma once
#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// By the shapes that operators around GPU work record (record_shapes=True).
struct InputSizes {
    bool of_baseline = false; ///< recorded
    bool of_test = false;
    /// "aten::conv2d [10, 256, 14, 14] -> [32, 256, 14, 14]": the largest input that changed, of operators that both
    /// have; empty where a quarter of their calls or less have inputs of another size, or where that is not known.
    Message differ;
};
InputSizes compare_input_sizes(const RunAnalysis& baseline, const RunAnalysis& test);

} // namespace rankscope
