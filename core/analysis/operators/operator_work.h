// SPDX-License-Identifier: GPL-3.0-or-later
// FLOPs and bytes an operator needs by the shapes of its inputs (rules-tracelens.md, "Call tree, performance models").
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

enum class OperatorCategory : std::uint8_t {
    gemm,
    grouped_gemm,
    moe_fused,
    moe_unfused,
    conv_forward,
    conv_backward,
    inference_attention, ///< over a paged cache of keys and values, and writing that cache
    attention_forward,
    attention_backward,
    rms_norm,
    triton, ///< kernels that torch.compile generated
    rotary_forward,
    rotary_backward,
    cross_entropy_forward,
    cross_entropy_backward,
    state_space_forward, ///< Mamba and its convolution
    state_space_backward,
    moe_exchange_forward, ///< tokens to their experts and back
    moe_exchange_backward,
    moe_routing, ///< which expert a token goes to, and sorting by it
    quantization,
    norm_forward,
    norm_backward,
    reduce,
    elementwise,
    multi_tensor_apply,
    hyper_connection,
    custom_collective, ///< of an engine's own kernels, where they do not count as communication
    communication,
    other
};
inline constexpr std::size_t kOperatorCategories = static_cast<std::size_t>(OperatorCategory::other) + 1;
/// TraceLens's words: "GEMM", "CONV_fwd", "CONV_bwd", "SDPA_fwd", "SDPA_bwd", "NORM_fwd", "NORM_bwd", "reduce" ...
std::string_view operator_category_word(OperatorCategory category);
/// By the operator's name, else by the name of the first kernel it launched.
OperatorCategory operator_category(std::string_view operator_name, std::string_view kernel_name);
/// Done on matrix units: GEMM, convolution, attention. Model FLOPs are counted in these.
bool is_matrix_work(OperatorCategory category);
/// A matrix kernel that rounds "float" to TF32, told by its name: "..._tf32f32_..." (cuDNN, cuBLASLt), or CUTLASS's
/// m16n8k8 instruction on tensor cores, "tensorop_s1688", which for "float" there is no other of. To be asked of work
/// on "float" only.
bool is_tf32_kernel(std::string_view kernel_name);

/// Inputs as recorded. A list of tensors has no dims.
struct OperatorShapes {
    std::vector<std::vector<std::int64_t>> dims;
    std::vector<std::string> types;    ///< "c10::BFloat16", "Scalar", ""
    std::vector<std::string> concrete; ///< "", "1", "[2, 2]", "True"

    /// Texts of OperatorInputs; empty when they are not what PyTorch writes.
    static std::optional<OperatorShapes> parse(std::string_view dims, std::string_view types,
                                               std::string_view concrete);
};

/// bytes: every input and output moved once.
struct OperatorWork {
    double flops = 0;
    double bytes = 0;
};

/// Whether operator_work() or paged_attention_work() knows the operator, whatever its shapes.
bool has_performance_model(std::string_view operator_name);
/// Whether it may only call another operator that has the model and the inputs: relu calls clamp_min.
bool calls_its_model(std::string_view operator_name);

/// What the requests of a serving engine's step attend to, as its annotation tells: sums over requests of q computed
/// tokens that attend to k.
struct AttendedTokens {
    double context_q = 0, context_k = 0, context_qq = 0, context_qk = 0; ///< prompts: causal in their own tokens
    double generation_q = 0, generation_k = 0, generation_qk = 0;
};
/// Attention over a paged cache, whose inputs do not tell its length: 2·H·(dq + dv)·(Σqk − Σqq/2 of prompts, Σqk of
/// decoding requests); Q, K, V and the output moved once. Inputs: query, key, value and output, [tokens, heads, dim].
/// Gated delta networks: by the step's tokens. Empty for other operators and shapes.
std::optional<OperatorWork> paged_attention_work(std::string_view operator_name, const OperatorShapes& shapes,
                                                 const AttendedTokens& attended);

/// GEMM 2MNK (+ MN with a bias); convolution 2·prod(out)·prod(weight[1:]), backward once for each gradient asked for;
/// attention 2·B·H·Nq·Nk·(dq + dv), half when causal, backward 2·B·H·Nq·Nk·(2dq + 2dv), + dq when the scores are
/// computed again; elementwise one per output element; reduction one per input element, norms 2, deviations and
/// logarithms of sums 4; the others as their headers say: experts, normalisation, fused operators, state spaces, casts
/// with scales, writes into caches, routing and exchange. Empty for operators without a model or shapes that do not fit
/// it.
std::optional<OperatorWork> operator_work(std::string_view operator_name, const OperatorShapes& shapes);

/// Bytes of one element; a "Scalar" counts 4, as in TraceLens. Empty for other words.
std::optional<double> element_bytes(std::string_view type);

} // namespace rankscope
