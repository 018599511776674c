// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/exchange_work.h"

#include <array>
#include <limits>

namespace rankscope {
namespace {

constexpr std::size_t kNoExchangeInput = std::numeric_limits<std::size_t>::max();

struct ExchangeLayout {
    std::string_view name;
    ExchangeKind kind = ExchangeKind::collective;
    std::size_t input = 1;
    std::size_t out = 2;
    double flops = 0;                        ///< a value of the input
    std::size_t residual = kNoExchangeInput; ///< of an all-reduce with RMSNorm; then `out` is its weight
};
constexpr ExchangeLayout scores(std::string_view name, std::size_t input, double flops) {
    return {name, ExchangeKind::routing, input, kNoExchangeInput, flops};
}
constexpr ExchangeLayout sorts(std::string_view name) { return {name, ExchangeKind::sorting, 0, kNoExchangeInput}; }
constexpr ExchangeLayout exchanges(std::string_view name) { return {name, ExchangeKind::tokens, 0, kNoExchangeInput}; }

constexpr std::array kExchanges{
    // (logits, correction, weights, ids, ...); (weights, ids, logits, correction, ...)
    scores("aiter::biased_grouped_topk_hip", 0, 5), scores("aiter::topk_softplus", 2, 6),
    sorts("aiter::moe_sorting_fwd"), sorts("aiter::mxfp4_moe_sort_hip"),
    // (ids, weights, number of shared experts, ...)
    sorts("sglang_profiler::fused_moe_triton_kernels_fused_append_shared_experts"), exchanges("MoEDispatch"),
    exchanges("MoECombine"),
    // (handle, input, output, ...)
    ExchangeLayout{"_C_custom_ar::all_reduce"}, ExchangeLayout{"_C_custom_ar::qr_all_reduce"},
    ExchangeLayout{"sgl_kernel::all_reduce"}, ExchangeLayout{"sgl_kernel::all_reduce_reg"},
    ExchangeLayout{"sgl_kernel::qr_all_reduce"}, ExchangeLayout{"aiter::reduce_scatter"},
    ExchangeLayout{"aiter::all_gather_reg"},
    // (output, input, handle)
    ExchangeLayout{"sglang::reg_all_gather_into_tensor", ExchangeKind::collective, 1, 0},
    // (handle, buffer, input, residual, its result, output, weight, ...); (input, residual, weight, ...)
    ExchangeLayout{"aiter::fused_allreduce_rmsnorm", ExchangeKind::collective, 2, 6, 0, 3},
    ExchangeLayout{"aiter::fused_allreduce_rmsnorm_", ExchangeKind::collective, 0, 2, 0, 1},
    ExchangeLayout{"vllm::rocm_aiter_fused_allreduce_rmsnorm", ExchangeKind::collective, 0, 2, 0, 1}};

const ExchangeLayout* exchange_layout(std::string_view name) {
    const auto* found = std::ranges::find(kExchanges, name, &ExchangeLayout::name);
    return found == kExchanges.end() ? nullptr : found;
}

} // namespace

ExchangeKind exchange_kind(std::string_view name) {
    const ExchangeLayout* layout = exchange_layout(name);
    return layout == nullptr ? ExchangeKind::none : layout->kind;
}

std::size_t exchanged_input(std::string_view name) {
    const ExchangeLayout* layout = exchange_layout(name);
    return layout == nullptr ? 0 : layout->input;
}

std::optional<OperatorWork> exchange_work(std::string_view name, const ModelInputs& in) {
    const ExchangeLayout* layout = exchange_layout(name);
    if (layout == nullptr || !in.is_tensor(layout->input) || in.width(layout->input) == 0)
        return {};
    const double n = in.count(layout->input);
    switch (layout->kind) {
    case ExchangeKind::routing:
    case ExchangeKind::sorting: {
        const auto bytes = bytes_of_all(in);
        if (!bytes)
            return {};
        if (!name.ends_with("append_shared_experts"))
            return OperatorWork{layout->flops * n, *bytes};
        // Ids and weights are read, and written with those of the shared experts behind.
        const auto shared = in.number(2);
        if (in.dims(0).size() != 2 || in.dims(0)[1] <= 0 || in.dims(1) != in.dims(0) || !shared || *shared < 0)
            return {};
        const auto chosen = static_cast<double>(in.dims(0)[1]);
        return OperatorWork{0, (in.bytes(0) + in.bytes(1)) / chosen * (2 * chosen + *shared)};
    }
    case ExchangeKind::tokens: return OperatorWork{0, in.bytes(layout->input)};
    case ExchangeKind::collective:
        if (layout->residual != kNoExchangeInput) {
            if (in.dims(layout->residual) != in.dims(layout->input) || in.dims(layout->input).back() <= 0)
                return {};
            // Input and residual are read, both results written.
            return OperatorWork{5 * n + 2 * n / static_cast<double>(in.dims(layout->input).back()),
                                4 * in.bytes(layout->input) + in.bytes(layout->out)};
        }
        if (!in.is_tensor(layout->out) || in.width(layout->out) == 0)
            return {};
        return OperatorWork{0, in.bytes(layout->input) + in.bytes(layout->out)};
    case ExchangeKind::none: break;
    }
    return {};
}

} // namespace rankscope
