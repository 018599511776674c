// SPDX-License-Identifier: GPL-3.0-or-later
// Products, experts and convolutions.
#include "core/analysis/operators/matrix_work.h"

#include <array>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

using MatrixDims = ModelInputs::Dims;
using MatrixWork = std::optional<OperatorWork>;
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

double size_of(std::int64_t d) { return static_cast<double>(d); }

struct ProductLayout {
    std::string_view name;
    std::size_t a = 0, b = 1;
    bool either = false;             ///< b is [K, N] or [N, K]; otherwise [K, N]
    std::size_t bias = kNowhere;     ///< of N elements
    std::size_t added = kNowhere;    ///< the matrix or vector that the product is added to
    std::size_t out = kNowhere;      ///< the result
    std::size_t out_type = kNowhere; ///< number of the result's type in c10::ScalarType
    double out_bytes = 0;            ///< of an element, where neither says it; 0: as a, or two where a has one
    std::size_t scales = kNowhere;   ///< of a, in blocks of 32 (MX formats); those of b: scales_b
    std::size_t scales_b = kNowhere;
    std::size_t turned = kNowhere; ///< flags: a is [K, M], b is [N, K]
};

constexpr ProductLayout linear_of(std::string_view name, std::size_t bias = kNowhere) {
    return {name, 0, 1, true, bias};
}
constexpr ProductLayout into(std::string_view name, std::size_t bias = kNowhere) {
    return {name, 1, 2, true, bias, kNowhere, 0};
}
/// (a, b, scales of a, scales of b, ...)
constexpr ProductLayout mx_linear_of(std::string_view name) {
    return {name, 0, 1, true, kNowhere, kNowhere, kNowhere, kNowhere, 0, 2, 3};
}
/// hipBLASLt in Primus-Turbo: (a, scales of a, b, scales of b, type of the result, a turned, b turned, result turned,
/// ...). A turned result is the product of the same factors.
constexpr ProductLayout hipblaslt(std::string_view name, bool mx) {
    return {name, 0, 2, false, kNowhere, kNowhere, kNowhere, 4, 2, mx ? 1 : kNowhere, mx ? 3 : kNowhere, 5};
}

