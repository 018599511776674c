// SPDX-License-Identifier: GPL-3.0-or-later
// Performance models of operators.
#include "core/analysis/operators/operator_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;
using Dims = std::vector<std::int64_t>;
using Work = std::optional<OperatorWork>;

double elements(const Dims& dims) {
    return std::accumulate(
        dims.begin(), dims.end(), 1.0, [](double n, std::int64_t d) { return n * static_cast<double>(d); });
}

/// Input i as the models see it: its dims, and what it weighs.
class Inputs {
public:
    explicit Inputs(const OperatorShapes& shapes) : shapes_(shapes) {}
    [[nodiscard]] const Dims& dims(std::size_t i) const {
        static const Dims kNone;
        return i < shapes_.dims.size() ? shapes_.dims[i] : kNone;
    }
    [[nodiscard]] bool is_tensor(std::size_t i) const { return !dims(i).empty(); }
    [[nodiscard]] double count(std::size_t i) const { return elements(dims(i)); }
    [[nodiscard]] double width(std::size_t i) const {
        return i < shapes_.types.size() ? element_bytes(shapes_.types[i]).value_or(0) : 0;
    }
    [[nodiscard]] double bytes(std::size_t i) const { return is_tensor(i) ? count(i) * width(i) : 0; }
    [[nodiscard]] std::string_view concrete(std::size_t i) const {
        return i < shapes_.concrete.size() ? std::string_view(shapes_.concrete[i]) : ""sv;
    }
    [[nodiscard]] bool is_true(std::size_t i) const { return concrete(i) == "True"; }
    [[nodiscard]] nlohmann::json list(std::size_t i) const {
        return nlohmann::json::parse(lower_case(concrete(i)), nullptr, false);
    }

private:
    const OperatorShapes& shapes_;
};

/// a, b: positions of the factors; bias: whether the product is added to what stands before them.
Work gemm(const Inputs& in, std::size_t a, std::size_t b, bool bias) {
    const Dims& left = in.dims(a);
    const Dims& right = in.dims(b);
    if (left.size() < 2 || left.size() != right.size() || in.width(a) == 0)
        return {};
    const double batch = elements({left.begin(), left.end() - 2});
    const auto m = static_cast<double>(left[left.size() - 2]);
    const auto k = static_cast<double>(left.back());
    const auto n = static_cast<double>(right.back());
    if (static_cast<double>(right[right.size() - 2]) != k)
        return {};
    const double out_width = in.width(a) == 1 ? 2 : in.width(a); // products of fp8 come out in 16 bits
    return OperatorWork{batch * (2 * m * n * k + (bias ? m * n : 0)),
                        in.bytes(a) + in.bytes(b) + batch * m * n * out_width + (bias ? in.bytes(0) : 0)};
}

/// Where a convolution operator has what.
struct ConvLayout {
    std::string_view name;
    std::size_t padding;
    std::size_t stride;
    std::size_t dilation;
    bool has_bias;
    std::size_t transposed; ///< 0: never
};
constexpr std::array kConvolutions{ConvLayout{"aten::miopen_convolution", 3, 4, 5, true, 0},
                                   ConvLayout{"aten::cudnn_convolution", 2, 3, 4, false, 0},
                                   ConvLayout{"aten::convolution", 4, 3, 5, true, 6},
                                   ConvLayout{"aten::_convolution", 4, 3, 5, true, 6},
                                   ConvLayout{"aten::convolution_overrideable", 4, 3, 5, true, 6},
                                   ConvLayout{"aten::cudnn_convolution_relu", 4, 3, 5, true, 0}};

