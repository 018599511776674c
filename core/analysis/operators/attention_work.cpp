// SPDX-License-Identifier: GPL-3.0-or-later
// Attention by the shapes of its inputs.
#include "core/analysis/operators/attention_work.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace rankscope {
namespace {

constexpr std::size_t kNoInput = std::numeric_limits<std::size_t>::max();
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// The causal flag is the first "True" or "False" behind the first number, which is the dropout or a length; so it is
/// in each version of each of these schemas.
struct AttentionLayout {
    std::string_view name;
    std::size_t query = 0;            ///< k and v follow
    bool heads_last = false;          ///< [B, N, H, D] instead of [B, H, N, D]
    bool from_end = false;            ///< the last query sees the last key, where their numbers differ
    std::size_t window = kNoInput;    ///< behind the flag: how many keys to the left; the next: to the right
    std::size_t mask_type = kNoInput; ///< instead of a flag: 1 causal from the start, 2 from the end
    std::size_t lengths = kNoInput;   ///< where sequences are packed: their starts, of queries and of keys; with
    std::size_t longest = kNoInput;   ///< the longest of both
    bool zero_flag = false;           ///< another flag stands before
    bool backward = false;
};

constexpr AttentionLayout flash(std::string_view name, std::size_t query, bool backward) {
    return {name, query, true, true, 1, kNoInput, kNoInput, kNoInput, false, backward};
}
constexpr AttentionLayout packed(std::string_view name, std::size_t query, std::size_t lengths, bool zero_flag,
                                 bool backward) {
    return {name, query, true, true, 1, kNoInput, lengths, lengths + 2, zero_flag, backward};
}

constexpr std::string_view kEvoformer = "EvoformerAttention";

constexpr std::array kAttentions{
    AttentionLayout{"aten::_scaled_dot_product_flash_attention"},
    AttentionLayout{"aten::_scaled_dot_product_efficient_attention"},
    AttentionLayout{"aten::_scaled_dot_product_cudnn_attention"},
    AttentionLayout{"aten::_scaled_dot_product_fused_attention_overrideable"},
    AttentionLayout{"aten::_flash_attention_forward", 0, true, true, 3, kNoInput, 3, 5},
    AttentionLayout{"aten::_efficient_attention_forward", 0, true, true, kNoInput, 9, 4, 6},
    AttentionLayout{"aten::_cudnn_attention_forward", 0, false, false, kNoInput, kNoInput, 4, 6, true},
    flash("flash_attn::_flash_attn_forward", 0, false), flash("FlashAttnFunc", 0, false),
    packed("flash_attn::_flash_attn_varlen_forward", 0, 3, false, false),
    // Of flash-attention 3, which has the lengths of packed sequences elsewhere: only what is not packed.
    flash("flash_attn_3::fwd", 0, false), flash("aiter::_flash_attn_forward", 0, false),
    flash("aiter::mha_fwd", 0, false), flash("aiter::fmha_v3_fwd", 0, false),
    flash("aiter::wrapper_fmha_v3_fwd", 1, false), flash(kEvoformer, 0, false),
    AttentionLayout{"aten::_scaled_dot_product_flash_attention_backward", 1, false, false, kNoInput, kNoInput, kNoInput,
                    kNoInput, false, true},
    AttentionLayout{"aten::_scaled_dot_product_efficient_attention_backward", 1, false, false, kNoInput, kNoInput,
                    kNoInput, kNoInput, false, true},
    AttentionLayout{"aten::_scaled_dot_product_cudnn_attention_backward", 1, false, false, kNoInput, kNoInput, kNoInput,
                    kNoInput, false, true},
    AttentionLayout{"aten::_scaled_dot_product_fused_attention_overrideable_backward", 1, false, false, kNoInput,
                    kNoInput, kNoInput, kNoInput, false, true},
    AttentionLayout{"aten::_flash_attention_backward", 1, true, true, 4, kNoInput, 6, 8, false, true},
    AttentionLayout{"aten::_efficient_attention_backward", 1, true, true, kNoInput, 14, 6, 8, false, true},
    flash("flash_attn::_flash_attn_backward", 1, true),
    packed("flash_attn::_flash_attn_varlen_backward", 1, 9, false, true), flash("aiter::_flash_attn_backward", 1, true),
    flash("aiter::mha_bwd", 1, true), flash("aiter::fmha_v3_bwd", 1, true),
    flash("aiter::wrapper_fmha_v3_bwd", 1, true), packed("aiter::mha_varlen_bwd", 1, 6, true, true)};

const AttentionLayout* attention_layout(std::string_view name) {
    const auto* found = std::ranges::find(kAttentions, name, &AttentionLayout::name);
    return found == kAttentions.end() ? nullptr : found;
}

struct Flag {
    std::size_t at = kNoInput;
    std::optional<double> before; ///< the first number
};
Flag causal_flag(const ModelInputs& in, bool skip_one) {
    Flag flag;
    bool skipped = !skip_one;
    for (std::size_t i = 0; i < in.concretes(); ++i) {
        if (!flag.before)
            flag.before = in.number(i);
        else if (in.is_flag(i) && std::exchange(skipped, true)) {
            flag.at = i;
            return flag;
        }
    }
    return flag;
}

/// Of x in [0, queries] and y in [0, keys]: how many pairs with y - x at most `most`.
double pairs_below(double queries, double keys, double most) {
    const auto area = [&](double t) { // of clamp(x, 0, keys) from 0 to t
        return t <= 0 ? 0 : t <= keys ? t * t / 2 : keys * keys / 2 + keys * (t - keys);
    };
    return std::isinf(most) ? (most > 0 ? queries * keys : 0) : area(queries + most) - area(most);
}

/// A limit of a window: a number of keys, or -1 or nothing for none.
double window_limit(const ModelInputs& in, std::size_t at) {
    const auto keys = in.number(at);
    return keys && *keys >= 0 ? *keys : kUnlimited;
}

constexpr std::string_view kSparsePrefill = "aiter::pa_sparse_prefill_opus_fwd";
constexpr std::string_view kSparseTileLang = "sglang_profiler::tilelang_kernel_tilelang_sparse_fwd";

struct PagedLayout {
    std::string_view name;
    std::size_t query = 0, key = 1, value = 2;
    bool heads_second = false; ///< keys [blocks, heads, ...] instead of [..., heads, dim]
    bool decodes = false;
};
constexpr std::array kPagedAttention{
    PagedLayout{"vllm::unified_attention_with_output"}, PagedLayout{"vllm::unified_attention"},
    PagedLayout{"vllm::unified_mla_attention_with_output"}, PagedLayout{"vllm::unified_mla_attention"},
    PagedLayout{"sglang::unified_attention_with_output"}, PagedLayout{"aiter::unified_attention_with_output_base"},
    PagedLayout{"aiter::mha_varlen_fwd"}, PagedLayout{"aiter::fmha_v3_varlen_fwd"},
    PagedLayout{"aiter::mha_batch_prefill"}, PagedLayout{"_vllm_fa2_C::varlen_fwd"}, PagedLayout{"_vllm_fa3_C::fwd"},
    PagedLayout{"sglang_profiler::attention_paged_attention_ragged", 2, 3, 4},
    // (out, query, key cache [blocks, heads, D / x, page, x], values ...), and with
    // three more outputs
    PagedLayout{"_C::paged_attention_v1", 1, 2, 3, true, true},
    PagedLayout{"_C::paged_attention_v2", 4, 5, 6, true, true},
    PagedLayout{"_rocm_C::paged_attention", 4, 5, 6, true, true}, PagedLayout{"aiter::paged_attention"},
    PagedLayout{"aiter::pa_decode_gluon", 0, 2, 3, true, true}};
const PagedLayout* paged_layout(std::string_view name) {
    const auto* found = std::ranges::find(kPagedAttention, name, &PagedLayout::name);
    return found == kPagedAttention.end() ? nullptr : found;
}

} // namespace

