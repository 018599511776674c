// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/fused_norm_work.h"

#include <array>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

using FusedNorm = std::optional<OperatorWork>;
constexpr std::size_t kNoNormInput = std::numeric_limits<std::size_t>::max();

enum class FusedNormKind : std::uint8_t {
    recorded,  ///< result and scales are arguments
    group_fp8, ///< they are returned: 8 bits a value, and a scale in float for each group
    mxfp4,     ///< returned: 4 bits a value, and a scale of a byte for 32
    padded     ///< returned: rows filled up to a multiple
};
struct FusedNormLayout {
    std::string_view name;
    FusedNormKind kind = FusedNormKind::recorded;
    std::size_t input = 1, weight = 2;
    std::size_t residual = kNoNormInput;
    std::size_t residual_out = kNoNormInput; ///< kNoNormInput: written to where it was read, or returned
    std::size_t out = kNoNormInput, scales = kNoNormInput;
    std::size_t size = kNoNormInput;   ///< number: of a group, or what is padded to a multiple of
    std::size_t second = kNoNormInput; ///< another tensor that is normalised; its weight follows
};

constexpr std::array kFusedNorms{
    // aiter: (out, input, scales, weight, ...), with a residual (out, input, residual, its result, scales, weight, ...)
    FusedNormLayout{"aiter::rmsnorm2d_fwd_with_dynamicquant_ck", FusedNormKind::recorded, 1, 3, kNoNormInput,
                    kNoNormInput, 0, 2},
    FusedNormLayout{"aiter::rmsnorm_quant", FusedNormKind::recorded, 1, 3, kNoNormInput, kNoNormInput, 0, 2},
    FusedNormLayout{"aiter::rmsnorm2d_fwd_with_add_dynamicquant_ck", FusedNormKind::recorded, 1, 5, 2, 3, 0, 4},
    FusedNormLayout{"aiter::add_rmsnorm_quant", FusedNormKind::recorded, 1, 5, 2, 3, 0, 4},
    // (x, weight, epsilon, second, its weight, its epsilon, residual, ...)
    FusedNormLayout{"aiter::_fuse_rmsnorm_fp4_quant", FusedNormKind::mxfp4, 0, 1, 6, kNoNormInput, kNoNormInput,
                    kNoNormInput, kNoNormInput, 3},
    FusedNormLayout{"sglang_profiler::fused_mxfp4_quant_fused_rms_mxfp4_quant", FusedNormKind::mxfp4, 0, 1, 6,
                    kNoNormInput, kNoNormInput, kNoNormInput, kNoNormInput, 3},
    // (query, weight, epsilon, key, its weight, ...)
    FusedNormLayout{"aiter::_fused_qk_rmsnorm_kernel", FusedNormKind::padded, 0, 1, kNoNormInput, kNoNormInput,
                    kNoNormInput, kNoNormInput, kNoNormInput, 3},
    // (x, weight, epsilon, residual, multiple)
    FusedNormLayout{"aiter::fused_add_rmsnorm_pad_", FusedNormKind::padded, 0, 1, 3, kNoNormInput, kNoNormInput,
                    kNoNormInput, 4},
    FusedNormLayout{"vllm::rocm_aiter_triton_add_rmsnorm_pad", FusedNormKind::padded, 0, 1, 3, kNoNormInput,
                    kNoNormInput, kNoNormInput, 4},
    // (x, weight, epsilon, group), with a residual behind x
    FusedNormLayout{"vllm::rocm_aiter_rmsnorm_fp8_group_quant", FusedNormKind::group_fp8, 0, 1, kNoNormInput,
                    kNoNormInput, kNoNormInput, kNoNormInput, 3},
    FusedNormLayout{"vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant", FusedNormKind::group_fp8, 0, 2, 1,
                    kNoNormInput, kNoNormInput, kNoNormInput, 4},
    // vLLM: (result, input, weight, scale, ...), (result, input, residual, weight, scale, ...) and
    // (result, input, weight, scales, epsilon, bound, residual, ...)
    FusedNormLayout{"_C::rms_norm_static_fp8_quant", FusedNormKind::recorded, 1, 2, kNoNormInput, kNoNormInput, 0, 3},
    FusedNormLayout{"_C::fused_add_rms_norm_static_fp8_quant", FusedNormKind::recorded, 1, 3, 2, kNoNormInput, 0, 4},
    FusedNormLayout{"_C::rms_norm_dynamic_per_token_quant", FusedNormKind::recorded, 1, 2, 6, kNoNormInput, 0, 3},
    FusedNormLayout{"_C::rms_norm_per_block_quant", FusedNormKind::recorded, 1, 2, 6, kNoNormInput, 0, 3}};