constexpr std::array kProducts{
    ProductLayout{"aten::mm"}, ProductLayout{"aten::bmm"}, ProductLayout{"aten::matmul"},
    ProductLayout{"aten::addmm", 1, 2, false, kNowhere, 0}, ProductLayout{"aten::baddbmm", 1, 2, false, kNowhere, 0},
    ProductLayout{"aten::_addmm_activation", 1, 2, false, kNowhere, 0},
    ProductLayout{"aten::_int_mm", 0, 1, false, kNowhere, kNowhere, kNowhere, kNowhere, 4},
    // (self, mat2, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum)
    ProductLayout{"aten::_scaled_mm", 0, 1, false, 4, kNowhere, kNowhere, 6},
    // vLLM
    linear_of("vllm::rocm_unquantized_gemm", 2), linear_of("vllm::rocm_unquantized_gemm_impl", 2),
    linear_of("vllm::cpu_unquantized_gemm", 2), linear_of("vllm::rocm_aiter_gemm_a8w8_blockscale"),
    linear_of("vllm::rocm_aiter_gemm_w8a8_blockscale"), linear_of("vllm::rocm_aiter_gemm_w8a8", 4),
    linear_of("vllm::rocm_aiter_triton_gemm_a8w8_blockscale"),
    linear_of("vllm::_rocm_aiter_preshuffled_per_token_w8a8_gemm"),
    linear_of("vllm::rocm_per_tensor_float_w8a8_scaled_mm_impl", 5), linear_of("vllm::apply_w8a8_block_fp8_linear"),
    linear_of("vllm::w8a8_triton_block_scaled_mm_func"), linear_of("vllm::padded_cutlass"),
    linear_of("vllm::gemm_with_dynamic_quant"), into("_C::cutlass_scaled_mm", 5), into("_C::cutlass_scaled_mm_azp", 7),
    into("_C::cutlass_scaled_fp4_mm"), into("_C::dsv3_fused_a_gemm"),
    // SGLang: (a, b, scales_a, scales_b, out_dtype, bias)
    ProductLayout{"sgl_kernel::fp8_scaled_mm", 0, 1, true, 5, kNowhere, kNowhere, 4},
    ProductLayout{"sgl_kernel::int8_scaled_mm", 0, 1, true, 5, kNowhere, kNowhere, 4},
    ProductLayout{"sgl_kernel::fp8_blockwise_scaled_mm", 0, 1, true, kNowhere, kNowhere, kNowhere, 4},
    into("sgl_kernel::cutlass_scaled_fp4_mm"), linear_of("sglang_profiler::fp8_utils_gemm_a8w8_blockscale"),
    linear_of("sglang_profiler::gemm_a8w8_blockscale_gemm_a8w8_blockscale"),
    linear_of("sglang_profiler::gemm_kernels_flydsl_hgemm"),
    // TensorRT-LLM, bitsandbytes
    linear_of("trtllm::cublas_scaled_mm"),
    ProductLayout{"bitsandbytes::int8_linear_matmul", 0, 1, true, kNowhere, kNowhere, kNowhere, kNowhere, 4},
    // aiter: (x, weight, ...)
    linear_of("aiter::gemm_a16w16", 2), linear_of("aiter::gemm_a16w16_atomic_"), linear_of("aiter::_gemm_a16w16_asm"),
    linear_of("aiter::gemm_a8w8_ck"), linear_of("aiter::gemm_a8w8_bpreshuffle"),
    linear_of("aiter::gemm_a8w8_bpreshuffle_ck"), linear_of("aiter::gemm_a8w8_blockscale_ck"),
    linear_of("aiter::gemm_a8w8_blockscale_cktile"), linear_of("aiter::gemm_a8w8_blockscale_bpreshuffle_ck"),
    linear_of("aiter::gemm_a8w8_blockscale_bpreshuffle_cktile"),
    linear_of("aiter::_gemm_a8w8_blockscale_bpreshuffle_asm"), linear_of("aiter::flatmm_a8w8_blockscale_asm"),
    linear_of("aiter::gfx950_a8w8_blockscale_asm"), mx_linear_of("aiter::gemm_a4w4"),
    mx_linear_of("aiter::_gemm_a4w4_asm"), linear_of("aiter::gemm_afp4wfp4_"),
    linear_of("aiter::batched_gemm_a16wfp4_"), hipblaslt("primus_turbo_cpp_extension::hipblaslt_gemm_fp8", false),
    hipblaslt("primus_turbo::hipblaslt_gemm_fp8", false),
    hipblaslt("primus_turbo_cpp_extension::hipblaslt_gemm_fp4", true),
    hipblaslt("primus_turbo::hipblaslt_gemm_fp4", true)};

const ProductLayout* product_layout(std::string_view name) {
    const auto* found = std::ranges::find(kProducts, name, &ProductLayout::name);
    return found == kProducts.end() ? nullptr : found;
}

/// (x [B, M, K] or [M, B, K] in 16 bits, weights [B, N, K] in 8, ...): aiter casts x inside the kernel.
constexpr std::string_view kBatchedCastProduct =
    "sglang_profiler::batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant_batched_gemm_a8w8_a_per_"
    "token_group_prequant_w_per_batched_tensor_quant";

std::optional<ProductShape> batched_cast_product(const ModelInputs& in) {
    const MatrixDims& x = in.dims(0);
    const MatrixDims& weight = in.dims(1);
    if (x.size() != 3 || weight.size() != 3 || x[2] != weight[2] || (x[0] != weight[0] && x[1] != weight[0]) ||
        in.width(0) == 0 || in.width(1) == 0)
        return {};
    ProductShape shape;
    shape.batch = size_of(weight[0]);
    shape.m = size_of(x[0] == weight[0] ? x[1] : x[0]);
    shape.n = size_of(weight[1]);
    shape.k = size_of(weight[2]);
    shape.type = 1;
    shape.bytes = in.bytes(0) + in.bytes(1) + shape.batch * shape.m * shape.n * in.width(0);
    return shape;
}