/// One number of a recorded list, which may hold one for all dimensions.
std::optional<double> item(const nlohmann::json& list, std::size_t i) {
    if (!list.is_array() || list.empty())
        return {};
    const nlohmann::json& value = list[std::min(i, list.size() - 1)];
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

Work convolution(const Inputs& in, const ConvLayout& layout) {
    const Dims& input = in.dims(0);
    const Dims& weight = in.dims(1);
    if (input.size() < 3 || weight.size() != input.size() || in.width(0) == 0 ||
        (layout.transposed > 0 && in.is_true(layout.transposed)))
        return {};
    const nlohmann::json padding = in.list(layout.padding);
    const nlohmann::json stride = in.list(layout.stride);
    const nlohmann::json dilation = in.list(layout.dilation);
    double out = static_cast<double>(input[0]) * static_cast<double>(weight[0]);
    for (std::size_t i = 2; i < input.size(); ++i) {
        const auto p = item(padding, i - 2);
        const auto s = item(stride, i - 2);
        const auto d = item(dilation, i - 2);
        if (!p || !s || !d || *s <= 0)
            return {};
        const double reach = *d * static_cast<double>(weight[i] - 1) + 1;
        out *= std::floor((static_cast<double>(input[i]) + 2 * *p - reach) / *s) + 1;
    }
    const bool bias = layout.has_bias && in.is_tensor(2);
    return OperatorWork{2 * out * in.count(1) / static_cast<double>(weight[0]) + (bias ? out : 0),
                        in.bytes(0) + in.bytes(1) + out * in.width(0) + (bias ? in.bytes(2) : 0)};
}

/// aten::convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed,
/// output_padding, groups, output_mask): each gradient of the mask costs one convolution; the bias's is a sum.
Work convolution_backward(const Inputs& in) {
    if (in.dims(2).size() < 3 || in.width(0) == 0 || in.is_true(7))
        return {};
    const nlohmann::json mask = in.list(10);
    if (!mask.is_array() || mask.size() != 3 || !mask[0].is_boolean() || !mask[1].is_boolean() || !mask[2].is_boolean())
        return {};
    const double gradients = (mask[0].get<bool>() ? 1 : 0) + (mask[1].get<bool>() ? 1 : 0);
    const bool bias = mask[2].get<bool>();
    const auto channels = static_cast<double>(in.dims(2)[0]);
    const double once = in.bytes(0) + in.bytes(1) + in.bytes(2);
    return OperatorWork{gradients * 2 * in.count(0) * in.count(2) / channels + (bias ? in.count(0) : 0),
                        gradients * once + (bias ? channels * in.width(0) : 0)};
}

/// query: position of q, k and v follow; causal: position of the flag, or of a mask type that is not 0.
struct AttentionLayout {
    std::string_view name;
    std::size_t query;
    std::size_t causal;
    bool heads_last; ///< [B, N, H, D] instead of [B, H, N, D]
    bool backward;
};
constexpr std::array kAttentions{
    AttentionLayout{"aten::_scaled_dot_product_flash_attention", 0, 4, false, false},
    AttentionLayout{"aten::_scaled_dot_product_efficient_attention", 0, 6, false, false},
    AttentionLayout{"aten::_scaled_dot_product_cudnn_attention", 0, 6, false, false},
    AttentionLayout{"aten::_flash_attention_forward", 0, 8, true, false},
    AttentionLayout{"aten::_efficient_attention_forward", 0, 9, true, false},
    AttentionLayout{"aten::_scaled_dot_product_fused_attention_overrideable", 0, 5, false, false},
    AttentionLayout{"flash_attn::_flash_attn_forward", 0, 5, true, false},
    AttentionLayout{"FlashAttnFunc", 0, 5, true, false},
    AttentionLayout{"aiter::_flash_attn_forward", 0, 5, true, false},
    AttentionLayout{"aiter::mha_fwd", 0, 5, true, false},
    AttentionLayout{"aiter::fmha_v3_fwd", 0, 5, true, false},
    AttentionLayout{"aten::_scaled_dot_product_flash_attention_backward", 1, 11, false, true},
    AttentionLayout{"aten::_scaled_dot_product_efficient_attention_backward", 1, 11, false, true},
    AttentionLayout{"aten::_scaled_dot_product_cudnn_attention_backward", 1, 14, false, true},
    AttentionLayout{"aten::_scaled_dot_product_fused_attention_overrideable_backward", 1, 13, false, true},
    AttentionLayout{"flash_attn::_flash_attn_backward", 1, 11, true, true},
    AttentionLayout{"aiter::_flash_attn_backward", 1, 12, true, true},
    AttentionLayout{"aiter::mha_bwd", 1, 8, true, true},
    AttentionLayout{"aiter::fmha_v3_bwd", 1, 8, true, true},
    AttentionLayout{"aten::_flash_attention_backward", 1, 11, true, true},
    AttentionLayout{"aten::_efficient_attention_backward", 1, 14, true, true}};

Work attention(const Inputs& in, const AttentionLayout& layout) {
    const Dims& q = in.dims(layout.query);
    const Dims& k = in.dims(layout.query + 1);
    const Dims& v = in.dims(layout.query + 2);
    if (q.size() != 4 || k.size() != 4 || v.size() != 4 || in.width(layout.query) == 0)
        return {};
    const std::size_t heads = layout.heads_last ? 2 : 1;
    const std::size_t length = layout.heads_last ? 1 : 2;
    const double pairs = static_cast<double>(q[0]) * static_cast<double>(q[heads]) * static_cast<double>(q[length]) *
                         static_cast<double>(k[length]);
    const auto dq = static_cast<double>(q[3]);
    const auto dv = static_cast<double>(v[3]);
    const std::string_view flag = in.concrete(layout.causal);
    const double part = flag == "True" || flag == "1" || flag == "2" ? 0.5 : 1;
    const double out = in.count(layout.query) / dq * dv * in.width(layout.query);
    const double read = in.bytes(layout.query) + in.bytes(layout.query + 1) + in.bytes(layout.query + 2);
    // All of these kernels compute the scores again on the way back. It reads q, k, v, out and its gradient, and writes
    // three.
    return layout.backward ? OperatorWork{part * 2 * pairs * (3 * dq + 2 * dv), 2 * read + 2 * out}
                           : OperatorWork{part * 2 * pairs * (dq + dv), read + out};
}

constexpr std::array kNormForward{
    "aten::batch_norm"sv,        "aten::native_batch_norm"sv,       "aten::cudnn_batch_norm"sv,
    "aten::miopen_batch_norm"sv, "aten::_batch_norm_with_update"sv, "aten::layer_norm"sv,
    "aten::native_layer_norm"sv, "aten::native_group_norm"sv};
constexpr std::array kNormBackward{"aten::native_batch_norm_backward"sv, "aten::cudnn_batch_norm_backward"sv,
                                   "aten::miopen_batch_norm_backward"sv, "aten::native_layer_norm_backward"sv};

Work norm_forward(const Inputs& in, bool batch_norm) {
    const Dims& input = in.dims(0);
    if (input.size() < 2 || in.width(0) == 0)
        return {};
    const double n = in.count(0);
    const double channels = batch_norm ? static_cast<double>(input[1]) : in.is_tensor(2) ? in.count(2) : 0;
    const bool statistics = !batch_norm || in.is_true(5);
    // Scale, shift, and mean and variance read and written.
    return OperatorWork{(statistics ? 5 : 2) * n + 6 * channels,
                        (2 * n + (statistics ? 6 : 4) * channels) * in.width(0)};
}

Work norm_backward(const Inputs& in, bool batch_norm) {
    const Dims& input = in.dims(1);
    if (input.size() < 2 || in.width(1) == 0)
        return {};
    const double n = in.count(1);
    const double channels = batch_norm ? static_cast<double>(input[1]) : 0;
    return OperatorWork{9 * n, (3 * n + 4 * channels) * in.width(1)};
}

constexpr std::array kReductions{"aten::sum"sv,  "aten::mean"sv, "aten::amax"sv,
                                 "aten::amin"sv, "aten::max"sv,  "aten::min"sv};

Work reduction(const Inputs& in) {
    if (!in.is_tensor(0) || in.width(0) == 0)
        return {};
    const Dims& input = in.dims(0);
    std::vector<bool> reduced(input.size(), true);
    const nlohmann::json along = in.list(1);
    if (along.is_array() && !along.empty()) {
        reduced.assign(input.size(), false);
        for (const nlohmann::json& d : along) {
            const std::int64_t at = d.is_number_integer() ? d.get<std::int64_t>() : 0;
            const std::int64_t place = at < 0 ? at + static_cast<std::int64_t>(input.size()) : at;
            if (place >= 0 && place < static_cast<std::int64_t>(input.size()))
                reduced[static_cast<std::size_t>(place)] = true;
        }
    }
    double out = 1;
    for (std::size_t i = 0; i < input.size(); ++i)
        out *= reduced[i] ? 1 : static_cast<double>(input[i]);
    return OperatorWork{in.count(0), (in.count(0) + out) * in.width(0)};
}

constexpr std::array kUnary{"copy_"sv,   "clamp_min"sv, "clamp_max"sv, "clamp"sv,      "relu"sv, "gelu"sv, "silu"sv,
                            "sigmoid"sv, "tanh"sv,      "exp"sv,       "log"sv,        "neg"sv,  "sqrt"sv, "rsqrt"sv,
                            "sin"sv,     "cos"sv,       "abs"sv,       "reciprocal"sv, "pow"sv};
constexpr std::array kBinary{"add"sv,
                             "sub"sv,
                             "mul"sv,
                             "div"sv,
                             "threshold_backward"sv,
                             "gelu_backward"sv,
                             "silu_backward"sv,
                             "sigmoid_backward"sv,
                             "tanh_backward"sv,
                             "maximum"sv,
                             "minimum"sv};

/// "aten::add_" -> "add"; copy_ keeps its underscore.
std::string_view short_name(std::string_view name) {
    if (name.starts_with("aten::"))
        name.remove_prefix(6);
    if (name.ends_with('_') && name != "copy_")
        name.remove_suffix(1);
    return name;
}

Work unary(const Inputs& in, bool copy) {
    // copy_(to, from): what is read is the second.
    const double read = in.width(copy ? 1 : 0);
    if (read == 0 || in.width(0) == 0)
        return {};
    return OperatorWork{in.count(0), in.count(0) * read + in.count(0) * in.width(0)};
}

Work binary(const Inputs& in) {
    if (in.width(0) == 0 || in.width(1) == 0)
        return {};
    Dims out = in.dims(0).size() >= in.dims(1).size() ? in.dims(0) : in.dims(1);
    const Dims& other = in.dims(0).size() >= in.dims(1).size() ? in.dims(1) : in.dims(0);
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::int64_t& d = out[out.size() - other.size() + i];
        d = d == 1 ? other[i] : d;
    }
    return OperatorWork{elements(out),
                        in.count(0) * in.width(0) + in.count(1) * in.width(1) + elements(out) * in.width(0)};
}

