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
    product,          ///< matrix_work.h
    grouped_product,  ///< the same
    experts,          ///< the same
    convolution,      ///< the same
    attention,        ///< attention_work.h
    paged_attention,  ///< the same
    sparse_attention, ///< the same; its inputs tell its work
    delta_net,        ///< state_space_work.h; its work is that of the step's tokens
    cache_write,      ///< cache_work.h
    rotated_cache,    ///< the same
    rms_norm,         ///< norm_work.h and fused_norm_work.h
    norm,             ///< the same
    rotary,           ///< fused_work.h
    cross_entropy,    ///< the same
    state_space,      ///< state_space_work.h
    quantization,     ///< quantize_work.h
    routing,          ///< exchange_work.h
    token_exchange,   ///< the same
    collective,       ///< the same
    hyper_connection, ///< hyper_connection_work.h
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