/// Of 4 bits, whatever the type says: two lie in a byte.
bool takes_packed(std::string_view name) {
    return name.find("fp4") != std::string_view::npos || name.find("a4w4") != std::string_view::npos ||
           name == "vllm::gemm_with_dynamic_quant";
}
bool is_packed_type(std::string_view type) { return type.starts_with("c10::Float4") && type.ends_with("_x2"); }

/// Bytes of an element of the type with that number in c10::ScalarType; 0: another.
double scalar_type_bytes(double number) {
    constexpr std::array<std::pair<int, double>, 8> kBytes{
        {{5, 2}, {6, 4}, {7, 8}, {15, 2}, {23, 1}, {24, 1}, {25, 1}, {26, 1}}};
    for (const auto& [code, bytes] : kBytes)
        if (number == code)
            return bytes;
    return 0;
}

/// tex_ts::te_gemm_ts(A, its scale and type ..., 4: transa, 5: B ..., 9: transb, 10: D ..., 14: bias): matrices of
/// cuBLAS, which lie by columns.
std::optional<ProductShape> transformer_engine_product(const ModelInputs& in) {
    const MatrixDims& a = in.dims(0);
    const MatrixDims& b = in.dims(5);
    if (a.size() != 2 || b.size() != 2 || in.width(0) == 0 || in.width(5) == 0 || in.width(10) == 0)
        return {};
    const bool turned_a = in.concrete(4) == "1" || in.is_true(4);
    const bool turned_b = in.concrete(9) == "1" || in.is_true(9);
    ProductShape shape{1,
                       size_of(turned_a ? a[0] : a[1]),
                       size_of(turned_b ? b[1] : b[0]),
                       size_of(turned_a ? a[1] : a[0]),
                       in.is_tensor(14) && in.count(14) > 0,
                       false,
                       0,
                       5,
                       0,
                       0};
    if (size_of(turned_b ? b[0] : b[1]) != shape.k)
        return {};
    shape.bytes = in.bytes(0) + in.bytes(5) + shape.m * shape.n * in.width(10) + (shape.bias ? in.bytes(14) : 0);
    return shape;
}

/// A scale for each 32 values of a row; recorded tensors of them may be padded.
double scale_bytes(const ProductLayout& layout, const ModelInputs& in, const ProductShape& shape) {
    if (layout.scales == kNowhere)
        return 0;
    const auto width = [&](std::size_t i) { return in.width(i) > 0 ? in.width(i) : 1; };
    return std::ceil(shape.k / 32) * (shape.m * width(layout.scales) + shape.n * width(layout.scales_b));
}

/// Where a convolution operator has what.
struct ConvLayout {
    std::string_view name;
    std::size_t padding;
    std::size_t stride;
    std::size_t dilation;
    bool has_bias;
    std::size_t transposed; ///< 0: never
    bool relu = false;
};
constexpr std::array kConvolutions{
    ConvLayout{"aten::miopen_convolution", 3, 4, 5, true, 0}, ConvLayout{"aten::cudnn_convolution", 2, 3, 4, false, 0},
    ConvLayout{"aten::convolution", 4, 3, 5, true, 6}, ConvLayout{"aten::_convolution", 4, 3, 5, true, 6},
    ConvLayout{"aten::convolution_overrideable", 4, 3, 5, true, 6},
    ConvLayout{"aten::cudnn_convolution_relu", 4, 3, 5, true, 0},
    // Apex: (x, weight, bias, padding, stride), each one number
    ConvLayout{"ConvBias_", 3, 4, kNowhere, true, 0}, ConvLayout{"ConvBiasReLU_", 3, 4, kNowhere, true, 0, true}};
const ConvLayout* conv_layout(std::string_view name) {
    const auto* found = std::ranges::find(kConvolutions, name, &ConvLayout::name);
    return found == kConvolutions.end() ? nullptr : found;
}

