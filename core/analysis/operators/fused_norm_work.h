// SPDX-License-Identifier: GPL-3.0-or-later
// Normalisation with what engines and trainers fuse to it: addition of the residual, padding, the cast of the result to
// 8 or 4 bits, a second tensor, modulation. The positions are those of aiter's, vLLM's and Primus's schemas.
//
// Source of the formulas: TraceLens, whose parts are RMSNorm 4 N and 2 a row (norm_work.h), the residual N, the cast 2
// N. Modulation of a normalised layer (x · (1 + scale) + shift) is 2 N more than the normalisation's 5 N; backward 4 N
// more than its 9 N. Bytes: what is read and written once, with scales and with what the operator returns.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

bool is_fused_rms_norm(std::string_view operator_name);
bool is_modulated_norm(std::string_view operator_name);
bool is_modulated_norm_backward(std::string_view operator_name);

/// RMSNorm: positions of its input and weight.
struct FusedNormPlaces {
    std::size_t input = 0, weight = 1;
};
std::optional<FusedNormPlaces> fused_norm_places(std::string_view operator_name);
/// Empty where a size is not recorded, such as that of a group of the cast.
std::optional<OperatorWork> fused_norm_work(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