constexpr std::array kGemms{"aten::mm"sv,
                            "aten::addmm"sv,
                            "aten::bmm"sv,
                            "aten::baddbmm"sv,
                            "aten::_scaled_mm"sv,
                            "aten::addmv"sv,
                            "aten::_addmm_activation"sv,
                            "aten::matmul"sv,
                            "aten::linear"sv};

/// (input [..., K], weight [N, K], bias [N] or none): vLLM's linear layers
constexpr std::array kUnquantizedGemms{"vllm::rocm_unquantized_gemm"sv, "vllm::rocm_unquantized_gemm_impl"sv,
                                       "vllm::cpu_unquantized_gemm"sv};

Work linear(const Inputs& in) {
    const Dims& input = in.dims(0);
    const Dims& weight = in.dims(1);
    if (input.empty() || weight.size() != 2 || input.back() != weight.back() || in.width(0) == 0)
        return {};
    const auto n = static_cast<double>(weight.front());
    const double m = in.count(0) / static_cast<double>(std::max<std::int64_t>(1, input.back()));
    const bool bias = in.is_tensor(2);
    return OperatorWork{2 * m * n * static_cast<double>(input.back()) + (bias ? m * n : 0),
                        in.bytes(0) + in.bytes(1) + m * n * in.width(0) + in.bytes(2)};
}