/// One number of a recorded list, which may hold one for all dimensions.
std::optional<double> item(const nlohmann::json& list, std::size_t i) {
    if (list.is_number())
        return list.get<double>();
    if (!list.is_array() || list.empty())
        return {};
    const nlohmann::json& value = list[std::min(i, list.size() - 1)];
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// aten::convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed,
/// output_padding, groups, output_mask): each gradient of the mask costs one convolution; the bias's is a sum.
MatrixWork convolution_backward_work(const ConvolutionShape& shape, const ModelInputs& in) {
    const nlohmann::json mask = in.list(10);
    if (!mask.is_array() || mask.size() != 3 || !mask[0].is_boolean() || !mask[1].is_boolean() || !mask[2].is_boolean())
        return {};
    const double gradients = (mask[0].get<bool>() ? 1 : 0) + (mask[1].get<bool>() ? 1 : 0);
    const bool bias = mask[2].get<bool>();
    const double once = in.bytes(0) + in.bytes(1) + in.bytes(2);
    return OperatorWork{gradients * shape.work + (bias ? shape.results : 0),
                        gradients * once + (bias ? size_of(shape.weight[0]) * in.width(0) : 0)};
}

constexpr std::array<std::string_view, 11> kGroupedProducts{"aten::_grouped_mm",
                                                            "aten::_scaled_grouped_mm",
                                                            "primus_turbo::grouped_gemm",
                                                            "primus_turbo::grouped_gemm_impl",
                                                            "primus_turbo::grouped_gemm_variable_k",
                                                            "primus_turbo::grouped_gemm_variable_k_impl",
                                                            "primus_turbo_cpp_extension::grouped_gemm",
                                                            "primus_turbo_cpp_extension::grouped_gemm_variable_k",
                                                            "primus_turbo_cpp_extension::ck_grouped_gemm",
                                                            "primus_turbo_cpp_extension::ck_grouped_gemm_variable_k",
                                                            "primus_turbo_cpp_extension::hipblaslt_grouped_gemm"};

} // namespace

bool is_product(std::string_view name) {
    return product_layout(name) != nullptr || name == "tex_ts::te_gemm_ts" || name == kBatchedCastProduct;
}

std::optional<ProductShape> product_shape(std::string_view name, const ModelInputs& in) {
    if (name == "tex_ts::te_gemm_ts")
        return transformer_engine_product(in);
    if (name == kBatchedCastProduct)
        return batched_cast_product(in);
    const ProductLayout* layout = product_layout(name);
    if (layout == nullptr || in.width(layout->a) == 0 || in.width(layout->b) == 0)
        return {};
    const MatrixDims& left = in.dims(layout->a);
    const MatrixDims& right = in.dims(layout->b);
    const bool rows_alone = layout->either && right.size() == 2; // of any number of dimensions
    if (left.empty() || right.size() < 2 || (!rows_alone && left.size() != right.size()))
        return {};
    const auto packed = [&](std::size_t i) {
        const bool bytes = in.type(i) == "unsigned char" && takes_packed(name);
        return bytes || is_packed_type(in.type(i)) ? 2.0 : 1.0;
    };
    ProductShape shape;
    shape.a = layout->a;
    shape.b = layout->b;
    shape.type = layout->a;
    shape.packed = packed(layout->a) > 1;
    if (layout->turned != kNowhere) {
        const auto flag = [&](std::size_t i) { return in.is_true(i) || in.concrete(i) == "1"; };
        const bool a_turned = flag(layout->turned), b_turned = flag(layout->turned + 1);
        if (left.size() != 2 || right.size() != 2)
            return {};
        shape.m = size_of(left[a_turned ? 1 : 0]);
        shape.k = size_of(left[a_turned ? 0 : 1]) * packed(layout->a);
        shape.n = size_of(right[b_turned ? 0 : 1]);
        if (size_of(right[b_turned ? 1 : 0]) * packed(layout->b) != shape.k)
            return {};
        const double type = in.number(layout->out_type) ? scalar_type_bytes(*in.number(layout->out_type)) : 0;
        shape.bytes = in.bytes(layout->a) + in.bytes(layout->b) +
                      shape.m * shape.n * (type > 0 ? type : layout->out_bytes) + scale_bytes(*layout, in, shape);
        if (flag(layout->turned + 2))
            std::swap(shape.m, shape.n);
        return shape;
    }
    shape.k = size_of(left.back()) * packed(layout->a);
    const auto at_end = [&](std::size_t i) { return size_of(right[right.size() - i]); };
    if (layout->either && at_end(1) * packed(layout->b) == shape.k)
        shape.n = at_end(2);
    else if (at_end(2) * packed(layout->b) == shape.k)
        shape.n = at_end(1);
    else
        return {};
    shape.batch = rows_alone ? 1 : elements_of({left.begin(), left.end() - 2});
    if (shape.batch <= 0 || (!rows_alone && shape.batch != elements_of({right.begin(), right.end() - 2})))
        return {};
    shape.m = left.back() == 0 ? 0 : in.count(layout->a) / size_of(left.back()) / shape.batch;
    // Of PyTorch before 2.5: (self, mat2, bias, out_dtype, scale_a, scale_b ...)
    std::size_t bias = layout->bias;
    std::size_t out_type = layout->out_type;
    if (name == "aten::_scaled_mm" && in.dims(2).size() == 1 && in.width(2) == 2) {
        bias = 2;
        out_type = 3;
    }
    const bool has_bias = in.dims(bias).size() == 1 && in.count(bias) == shape.n;
    shape.bias = has_bias || layout->added != kNowhere;
    double out_bytes = in.width(layout->out);
    if (const auto code = out_bytes == 0 ? in.number(out_type) : std::nullopt)
        out_bytes = scalar_type_bytes(*code);
    if (out_bytes == 0)
        out_bytes = layout->out_bytes > 0 ? layout->out_bytes : std::max(2.0, in.width(layout->a));
    shape.bytes = in.bytes(layout->a) + in.bytes(layout->b) + shape.batch * shape.m * shape.n * out_bytes +
                  (has_bias ? in.bytes(bias) : 0) + in.bytes(layout->added) + scale_bytes(*layout, in, shape);
    return shape;
}