const FusedNormLayout* fused_norm_layout(std::string_view name) {
    const auto* found = std::ranges::find(kFusedNorms, name, &FusedNormLayout::name);
    return found == kFusedNorms.end() ? nullptr : found;
}

constexpr std::string_view kModulated = "primus::fused_ln_modulate";
constexpr std::string_view kModulatedBackward = "primus::fused_ln_modulate_backward";

/// (x [T, B, H], scale [B, H], shift [B, H], epsilon): mean and deviation of each row are kept in float. Backward
/// (gradient, normalised x, means, deviations, scale): gradients of x, scale and shift.
FusedNorm modulated(const ModelInputs& in, bool backward) {
    const auto& x = in.dims(0);
    if (x.size() != 3 || x[0] <= 0 || x[2] <= 0 || in.width(0) == 0 || (backward && in.dims(1) != x))
        return {};
    const double n = in.count(0), of_modulation = n / static_cast<double>(x[0]) * in.width(0);
    const double of_rows = 2 * n / static_cast<double>(x[2]) * 4;
    return backward ? OperatorWork{13 * n, 3 * in.bytes(0) + 3 * of_modulation + of_rows}
                    : OperatorWork{7 * n, 2 * in.bytes(0) + 2 * of_modulation + of_rows};
}

/// RMSNorm of a tensor whose last dimension is normalised.
double rms_norm_flops(const ModelInputs& in, std::size_t input) {
    return 4 * in.count(input) + 2 * in.count(input) / static_cast<double>(in.dims(input).back());
}

/// Bytes of what comes out, scales too; empty where a size is not recorded.
std::optional<double> result_bytes(const FusedNormLayout& layout, const ModelInputs& in, double n, double row) {
    switch (layout.kind) {
    case FusedNormKind::recorded:
        if (in.count(layout.out) != n || in.width(layout.out) == 0)
            return {};
        return in.bytes(layout.out) + in.bytes(layout.scales);
    case FusedNormKind::mxfp4: return n / 2 + n / row * std::ceil(row / 32);
    case FusedNormKind::group_fp8:
    case FusedNormKind::padded: {
        if (layout.size == kNoNormInput)
            return n * in.width(layout.input);
        const auto size = in.number(layout.size);
        if (!size || *size < 0 || (*size == 0 && layout.kind == FusedNormKind::group_fp8))
            return {};
        if (layout.kind == FusedNormKind::group_fp8)
            return n + n / row * std::ceil(row / *size) * 4;
        return n / row * (*size > 0 ? std::ceil(row / *size) * *size : row) * in.width(layout.input);
    }
    }
    return {};
}

} // namespace

bool is_fused_rms_norm(std::string_view name) { return fused_norm_layout(name) != nullptr; }
bool is_modulated_norm(std::string_view name) { return name == kModulated || name == kModulatedBackward; }
bool is_modulated_norm_backward(std::string_view name) { return name == kModulatedBackward; }

std::optional<FusedNormPlaces> fused_norm_places(std::string_view name) {
    const FusedNormLayout* layout = fused_norm_layout(name);
    return layout == nullptr ? std::nullopt : std::optional(FusedNormPlaces{layout->input, layout->weight});
}

FusedNorm fused_norm_work(std::string_view name, const ModelInputs& in) {
    if (is_modulated_norm(name))
        return modulated(in, is_modulated_norm_backward(name));
    const FusedNormLayout* layout = fused_norm_layout(name);
    if (layout == nullptr || !in.is_tensor(layout->input) || in.width(layout->input) == 0 ||
        in.dims(layout->input).back() <= 0)
        return {};
    const double n = in.count(layout->input);
    const auto row = static_cast<double>(in.dims(layout->input).back());
    const auto result = result_bytes(*layout, in, n, row);
    if (!result)
        return {};
    OperatorWork work{rms_norm_flops(in, layout->input), in.bytes(layout->input) + in.bytes(layout->weight) + *result};
    if (layout->kind != FusedNormKind::padded)
        work.flops += 2 * n;
    if (in.is_tensor(layout->residual)) {
        if (in.count(layout->residual) != n || in.width(layout->residual) == 0)
            return {};
        work.flops += n;
        work.bytes +=
            in.bytes(layout->residual) +
            (layout->residual_out == kNoNormInput ? in.bytes(layout->residual) : in.bytes(layout->residual_out));
    }
    if (in.dims(layout->second).size() >= 2 && in.dims(layout->second).back() > 0 && in.width(layout->second) > 0) {
        work.flops += rms_norm_flops(in, layout->second);
        work.bytes += 2 * in.bytes(layout->second) + in.bytes(layout->second + 1);
    }
    return work;
}

} // namespace rankscope
