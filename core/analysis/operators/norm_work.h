// SPDX-License-Identifier: GPL-3.0-or-later
// Normalisation: what the recorded inputs say of its work. The positions are those of PyTorch's native_functions.yaml.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

/// Batch, layer, group and instance normalisation of PyTorch and its RMSNorm, and their backward operators.
bool is_norm(std::string_view operator_name);
/// RMSNorm of engines' libraries, with what fused_norm_work.h knows. Wrappers of vLLM differ in their arguments; the
/// operators inside them do not.
bool is_rms_norm(std::string_view operator_name);
bool is_norm_backward(std::string_view operator_name);

/// Channels that have a mean and a variance, or a weight: [N, C, ...] has C, layer and RMSNorm the normalised shape.
/// 0: not recorded.
double norm_channels(std::string_view operator_name, const ModelInputs& in);
/// Position of the input: the backward operators of PyTorch itself have the result's gradient before it.
std::size_t norm_input(std::string_view operator_name);

/// Forward: 5 N + 6 C (without statistics of this batch 2 N + 6 C); RMSNorm 4 N and 2 a row, 3 N without a weight.
/// Backward: 9 N; RMSNorm 2 N, with a weight, and for each gradient asked for 6 N of the input and 2 N of the weight.
std::optional<OperatorWork> norm_work(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
