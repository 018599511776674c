// SPDX-License-Identifier: GPL-3.0-or-later
// Writing keys and values of new tokens into the cache of a serving engine, alone or with the rotary embedding before
// it. The positions are those of vLLM's, SGLang's and aiter's schemas.
//
// Source of the formula: TraceLens and the kernels. A write moves what it reads (keys and values of the step's tokens,
// a slot for each) and the rows that it writes, not the whole cache; it has no floating-point operation. A rotation is
// 3 FLOPs a value, as in fused_work.h. The number of tokens is that of the slots where they are recorded: an engine
// pads keys and values to the size of a graph, but not the slots.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

/// Into the cache alone, or joining the two parts of a query of MLA.
bool is_cache_write(std::string_view operator_name);
/// With a rotary embedding.
bool is_rotated_cache_write(std::string_view operator_name);

struct CacheWriteShape {
    double tokens = 0;
    double values = 0;     ///< read for the cache, of all tokens: keys and values, or the two parts of MLA
    std::size_t key = 0;   ///< positions: keys, or MLA's compressed ones;
    std::size_t value = 1; ///< values, or MLA's rotated keys;
    std::size_t cache = 2; ///< the cache of keys
    OperatorWork work;
};
std::optional<CacheWriteShape> cache_write_shape(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
