// SPDX-License-Identifier: GPL-3.0-or-later
// Casts to 8 or 4 bits with a scale for each tensor, row (token), group or block. The positions are those of aiter's,
// vLLM's, SGLang's and Primus-Turbo's schemas.
//
// Source of the FLOPs: TraceLens, since a cast has no agreed count. A value costs 2 (find the largest, scale it); the
// kernels that TraceLens measured with AMD's hardware counters 2.59375, and vLLM's Triton kernel 6 (absolute value,
// largest, scale, division, clamp, store). Casts of Primus count 1. Bytes: the input, the result and its scales once.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

bool is_quantization(std::string_view operator_name);
/// TraceLens counts casts of Primus among the operators that work element by element.
bool is_elementwise_quantization(std::string_view operator_name);
/// Position of the tensor that is cast.
std::size_t quantized_input(std::string_view operator_name);
/// Values with one scale: the recorded argument, or what the format says (32 of MXFP4). Empty: not recorded.
std::optional<double> quantization_group(std::string_view operator_name, const ModelInputs& in);
/// Empty where a size is not recorded, such as that of a group.
std::optional<OperatorWork> quantization_work(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