bool is_attention(std::string_view name) {
    const AttentionLayout* layout = attention_layout(name);
    return layout != nullptr && !layout->backward;
}
bool is_attention_backward(std::string_view name) {
    const AttentionLayout* layout = attention_layout(name);
    return layout != nullptr && layout->backward;
}

std::optional<AttentionShape> attention_shape(std::string_view name, const ModelInputs& in) {
    const AttentionLayout* layout = attention_layout(name);
    if (layout == nullptr)
        return {};
    ModelInputs::Dims q = in.dims(layout->query);
    ModelInputs::Dims k = in.dims(layout->query + 1);
    ModelInputs::Dims v = in.dims(layout->query + 2);
    if (name == kEvoformer)
        for (ModelInputs::Dims* tensor : {&q, &k, &v}) {
            if (tensor->size() != 5 || __builtin_mul_overflow((*tensor)[0], (*tensor)[1], &(*tensor)[1]))
                return {};
            tensor->erase(tensor->begin());
        }
    const double width = in.width(layout->query);
    if (q.size() < 3 || q.size() > 4 || k.size() != q.size() || v.size() != q.size() || width == 0)
        return {};
    const auto size = [](std::int64_t d) { return static_cast<double>(d); };
    // Keys in pages, or of lengths of their own: (..., 10: used queries, 11: used keys, ..., 14: page table).
    if (name == "flash_attn_3::fwd" && (in.is_tensor(10) || in.is_tensor(11) || in.is_tensor(14)))
        return {};
    const bool batches = q.size() == 4;
    const std::size_t heads = !batches ? 1 : layout->heads_last ? 2 : 1;
    const std::size_t length = !batches ? 0 : layout->heads_last ? 1 : 2;
    AttentionShape shape;
    shape.query = layout->query;
    shape.head_qk = size(q.back());
    shape.head_v = size(v.back());
    shape.batch = batches ? size(q[0]) : 1;
    shape.queries = size(q[length]);
    shape.keys = size(k[length]);
    shape.query_heads = size(q[heads]);
    shape.key_heads = size(k[heads]);
    if (batches && (k[0] != q[0] || v[0] != q[0]))
        return {};
    const bool packs = in.dims(layout->lengths).size() == 1 && in.count(layout->lengths) > 0;
    if (!batches && !packs)
        return {};
    if (packs) {
        // All sequences in one tensor: known where all are as long as the longest, or there is one.
        const double sequences = in.count(layout->lengths) - 1;
        const auto longest = in.number(layout->longest);
        const auto longest_keys = in.number(layout->longest + 1);
        if (sequences < 1 || shape.batch != 1 || !longest || !longest_keys || *longest * sequences != shape.queries ||
            *longest_keys * sequences != shape.keys)
            return {};
        shape.batch = sequences;
        shape.queries = *longest;
        shape.keys = *longest_keys;
    }
    const Flag flag = causal_flag(in, layout->zero_flag);
    const std::string_view mask = layout->mask_type == kNoInput ? std::string_view() : in.concrete(layout->mask_type);
    shape.causal = layout->mask_type == kNoInput ? in.is_true(flag.at) : mask == "1" || mask == "2";
    if (layout->mask_type == kNoInput && layout->lengths == kNoInput)
        shape.dropout = flag.before;
    const bool from_end = layout->from_end && mask != "1";
    const double shift = from_end ? shape.keys - shape.queries : 0;
    const bool has_window = layout->window != kNoInput && flag.at != kNoInput;
    const double left = has_window ? window_limit(in, flag.at + layout->window) : kUnlimited;
    const double right = has_window ? window_limit(in, flag.at + layout->window + 1) : kUnlimited;
    shape.pairs = shape.batch * (pairs_below(shape.queries, shape.keys, shape.causal ? shift : shift + right) -
                                 pairs_below(shape.queries, shape.keys, shift - left));
    if (shape.pairs < 0) // no window ends before it starts
        return {};
    const double out = shape.head_qk > 0 ? in.count(layout->query) / shape.head_qk * shape.head_v : 0;
    shape.bytes = in.bytes(layout->query) + in.bytes(layout->query + 1) + in.bytes(layout->query + 2) +
                  out * std::max(2.0, width);
    return shape;
}