bool is_grouped_product(std::string_view name) {
    return std::ranges::find(kGroupedProducts, name) != kGroupedProducts.end();
}

/// Rows of tokens [M, K] times a weight for each of G experts, [G, K, N] or [G, N, K]: every row once, 2·M·K·N, whoever
/// of the experts it goes to. No more weights are read than there are rows. A product for each group, [G, M, K] times
/// [G, K, N], is that of bmm. Two matrices whose common dimension is cut into groups are gradients of weights: [M, K]
/// or [K, M] and [K, N] to [G, M, N], with G the number of offsets behind them.
std::optional<OperatorWork> grouped_product_work(const ModelInputs& in) {
    const MatrixDims& a = in.dims(0);
    const MatrixDims& b = in.dims(1);
    if (in.width(0) == 0 || in.width(1) == 0 || a.size() < 2 || b.size() < 2)
        return {};
    const double out_width = in.width(0) == 1 ? 2 : in.width(0); // of 8 bits come 16
    const double packed = is_packed_type(in.type(0)) ? 2 : 1;
    if (a.size() == 2 && b.size() == 3) {
        const bool plain = b[1] == a[1];
        if (!plain && b[2] != a[1])
            return {};
        const double m = size_of(a[0]), k = size_of(a[1]) * packed, n = size_of(plain ? b[2] : b[1]);
        const double read = b[0] > 0 ? std::min(1.0, m / size_of(b[0])) : 0;
        return OperatorWork{2 * m * k * n, in.bytes(0) + read * in.bytes(1) + m * n * out_width};
    }
    if (a.size() == 3 && b.size() == 3 && a[0] == b[0] && (a[2] == b[1] || a[2] == b[2])) {
        const double n = size_of(a[2] == b[1] ? b[2] : b[1]);
        return OperatorWork{2 * in.count(0) * packed * n,
                            in.bytes(0) + in.bytes(1) + size_of(a[0]) * size_of(a[1]) * n * out_width};
    }
    double groups = 0;
    for (std::size_t i = 2; i < 6 && groups == 0; ++i)
        groups = in.dims(i).size() == 1 ? size_of(in.dims(i)[0]) : 0;
    const bool plain = a.size() == 2 && b.size() == 2 && a[1] == b[0];
    if (a.size() != 2 || b.size() != 2 || groups == 0 || (!plain && a[0] != b[0]))
        return {};
    return OperatorWork{2 * in.count(0) * packed * size_of(b[1]),
                        in.bytes(0) + in.bytes(1) + groups * size_of(plain ? a[0] : a[1]) * size_of(b[1]) * out_width};
}