constexpr std::array kFusedMoe{"vllm::fused_experts"sv,
                               "vllm::inplace_fused_experts"sv,
                               "vllm::outplace_fused_experts"sv,
                               "aiter::fused_moe"sv,
                               "aiter::fused_moe_"sv,
                               "vllm::rocm_aiter_fused_moe"sv,
                               "sglang::fused_experts"sv,
                               "sglang::inplace_fused_experts"sv,
                               "sglang::outplace_fused_experts"sv};

/// (hidden [T, H], w1 [E, 2I, H], w2 [E, H, I], weights of the experts [T, k], ...), gated: three products of H·I a
/// token and expert. Of E experts those are read that at least one of T tokens asks for, each token asking k of them
/// evenly.
Work fused_moe(const Inputs& in) {
    const Dims& hidden = in.dims(0);
    const Dims& up = in.dims(1);
    const Dims& down = in.dims(2);
    if (hidden.size() != 2 || up.size() != 3 || down.size() != 3 || up[0] != down[0] || in.width(0) == 0 ||
        in.width(1) == 0)
        return {};
    double k = 0;
    for (std::size_t i = 3; i < 8 && k == 0; ++i)
        if (in.dims(i).size() == 2 && in.dims(i)[0] == hidden[0] && in.dims(i)[1] <= up[0])
            k = static_cast<double>(in.dims(i)[1]);
    if (k == 0)
        return {};
    const auto tokens = static_cast<double>(hidden[0]);
    const auto experts = static_cast<double>(up[0]);
    const double each = (in.count(1) + in.count(2)) / experts;
    const double read = experts * (1 - std::pow(1 - k / experts, tokens));
    return OperatorWork{2 * tokens * k * each, 2 * in.bytes(0) + read * (in.bytes(1) + in.bytes(2)) / experts};
}

