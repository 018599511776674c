// SPDX-License-Identifier: GPL-3.0-or-later
// How large the inputs of operators are, on other ranks or in another run: a step with another batch takes another
// time.
#pragma once
#include <span>
#include <string>

#include "core/base/message.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// By the shapes that operators around GPU work record (record_shapes=True).
struct InputSizes {
    bool of_baseline = false; ///< recorded
    bool of_test = false;
    /// Of operators that both have, the largest input that changed; empty where a quarter of their calls or less have
    /// inputs of another size, or where that is not known.
    std::string operation{};      ///< "aten::conv2d"
    std::string baseline_shape{}; ///< "[10, 256, 14, 14]"
    std::string test_shape{};
    Message differ{}; ///< "aten::conv2d [10, 256, 14, 14] -> [32, 256, 14, 14]"
};
/// as_often: of operators that a trace of either calls as often only; others may do other work by the same name.
InputSizes compare_input_sizes(std::span<const RankTrace* const> baseline, std::span<const RankTrace* const> test,
                               bool as_often = false);

} // namespace rankscope
