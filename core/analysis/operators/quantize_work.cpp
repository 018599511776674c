// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/quantize_work.h"

#include <array>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

constexpr std::size_t kNoScaleInput = std::numeric_limits<std::size_t>::max();
constexpr double kMeasuredFlops = 2.59375;
constexpr double kMxBlock = 32; ///< values of an MX format with one scale of a byte

enum class CastKind : std::uint8_t {
    recorded,   ///< input, result and scales are arguments: the first `tensors` of them
    group_fp8,  ///< the result is not recorded; a scale in float for each group, whose size is an argument
    mxfp4,      ///< neither; 4 bits a value
    tensor_fp8, ///< neither; one scale
    both_mxfp4  ///< by rows and by columns
};
struct CastLayout {
    std::string_view name;
    CastKind kind = CastKind::recorded;
    std::size_t input = 0;
    double flops = 2; ///< a value
    std::size_t tensors = 3;
    std::size_t group = kNoScaleInput;
    std::size_t flattened = 1; ///< so many of the last dimensions are a row
};
constexpr CastLayout out_first(std::string_view name, double flops = 2, std::size_t tensors = 3) {
    return {name, CastKind::recorded, 1, flops, tensors};
}
constexpr CastLayout input_first(std::string_view name, double flops, std::size_t group = kNoScaleInput) {
    return {name, CastKind::recorded, 0, flops, 3, group};
}
constexpr CastLayout mx(std::string_view name, std::size_t input, std::size_t flattened = 1) {
    return {name, CastKind::mxfp4, input, 2, 0, kNoScaleInput, flattened};
}

constexpr std::array kCasts{
    // aiter: (out, input, scales, ...)
    out_first("aiter::dynamic_per_token_scaled_quant", kMeasuredFlops),
    out_first("aiter::dynamic_per_group_scaled_quant", kMeasuredFlops),
    out_first("aiter::dynamic_per_tensor_quant", kMeasuredFlops), out_first("aiter::static_per_tensor_quant"),
    mx("aiter::dynamic_per_group_scaled_quant_fp4", 1),
    // (out, its scales, input, sorted ids, valid ids, ...)
    mx("aiter::fused_dynamic_mxfp4_quant_moe_sort_hip", 2), mx("aiter::fused_dynamic_mx_quant_moe_sort_hip", 2),
    // vLLM: (result, input, scale, ...); (input, result, scales, group size, ...)
    out_first("_C::static_scaled_fp8_quant"), out_first("_C::dynamic_scaled_fp8_quant"),
    out_first("_C::dynamic_per_token_scaled_fp8_quant"), out_first("_C::static_scaled_int8_quant"),
    out_first("_C::dynamic_scaled_int8_quant"), input_first("_C::per_token_group_fp8_quant", kMeasuredFlops, 3),
    input_first("_C::per_token_group_quant_int8", 2, 3),
    // (output, input, output's scales, input's scale)
    out_first("_C::scaled_fp4_quant", 2, 4), out_first("sgl_kernel::scaled_fp4_quant", 2, 4),
    CastLayout{"vllm::triton_per_token_group_quant_fp8", CastKind::group_fp8, 0, 6, 0, 1},
    // SGLang
    input_first("sgl_kernel::sgl_per_token_group_quant_fp8", 2, 3),
    input_first("sgl_kernel::sgl_per_token_group_quant_8bit", 2, 3),
    input_first("sgl_kernel::sgl_per_token_group_quant_int8", 2, 3),
    input_first("sgl_kernel::sgl_per_tensor_quant_fp8", 2), input_first("sgl_kernel::sgl_per_token_quant_fp8", 2),
    mx("sglang_profiler::quant_dynamic_mxfp4_quant", 0),
    mx("sglang_profiler::fused_mxfp4_quant_fused_flatten_mxfp4_quant", 0, 2),
    // Primus-Turbo
    CastLayout{"primus_turbo_cpp_extension::quantize_fp8_tensorwise", CastKind::tensor_fp8, 0, 1, 0},
    CastLayout{"primus_turbo::quantize_fp8_tensorwise", CastKind::tensor_fp8, 0, 1, 0},
    CastLayout{"primus_turbo_cpp_extension::quantize_mxfp4_dual", CastKind::both_mxfp4, 0, 1, 0},
    CastLayout{"primus_turbo::quantize_mxfp4_dual", CastKind::both_mxfp4, 0, 1, 0},
    CastLayout{"primus::quantize_mxfp4_dual", CastKind::both_mxfp4, 0, 1, 0}};