constexpr std::array kGroupedGemms{"aten::_grouped_mm"sv,
                                   "aten::_scaled_grouped_mm"sv,
                                   "primus_turbo::grouped_gemm"sv,
                                   "primus_turbo::grouped_gemm_impl"sv,
                                   "primus_turbo_cpp_extension::grouped_gemm"sv,
                                   "primus_turbo_cpp_extension::ck_grouped_gemm"sv,
                                   "primus_turbo_cpp_extension::hipblaslt_grouped_gemm"sv};

/// Rows of tokens [M, K] times a weight for each of G experts, [G, K, N] or [G, N, K]: every row once, 2·M·K·N, whoever
/// of the experts it goes to. No more weights are read than there are rows. A product for each group, [G, M, K] times
/// [G, K, N], is that of bmm. Two matrices whose common dimension is cut into groups are gradients of weights: [M, K]
/// and [K, N] to [G, M, N], with G the number of offsets behind them.
Work grouped_gemm(const Inputs& in) {
    const Dims& a = in.dims(0);
    const Dims& b = in.dims(1);
    if (in.width(0) == 0 || in.width(1) == 0 || a.size() < 2 || b.size() < 2)
        return {};
    const double out_width = in.width(0) == 1 ? 2 : in.width(0); // of 8 bits come 16
    const auto size = [](std::int64_t d) { return static_cast<double>(d); };
    if (a.size() == 2 && b.size() == 3) {
        const bool plain = b[1] == a[1];
        if (!plain && b[2] != a[1])
            return {};
        const double m = size(a[0]), k = size(a[1]), n = size(plain ? b[2] : b[1]);
        const double read = b[0] > 0 ? std::min(1.0, m / size(b[0])) : 0;
        return OperatorWork{2 * m * k * n, in.bytes(0) + read * in.bytes(1) + m * n * out_width};
    }
    if (a.size() == 3 && b.size() == 3 && a[0] == b[0] && (a[2] == b[1] || a[2] == b[2])) {
        const double n = size(a[2] == b[1] ? b[2] : b[1]);
        return OperatorWork{2 * in.count(0) * n, in.bytes(0) + in.bytes(1) + size(a[0]) * size(a[1]) * n * out_width};
    }
    double groups = 0;
    for (std::size_t i = 2; i < 6 && groups == 0; ++i)
        groups = in.dims(i).size() == 1 ? size(in.dims(i)[0]) : 0;
    if (a.size() != 2 || b.size() != 2 || a[1] != b[0] || groups == 0)
        return {};
    return OperatorWork{2 * in.count(0) * size(b[1]),
                        in.bytes(0) + in.bytes(1) + groups * size(a[0]) * size(b[1]) * out_width};
}

