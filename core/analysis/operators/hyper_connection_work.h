// SPDX-License-Identifier: GPL-3.0-or-later
// Hyper-connections (arXiv 2409.19606) as aiter runs them for DeepSeek-V4: a residual of n streams [M, n, C] that are
// mixed before and behind each block. The positions are those of aiter's operators.
//
// Sources of the formulas: TraceLens for the mix behind a block, 2·M·n·C·(n + 1), for the projection to p logits,
// 2·M·n·C·p, and for the mix before it, 2·M·n·C. The projection sums up squares too, 2·M·n·C, and the mix before a
// block ends with RMSNorm, 4·M·C and 2·M. Bytes: every recorded tensor once.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

struct HyperConnectionShape {
    double tokens = 0, streams = 0, channels = 0;
    double logits = 0; ///< 0: no projection
    std::size_t input = 0;
    OperatorWork work;
};
bool is_hyper_connection(std::string_view operator_name);
std::optional<HyperConnectionShape> hyper_connection_shape(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
