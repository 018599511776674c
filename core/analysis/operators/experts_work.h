// SPDX-License-Identifier: GPL-3.0-or-later
// Mixture of experts: what the recorded inputs say of its sizes. The positions are those of vLLM, SGLang, aiter,
// TensorRT-LLM and FlashInfer.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

/// The experts of a layer: each of T tokens is sent to k of E.
struct ExpertsShape {
    double tokens = 0, hidden = 0, inner = 0, experts = 0, chosen = 0;
    bool gated = false;
    bool up = true, down = true; ///< which of the two products the operator does
    std::size_t input = 0, weights = 1;
    double bytes = 0;
};
bool is_fused_experts(std::string_view operator_name); ///< both products
bool is_expert_stage(std::string_view operator_name);  ///< one of them
/// Empty also where a rank holds only some of the experts: the share of the tokens that are for them is not recorded.
std::optional<ExpertsShape> experts_shape(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