constexpr std::array kPagedAttention{"vllm::unified_attention_with_output"sv,
                                     "vllm::unified_attention"sv,
                                     "vllm::unified_mla_attention_with_output"sv,
                                     "aiter::paged_attention"sv,
                                     "_C::paged_attention_v1"sv,
                                     "_C::paged_attention_v2"sv,
                                     "_rocm_C::paged_attention"sv,
                                     "sglang::unified_attention_with_output"sv};

/// Wrappers of vLLM differ in their arguments; the operators inside them do not.
bool has_rms_norm_model(std::string_view name) {
    return (contains(name, "rms_norm") || contains(name, "rmsnorm")) && !name.starts_with("vllm::") &&
           !contains(name, "quant") && !contains(name, "ackward");
}

/// (input, weight, epsilon ...), or with the residual added first (out, input, residual, residual out, weight ...).
/// Squares, their sum, scale and weight: 4 N, and 2 a row; the addition another N.
Work rms_norm(std::string_view name, const Inputs& in) {
    if (!in.is_tensor(0) || in.width(0) == 0 || contains(name, "backward") || contains(name, "quant"))
        return {};
    const bool added = contains(name, "add");
    const Dims& input = in.dims(0);
    const double n = in.count(0);
    double tensors = 0;
    double weight = 0;
    for (std::size_t i = 0; i < 8; ++i)
        if (in.dims(i) == input)
            ++tensors;
        else if (in.dims(i).size() == 1 && in.dims(i)[0] == input.back() && weight == 0)
            weight = in.bytes(i);
    if (added && tensors < 2)
        return {};
    const double rows = n / static_cast<double>(std::max<std::int64_t>(1, input.back()));
    return OperatorWork{(added ? 5 : 4) * n + 2 * rows, (added ? 4 : 2) * n * in.width(0) + weight};
}

Work gemm_by_name(std::string_view name, const Inputs& in) {
    if (name == "aten::mm" || name == "aten::bmm" || name == "aten::_scaled_mm" || name == "aten::matmul")
        return gemm(in, 0, 1, false);
    return name == "aten::addmm" || name == "aten::baddbmm" || name == "aten::_addmm_activation" ? gemm(in, 1, 2, true)
                                                                                                 : Work{};
}

} // namespace

std::string_view operator_category_word(OperatorCategory category) {
    constexpr std::array<std::string_view, kOperatorCategories> kWords{"GEMM",
                                                                       "GroupedGEMM",
                                                                       "MoE_fused",
                                                                       "MoE_unfused",
                                                                       "CONV_fwd",
                                                                       "CONV_bwd",
                                                                       "InferenceAttention",
                                                                       "SDPA_fwd",
                                                                       "SDPA_bwd",
                                                                       "RMSNorm",
                                                                       "triton",
                                                                       "NORM_fwd",
                                                                       "NORM_bwd",
                                                                       "reduce",
                                                                       "elementwise",
                                                                       "multi_tensor_apply",
                                                                       "communication",
                                                                       "other"};
    return kWords[static_cast<std::size_t>(category)];
}