std::optional<OperatorWork> attention_work(std::string_view name, const ModelInputs& in) {
    const auto shape = attention_shape(name, in);
    if (!shape)
        return {};
    const double flops = 2 * shape->pairs * shape->query_heads;
    // Backward reads q, k, v, out and its gradient, and writes three gradients.
    return is_attention_backward(name)
               ? OperatorWork{flops * (3 * shape->head_qk + 2 * shape->head_v), 2 * shape->bytes}
               : OperatorWork{flops * (shape->head_qk + shape->head_v), shape->bytes};
}

bool is_sparse_attention(std::string_view name) { return name == kSparsePrefill || name == kSparseTileLang; }

std::optional<SparseAttentionShape> sparse_attention_shape(std::string_view name, const ModelInputs& in) {
    const auto& q = in.dims(0);
    const auto& kv = in.dims(1);
    if (!is_sparse_attention(name) || q.size() != 3 || kv.empty() || kv.back() != q[2] || in.width(0) == 0 ||
        in.width(1) == 0)
        return {};
    const auto size = [](std::int64_t d) { return static_cast<double>(d); };
    SparseAttentionShape shape;
    shape.queries = size(q[0]);
    shape.heads = size(q[1]);
    shape.head_qk = shape.head_v = size(q[2]);
    const auto rows = [&](std::size_t i) { return in.count(i) / size(in.dims(i).back()); };
    shape.keys = rows(1);
    double read = 0; // bytes of keys
    if (name == kSparseTileLang) {
        // (q, keys [S, 1, D], indices [T, 1, k], scale, dv)
        const auto head_v = in.number(4);
        if (in.dims(2).size() != 3 || in.dims(2)[0] != q[0] || (head_v && (*head_v <= 0 || *head_v > shape.head_qk)))
            return {};
        shape.head_v = head_v.value_or(512); // the function's default
        shape.pairs = in.count(2);
        read = std::min(shape.pairs, shape.keys) * shape.head_qk * in.width(1);
    } else {
        // (q, cached keys [S, D], indices, their starts, new keys [T, D], indices, their starts, ...)
        if (in.dims(2).size() != 1 || in.dims(5).size() != 1 || in.dims(4).size() != 2 || in.dims(4)[1] != q[2] ||
            in.width(4) == 0)
            return {};
        shape.pairs = in.count(2) + in.count(5);
        shape.keys += rows(4);
        read = shape.head_qk *
               (std::min(in.count(2), rows(1)) * in.width(1) + std::min(in.count(5), rows(4)) * in.width(4));
    }
    shape.work = {2 * shape.pairs * shape.heads * (shape.head_qk + shape.head_v),
                  shape.queries * shape.heads * (shape.head_qk + shape.head_v) * in.width(0) + read};
    return shape;
}

