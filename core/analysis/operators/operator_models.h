// SPDX-License-Identifier: GPL-3.0-or-later
// Which performance model an operator has.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_work.h"

namespace rankscope {

/// By the operator's name.
enum class ModelFamily : std::uint8_t {
    none,
    product,         ///< matrix_work.h
    grouped_product, ///< the same
    experts,         ///< the same
    convolution,     ///< the same
    attention,       ///< attention_work.h
    paged_attention, ///< the same
    rms_norm,        ///< norm_work.h
    norm,            ///< the same
    rotary,          ///< fused_work.h
    cross_entropy,   ///< the same
    state_space,     ///< the same
    reduction,
    unary, ///< element by element, of one tensor, or a gated activation
    binary
};
ModelFamily model_family(std::string_view operator_name);

/// The type that the work is done in: of the factors, the queries or the tokens, wherever they stand; else of the first
/// input. Values of 4 bits in bytes are "c10::Float4_e2m1fn_x2". "" where none is recorded.
std::string_view main_type(std::string_view operator_name, const OperatorShapes& shapes);

/// Elements of the result of a reduction; empty for other operators and shapes.
std::optional<double> reduction_results(std::string_view operator_name, const OperatorShapes& shapes);

} // namespace rankscope