bool is_matrix_work(OperatorCategory category) { return category <= OperatorCategory::attention_backward; }

bool is_tf32_kernel(std::string_view name) {
    return contains(name, "tf32") || contains(name, "TF32") || contains(name, "tensorop_s1688");
}

OperatorCategory operator_category(std::string_view name, std::string_view kernel_name) {
    const bool backward = contains(name, "backward") || contains(name, "Backward");
    if (is_one_of(name, kGemms) || is_one_of(name, kUnquantizedGemms))
        return OperatorCategory::gemm;
    if (contains(name, "grouped_gemm") || contains(name, "grouped_mm"))
        return OperatorCategory::grouped_gemm;
    if (is_one_of(name, kFusedMoe))
        return OperatorCategory::moe_fused;
    if (name.starts_with("triton"))
        return OperatorCategory::triton;
    if (is_one_of(name, kPagedAttention) || contains(name, "reshape_and_cache"))
        return OperatorCategory::inference_attention;
    if (contains(name, "rms_norm") || contains(name, "rmsnorm") || contains(name, "RMSNorm"))
        return OperatorCategory::rms_norm;
    if (contains(name, "convolution") || contains(name, "conv2d"))
        return backward ? OperatorCategory::conv_backward : OperatorCategory::conv_forward;
    if (contains(name, "attention") || contains(name, "flash_attn") || contains(name, "fmha") ||
        contains(name, "FlashAttnFunc") || contains(name, "FusedAttnFunc"))
        return backward ? OperatorCategory::attention_backward : OperatorCategory::attention_forward;
    if (contains(name, "batch_norm") || contains(name, "layer_norm") || contains(name, "group_norm") ||
        contains(name, "instance_norm"))
        return backward ? OperatorCategory::norm_backward : OperatorCategory::norm_forward;
    if (is_one_of(name, kReductions))
        return OperatorCategory::reduce;
    if (is_one_of(short_name(name), kUnary) || is_one_of(short_name(name), kBinary) ||
        contains(kernel_name, "elementwise"))
        return OperatorCategory::elementwise;
    if (contains(kernel_name, "multi_tensor_apply"))
        return OperatorCategory::multi_tensor_apply;
    return contains(kernel_name, "reduce_kernel") ? OperatorCategory::reduce : OperatorCategory::other;
}

std::optional<double> element_bytes(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, double>, 14> kTypes{{{"c10::BFloat16", 2},
                                                                          {"c10::Half", 2},
                                                                          {"float", 4},
                                                                          {"double", 8},
                                                                          {"long int", 8},
                                                                          {"long", 8},
                                                                          {"int", 4},
                                                                          {"short int", 2},
                                                                          {"bool", 1},
                                                                          {"unsigned char", 1},
                                                                          {"signed char", 1},
                                                                          {"c10::complex<float>", 8},
                                                                          {"c10::complex<double>", 16},
                                                                          {"Scalar", 4}}};
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.first == type; });
    if (found != kTypes.end())
        return found->second;
    return type.starts_with("c10::Float8") ? std::optional(1.0) : std::nullopt;
}

std::optional<OperatorShapes> OperatorShapes::parse(std::string_view dims, std::string_view types,
                                                    std::string_view concrete) {
    const nlohmann::json dims_json = nlohmann::json::parse(dims, nullptr, false);
    const nlohmann::json types_json = nlohmann::json::parse(types, nullptr, false);
    if (!dims_json.is_array() || !types_json.is_array())
        return {};
    OperatorShapes shapes;
    for (const nlohmann::json& tensor : dims_json) {
        const bool plain = tensor.is_array() && std::all_of(tensor.begin(), tensor.end(),
                                                            [](const auto& d) { return d.is_number_integer(); });
        shapes.dims.push_back(plain ? tensor.get<Dims>() : Dims{});
    }
    const auto texts = [](const nlohmann::json& list) {
        std::vector<std::string> result;
        for (const nlohmann::json& text : list)
            result.push_back(text.is_string() ? text.get<std::string>() : std::string{});
        return result;
    };
    shapes.types = texts(types_json);
    const nlohmann::json concrete_json = nlohmann::json::parse(concrete, nullptr, false);
    if (concrete_json.is_array())
        shapes.concrete = texts(concrete_json);
    return shapes;
}