const CastLayout* cast_layout(std::string_view name) {
    const auto* found = std::ranges::find(kCasts, name, &CastLayout::name);
    return found == kCasts.end() ? nullptr : found;
}

/// Bytes of the recorded tensors; empty if the result is not as large as the input, or a type is unknown.
std::optional<double> recorded_bytes(const CastLayout& layout, const ModelInputs& in) {
    const std::size_t result = layout.input == 0 ? 1 : 0;
    const double ratio = in.is_tensor(result) ? in.count(layout.input) / in.count(result) : 0;
    if (in.width(result) == 0 || (ratio != 1 && ratio != 2)) // two values of 4 bits in a byte
        return {};
    double bytes = 0;
    for (std::size_t i = 0; i < layout.tensors; ++i) {
        if (in.is_tensor(i) && in.width(i) == 0)
            return {};
        bytes += in.bytes(i);
    }
    return bytes;
}

} // namespace

bool is_quantization(std::string_view name) { return cast_layout(name) != nullptr; }

bool is_elementwise_quantization(std::string_view name) {
    const CastLayout* layout = cast_layout(name);
    return layout != nullptr && (layout->kind == CastKind::tensor_fp8 || layout->kind == CastKind::both_mxfp4);
}

std::size_t quantized_input(std::string_view name) {
    const CastLayout* layout = cast_layout(name);
    return layout == nullptr ? 0 : layout->input;
}

std::optional<double> quantization_group(std::string_view name, const ModelInputs& in) {
    const CastLayout* layout = cast_layout(name);
    if (layout == nullptr)
        return {};
    if (layout->kind == CastKind::mxfp4 || layout->kind == CastKind::both_mxfp4)
        return kMxBlock;
    const auto group = in.number(layout->group);
    return group && *group > 0 ? group : std::nullopt;
}

std::optional<OperatorWork> quantization_work(std::string_view name, const ModelInputs& in) {
    const CastLayout* layout = cast_layout(name);
    if (layout == nullptr || !in.is_tensor(layout->input) || in.width(layout->input) == 0)
        return {};
    const auto& dims = in.dims(layout->input);
    const double values = in.count(layout->input);
    double row = 1;
    for (std::size_t i = 0; i < layout->flattened && i < dims.size(); ++i)
        row *= static_cast<double>(dims[dims.size() - 1 - i]);
    if (row <= 0)
        return {};
    const double rows = values / row;
    double bytes = in.bytes(layout->input);
    switch (layout->kind) {
    case CastKind::recorded: {
        const auto all = recorded_bytes(*layout, in);
        if (!all)
            return {};
        bytes = *all;
        break;
    }
    case CastKind::group_fp8: {
        const auto group = quantization_group(name, in);
        if (!group)
            return {};
        bytes += values + rows * std::ceil(row / *group) * 4;
        break;
    }
    case CastKind::mxfp4: bytes += values / 2 + rows * std::ceil(row / kMxBlock); break;
    case CastKind::tensor_fp8: bytes += values; break;
    case CastKind::both_mxfp4:
        bytes += 2 * std::ceil(values / 2) + rows * std::ceil(row / kMxBlock) + row * std::ceil(rows / kMxBlock);
        break;
    }
    return OperatorWork{layout->flops * values, bytes};
}

} // namespace rankscope
