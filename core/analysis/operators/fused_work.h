// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of libraries that do several steps in one kernel: gated activations, rotary embedding, cross entropy. The
// positions are those of aiter, SGLang, Transformer Engine and Liger.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

enum class FusedKind : std::uint8_t { gated_activation, rotary_embedding, cross_entropy, none };
FusedKind fused_kind(std::string_view operator_name);
/// A gated activation whose gate and factor are two tensors.
bool is_gate_of_two_tensors(std::string_view operator_name);

/// Values that a rotary embedding turns: pairs of each head of queries and keys. Empty where the shapes do not tell.
std::optional<double> rotated_values(std::string_view operator_name, const ModelInputs& in);

/// Gated: 5 an element of the result for silu, 8 for gelu, 10 for its approximation by tanh; half of the input is the
/// gate. Rotary embedding: 6 a pair; what is turned is read and written. Cross entropy: 5 a logit.
std::optional<OperatorWork> fused_work(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