std::optional<OperatorWork> operator_work(std::string_view name, const OperatorShapes& shapes) {
    const Inputs in(shapes);
    if (is_one_of(name, kGemms))
        return gemm_by_name(name, in);
    if (is_one_of(name, kUnquantizedGemms))
        return linear(in);
    if (is_one_of(name, kGroupedGemms))
        return grouped_gemm(in);
    if (is_one_of(name, kFusedMoe))
        return fused_moe(in);
    if (has_rms_norm_model(name))
        return rms_norm(name, in);
    if (name == "aten::convolution_backward")
        return convolution_backward(in);
    for (const ConvLayout& layout : kConvolutions)
        if (name == layout.name)
            return convolution(in, layout);
    for (const AttentionLayout& layout : kAttentions)
        if (name == layout.name)
            return attention(in, layout);
    if (is_one_of(name, kNormForward))
        return norm_forward(in, contains(name, "batch_norm"));
    if (is_one_of(name, kNormBackward))
        return norm_backward(in, contains(name, "batch_norm"));
    if (is_one_of(name, kReductions))
        return reduction(in);
    if (is_one_of(short_name(name), kUnary))
        return unary(in, name == "aten::copy_");
    return is_one_of(short_name(name), kBinary) ? binary(in) : std::nullopt;
}

bool calls_its_model(std::string_view name) { return short_name(name) == "relu"; }

bool has_performance_model(std::string_view name) {
    const auto named = [&](const auto& layout) { return layout.name == name; };
    return (is_one_of(name, kGemms) && name != "aten::linear" && name != "aten::matmul" && name != "aten::addmv") ||
           is_one_of(name, kUnquantizedGemms) || is_one_of(name, kGroupedGemms) || is_one_of(name, kFusedMoe) ||
           is_one_of(name, kPagedAttention) || name == "aten::convolution_backward" ||
           std::ranges::any_of(kConvolutions, named) || std::ranges::any_of(kAttentions, named) ||
           is_one_of(name, kNormForward) || is_one_of(name, kNormBackward) || is_one_of(name, kReductions) ||
           has_rms_norm_model(name) || is_one_of(short_name(name), kUnary) || is_one_of(short_name(name), kBinary);
}

Work paged_attention_work(std::string_view name, const OperatorShapes& shapes, const AttendedTokens& attended) {
    const Inputs in(shapes);
    const Dims& q = in.dims(0);
    const Dims& k = in.dims(1);
    const Dims& v = in.dims(2);
    if (!is_one_of(name, kPagedAttention) || q.size() != 3 || k.size() != 3 || v.size() != 3 || in.width(0) == 0 ||
        in.width(1) == 0)
        return {};
    const auto heads = static_cast<double>(q[1]);
    const auto kv_heads = static_cast<double>(k[1]);
    const auto dq = static_cast<double>(q[2]);
    const auto dv = static_cast<double>(v[2]);
    const double pairs = attended.context_qk - attended.context_qq / 2 + attended.generation_qk;
    const double tokens = attended.context_q + attended.generation_q;
    const double cached = attended.context_k + attended.generation_k;
    return OperatorWork{2 * heads * (dq + dv) * pairs,
                        tokens * heads * (dq + dv) * in.width(0) + cached * kv_heads * (dq + dv) * in.width(1)};
}

} // namespace rankscope
