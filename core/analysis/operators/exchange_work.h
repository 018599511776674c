// SPDX-License-Identifier: GPL-3.0-or-later
// Which expert a token goes to, and collectives and exchanges of tokens that engines run with kernels of their own. The
// positions are those of aiter's, vLLM's, SGLang's and Megatron's operators.
//
// Sources of the formulas. Bytes: every recorded tensor once (TraceLens); of an exchange what this GPU's memory gives
// and takes, not what the links carry. FLOPs: sorting, copying and collectives have none; an all-reduce with the
// normalisation behind it has those of the residual and of RMSNorm, 5 N and 2 a row (TraceLens). A router scores every
// expert: sigmoid 4 and the correction 1 a logit, softplus, its root and the correction 6 (TraceLens has 6 there, and 1
// for each chosen expert with the sigmoid).
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

enum class ExchangeKind : std::uint8_t {
    routing,    ///< choice of experts
    sorting,    ///< of tokens by expert
    tokens,     ///< to their experts and back
    collective, ///< all-reduce, all-gather, reduce-scatter
    none
};
ExchangeKind exchange_kind(std::string_view operator_name);
/// Position of the tensor that is exchanged or scored.
std::size_t exchanged_input(std::string_view operator_name);
std::optional<OperatorWork> exchange_work(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