bool is_convolution(std::string_view name) { return conv_layout(name) != nullptr; }
bool is_convolution_backward(std::string_view name) { return name == "aten::convolution_backward"; }

std::optional<ConvolutionShape> convolution_shape(std::string_view name, const ModelInputs& in) {
    ConvolutionShape shape;
    if (is_convolution_backward(name)) {
        shape.input = in.dims(1);
        shape.weight = in.dims(2);
        if (shape.weight.size() < 3 || in.width(0) == 0 || in.is_true(7))
            return {};
        shape.stride = in.concrete(4);
        shape.padding = in.concrete(5);
        shape.dilation = in.concrete(6);
        shape.transposed = in.concrete(7);
        shape.output_padding = in.concrete(8);
        shape.groups = in.concrete(9);
        shape.results = in.count(0);
    } else {
        const ConvLayout* layout = conv_layout(name);
        if (layout == nullptr)
            return {};
        shape.input = in.dims(0);
        shape.weight = in.dims(1);
        if (shape.input.size() < 3 || shape.weight.size() != shape.input.size() || in.width(0) == 0 ||
            (layout->transposed > 0 && in.is_true(layout->transposed)))
            return {};
        // Without groups; in some programs these functions get the channels last.
        if (layout->dilation == kNowhere && shape.input[1] != shape.weight[1])
            return {};
        shape.stride = in.concrete(layout->stride);
        shape.padding = in.concrete(layout->padding);
        shape.dilation = in.concrete(layout->dilation);
        if (layout->transposed > 0) {
            shape.transposed = in.concrete(layout->transposed);
            shape.output_padding = in.concrete(layout->transposed + 1);
            shape.groups = in.concrete(layout->transposed + 2);
        }
        const nlohmann::json padding = in.list(layout->padding);
        const nlohmann::json stride = in.list(layout->stride);
        const nlohmann::json dilation = in.list(layout->dilation);
        shape.results = size_of(shape.input[0]) * size_of(shape.weight[0]);
        for (std::size_t i = 2; i < shape.input.size(); ++i) {
            const auto p = item(padding, i - 2);
            const auto s = item(stride, i - 2);
            const auto d = layout->dilation == kNowhere ? 1 : item(dilation, i - 2);
            if (!p || !s || !d || *s <= 0)
                return {};
            const double reach = *d * size_of(shape.weight[i] - 1) + 1;
            const double output = std::floor((size_of(shape.input[i]) + 2 * *p - reach) / *s) + 1;
            if (output < 0) // no weight fits into the input
                return {};
            shape.results *= output;
        }
        shape.bias = layout->has_bias && in.is_tensor(2);
        shape.relu = layout->relu;
    }
    if (shape.weight[0] <= 0)
        return {};
    shape.work = 2 * shape.results * elements_of(shape.weight) / size_of(shape.weight[0]);
    return shape;
}

std::optional<OperatorWork> matrix_work(std::string_view name, const ModelInputs& in) {
    if (is_grouped_product(name))
        return grouped_product_work(in);
    if (const auto product = product_shape(name, in)) {
        const double results = product->batch * product->m * product->n;
        return OperatorWork{2 * results * product->k + (product->bias ? results : 0), product->bytes};
    }
    if (const auto experts = experts_shape(name, in)) {
        const double products = (experts->up ? (experts->gated ? 2 : 1) : 0) + (experts->down ? 1 : 0);
        return OperatorWork{2 * experts->tokens * experts->chosen * experts->hidden * experts->inner * products,
                            experts->bytes};
    }
    const auto convolution = convolution_shape(name, in);
    if (!convolution)
        return {};
    if (is_convolution_backward(name))
        return convolution_backward_work(*convolution, in);
    return OperatorWork{
        convolution->work + ((convolution->bias ? 1 : 0) + (convolution->relu ? 1 : 0)) * convolution->results,
        in.bytes(0) + in.bytes(1) + convolution->results * in.width(0) + (convolution->bias ? in.bytes(2) : 0)};
}

} // namespace rankscope
