// SPDX-License-Identifier: GPL-3.0-or-later
// Attention: what the recorded inputs say of its sizes. The positions are those of the public schemas of PyTorch, of
// flash-attention 2 and 3, aiter, vLLM and SGLang; where versions differ, what the values are decides.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

struct AttentionShape {
    double batch = 0, queries = 0, query_heads = 0, keys = 0, key_heads = 0, head_qk = 0, head_v = 0;
    std::optional<double> dropout;
    bool causal = false;
    double pairs = 0; ///< of a query and a key that are attended to, of all batches, for one head
    std::size_t query = 0;
    double bytes = 0; ///< q, k, v and the output once
};
bool is_attention(std::string_view operator_name);
bool is_attention_backward(std::string_view operator_name);
/// Empty where sequences of unknown lengths are packed into one tensor. EvoformerAttention has [B, sequences, N, H, D],
/// where each of the sequences is one of the batch.
std::optional<AttentionShape> attention_shape(std::string_view operator_name, const ModelInputs& in);
/// Forward 2·H·(dqk + dv) a pair; backward 2·H·(3·dqk + 2·dv), for the scores are computed again.
std::optional<OperatorWork> attention_work(std::string_view operator_name, const ModelInputs& in);

/// Queries over a paged cache of keys and values, whose inputs do not tell how much of it is read.
struct PagedAttentionShape {
    double queries = 0, query_heads = 0, key_heads = 0, head_qk = 0, head_v = 0;
    double keys = 0; ///< of the tensor: of this step, or of the whole cache
    std::size_t query = 0, key = 1;
    bool decodes = false; ///< has no part in prompts
};
bool is_paged_attention(std::string_view operator_name);
std::optional<PagedAttentionShape> paged_attention_shape(std::string_view operator_name, const ModelInputs& in);

/// Queries [T, H, D] over keys that an index chose for each, which are the values too: compressed keys of MLA. The
/// lists of indices tell how many pairs there are: 2·H·(D + dv) a pair (TraceLens). A key is read once, however many
/// queries chose it.
struct SparseAttentionShape {
    double queries = 0, heads = 0, head_qk = 0, head_v = 0;
    double pairs = 0;
    double keys = 0; ///< of the tensors
    std::size_t key = 1;
    OperatorWork work;
};
bool is_sparse_attention(std::string_view operator_name);
std::optional<SparseAttentionShape> sparse_attention_shape(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