bool is_paged_attention(std::string_view name) { return paged_layout(name) != nullptr; }

std::optional<PagedAttentionShape> paged_attention_shape(std::string_view name, const ModelInputs& in) {
    const PagedLayout* layout = paged_layout(name);
    if (layout == nullptr)
        return {};
    const auto& q = in.dims(layout->query);
    const auto& k = in.dims(layout->key);
    const auto& v = in.dims(layout->value);
    if (q.size() != 3 || k.size() < 3 || v.size() < 3 || in.width(layout->query) == 0 || in.width(layout->key) == 0)
        return {};
    const auto size = [](std::int64_t d) { return static_cast<double>(d); };
    PagedAttentionShape shape{size(q[0]), size(q[1]), 0, size(q[2]), 0, 0, layout->query, layout->key, layout->decodes};
    shape.key_heads = size(layout->heads_second ? k[1] : k[k.size() - 2]);
    shape.head_v = layout->heads_second ? shape.head_qk : size(v.back());
    shape.keys = layout->heads_second ? size(k[0]) : in.count(layout->key) / shape.key_heads / size(k.back());
    // A tensor of something else: the compressed keys of MLA, whose heads are made of it on the way.
    const bool keys_fit = layout->heads_second || size(k.back()) == shape.head_qk;
    if (!keys_fit || shape.key_heads <= 0 || std::fmod(shape.query_heads, shape.key_heads) != 0)
        return {};
    return shape;
}

} // namespace rankscope
