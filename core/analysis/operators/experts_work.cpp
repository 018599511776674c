// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/experts_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace rankscope {
namespace {

using ExpertDims = ModelInputs::Dims;
constexpr std::size_t kAbsentInput = std::numeric_limits<std::size_t>::max();
double extent(std::int64_t d) { return static_cast<double>(d); }

struct ExpertsLayout {
    std::string_view name;
    std::size_t input = 0;
    std::size_t up = 1;                   ///< [E, 2I, H], or [E, I, H] without a gate; kAbsentInput: not there
    std::size_t down = 2;                 ///< [E, H, I]
    std::size_t chosen_at = kAbsentInput; ///< number k, where no [T, k] is recorded
    bool does_up = true, does_down = true;
};
constexpr std::array kExperts{
    ExpertsLayout{"vllm::fused_experts"}, ExpertsLayout{"vllm::inplace_fused_experts"},
    ExpertsLayout{"vllm::outplace_fused_experts"}, ExpertsLayout{"aiter::fused_moe"},
    ExpertsLayout{"aiter::fused_moe_"}, ExpertsLayout{"vllm::rocm_aiter_fused_moe"},
    ExpertsLayout{"vllm::rocm_aiter_asm_moe_tkw1"}, ExpertsLayout{"sglang::fused_experts"},
    ExpertsLayout{"sglang::inplace_fused_experts"}, ExpertsLayout{"sglang::outplace_fused_experts"},
    // (out, input, gate, down, sorted ids, weights, expert ids, valid ids, topk, ...)
    ExpertsLayout{"aiter::fmoe_g1u1", 1, 2, 3, 8}, ExpertsLayout{"aiter::fmoe_fp8_blockscale_g1u1", 1, 2, 3, 8},
    // (hidden, w1, w2, sorted ids, expert ids, valid ids, out, topk, ...)
    ExpertsLayout{"aiter::ck_moe_stage1", 0, 1, 2, 7, true, false},
    ExpertsLayout{"aiter::ck_moe_stage2", 0, 1, 2, 7, false, true}};
/// Experts of TensorRT-LLM and FlashInfer, whose arguments moved from version to version: what the shapes are decides.
/// trtllm::fused_moe and flashinfer::cutlass_fused_moe say to which experts a token goes and, behind the weights, over
/// how many ranks experts are spread; those of the generated kernels get the logits, and how many experts there are and
/// are chosen.
bool has_routed_tokens(std::string_view name) {
    return name == "trtllm::fused_moe" || name == "flashinfer::cutlass_fused_moe";
}
bool routes_tokens(std::string_view name) {
    return (name.starts_with("flashinfer::trtllm_") && name.ends_with("_moe")) ||
           (name.starts_with("trtllm::") && name.ends_with("_moe_runner")) ||
           name.starts_with("vllm::flashinfer_fused_moe_");
}

/// SGLang's kernel for both stages: (x, weights [E, N, K], bias, result, scales ..., 8: chosen experts [T, k], ...).
constexpr std::string_view kTritonExperts = "sglang_profiler::fused_moe_triton_kernels_invoke_fused_moe_kernel";

const ExpertsLayout* experts_layout(std::string_view name) {
    const auto* found = std::ranges::find(kExperts, name, &ExpertsLayout::name);
    return found == kExperts.end() ? nullptr : found;
}

/// How many values of 4 bits an element of that width holds if that makes `stored` elements `values`; 1 when they are
/// as many; 0: neither.
double values_in(double width, std::int64_t stored, double values) {
    if (extent(stored) == values)
        return 1;
    return width > 0 && extent(stored) * 2 * width == values ? 2 * width : 0;
}

} // namespace

bool is_fused_experts(std::string_view name) {
    const ExpertsLayout* layout = experts_layout(name);
    return (layout != nullptr && layout->does_up && layout->does_down) || has_routed_tokens(name) ||
           routes_tokens(name);
}
bool is_expert_stage(std::string_view name) {
    const ExpertsLayout* layout = experts_layout(name);
    return (layout != nullptr && !(layout->does_up && layout->does_down)) ||
           name == "aiter::moe_cktile2stages_gemm1_ck" || name == "aiter::moe_cktile2stages_gemm2_ck" ||
           name == kTritonExperts;
}

namespace {

/// The weights [E, I or 2I, H] and [E, H, I], and the tokens [T, H] before them.
struct FoundExperts {
    std::size_t input = kAbsentInput, up = kAbsentInput, down = kAbsentInput;
    double hidden = 0, inner = 0;
};
std::optional<FoundExperts> find_experts(const ModelInputs& in) {
    FoundExperts found;
    for (std::size_t i = 1; i < in.size() && found.up == kAbsentInput; ++i)
        if (in.dims(i).size() == 3)
            found.up = i;
    if (found.up == kAbsentInput)
        return {};
    const ExpertDims& up = in.dims(found.up);
    for (std::size_t i = found.up + 1; i < in.size() && found.down == kAbsentInput; ++i) {
        const ExpertDims& down = in.dims(i);
        if (down.size() != 3 || down[0] != up[0] || in.type(i) != in.type(found.up))
            continue;
        found.hidden = extent(down[1]);
        const double packed = values_in(in.width(found.up), up[2], found.hidden);
        found.inner = extent(down[2]) * packed;
        if (packed > 0 && (extent(up[1]) == found.inner || extent(up[1]) == 2 * found.inner))
            found.down = i;
    }
    // The last of that width: a place for the result may come first.
    for (std::size_t i = found.up; i-- > 0 && found.input == kAbsentInput;)
        if (in.dims(i).size() == 2 &&
            (extent(in.dims(i)[1]) == found.hidden || (in.width(i) == 1 && 2 * extent(in.dims(i)[1]) == found.hidden)))
            found.input = i;
    return found.down == kAbsentInput || found.input == kAbsentInput ? std::nullopt : std::optional(found);
}

/// The whole numbers behind an argument, in order.
std::vector<double> numbers_behind(const ModelInputs& in, std::size_t at, std::size_t most) {
    std::vector<double> numbers;
    for (std::size_t i = at + 1; i < in.concretes() && numbers.size() < most; ++i)
        if (const auto number = in.number(i))
            numbers.push_back(*number);
    return numbers;
}

/// How many experts are chosen for a token, where all of them are on this rank; 0: else.
double chosen_experts(std::string_view name, const ModelInputs& in, const FoundExperts& found) {
    if (routes_tokens(name)) {
        const std::vector<double> numbers = numbers_behind(in, found.down, 2);
        return numbers.size() == 2 && numbers[0] == extent(in.dims(found.down)[0]) ? numbers[1] : 0;
    }
    // (..., type of the result, ..., size and rank of tensor parallelism, size and rank of expert parallelism)
    const std::vector<double> numbers = numbers_behind(in, found.down, 4);
    if (numbers.size() < 4 || numbers[3] != 1)
        return 0;
    for (std::size_t i = found.input + 1; i < found.up; ++i)
        if (in.dims(i).size() == 2 && in.dims(i)[0] == in.dims(found.input)[0])
            return extent(in.dims(i)[1]);
    return 0;
}

} // namespace

std::optional<ExpertsShape> experts_shape(std::string_view name, const ModelInputs& in) {
    ExpertsShape shape;
    const auto finish = [&](double up_rows, double weight_bytes, double moved) -> std::optional<ExpertsShape> {
        if (shape.tokens <= 0 || shape.experts <= 0 || shape.chosen <= 0 || shape.chosen > shape.experts ||
            shape.inner <= 0 || (up_rows != shape.inner && up_rows != 2 * shape.inner))
            return {};
        shape.gated = up_rows == 2 * shape.inner;
        // Of E experts those are read that at least one of T tokens asks for, each token asking k of them evenly.
        const double read = 1 - std::pow(1 - shape.chosen / shape.experts, shape.tokens);
        shape.bytes = moved + read * weight_bytes;
        return shape;
    };
    if (name == kTritonExperts) {
        // Tokens [T, K] go up to N, or rows [T · k, K] of the chosen experts down to N.
        const ExpertDims& x = in.dims(0);
        const ExpertDims& w = in.dims(1);
        const ExpertDims& ids = in.dims(8);
        if (x.size() != 2 || w.size() != 3 || ids.size() != 2 || w[2] != x[1] || !in.is_tensor(3) || in.width(0) == 0 ||
            in.width(1) == 0 || in.width(3) == 0 || (x[0] != ids[0] && extent(x[0]) != extent(ids[0]) * extent(ids[1])))
            return {};
        const bool up = x[0] == ids[0];
        shape = {extent(ids[0]),
                 extent(up ? w[2] : w[1]),
                 extent(up ? w[1] : w[2]),
                 extent(w[0]),
                 extent(ids[1]),
                 false,
                 up,
                 !up,
                 0,
                 1,
                 0};
        // What the stage writes, of every chosen expert, may have place for more.
        const double results = shape.tokens * shape.chosen * extent(w[1]) * in.width(3);
        return finish(shape.inner, in.bytes(1), in.bytes(0) + results);
    }
    const bool first = name == "aiter::moe_cktile2stages_gemm1_ck";
    if (first || name == "aiter::moe_cktile2stages_gemm2_ck") {
        // (x [T, H], weights [E, 2I, H], y [T, k, I], ...) and (x [T, k, I], weights [E, H, I], y [T, H], ...)
        const ExpertDims& x = in.dims(0);
        const ExpertDims& w = in.dims(1);
        const ExpertDims& y = in.dims(2);
        if (w.size() != 3 || x.size() != (first ? 2U : 3U) || y.size() != (first ? 3U : 2U) || in.width(0) == 0 ||
            in.width(1) == 0 || in.width(2) == 0)
            return {};
        const ExpertDims& inner = first ? y : x;
        shape = {extent(inner[0]),
                 extent(first ? x[1] : y[1]),
                 extent(inner[2]),
                 extent(w[0]),
                 extent(inner[1]),
                 false,
                 first,
                 !first,
                 0,
                 1,
                 0};
        if (values_in(in.width(1), w[2], first ? shape.hidden : shape.inner) == 0 ||
            (!first && extent(w[1]) != shape.hidden))
            return {};
        return finish(first ? extent(w[1]) : shape.inner, in.bytes(1), in.bytes(0) + in.bytes(2));
    }
    if (has_routed_tokens(name) || routes_tokens(name)) {
        const auto found = find_experts(in);
        if (!found || in.width(found->input) == 0)
            return {};
        shape.tokens = extent(in.dims(found->input)[0]);
        shape.hidden = found->hidden;
        shape.inner = found->inner;
        shape.experts = extent(in.dims(found->up)[0]);
        shape.chosen = chosen_experts(name, in, *found);
        shape.input = found->input;
        shape.weights = found->up;
        return finish(extent(in.dims(found->up)[1]), in.bytes(found->up) + in.bytes(found->down),
                      in.bytes(found->input) + shape.tokens * shape.hidden * std::max(2.0, in.width(found->input)));
    }
    const ExpertsLayout* layout = experts_layout(name);
    if (layout == nullptr)
        return {};
    const ExpertDims& x = in.dims(layout->input);
    const ExpertDims& up = in.dims(layout->up);
    const ExpertDims& down = in.dims(layout->down);
    if (x.size() < 2 || up.size() != 3 || down.size() != 3 || up[0] != down[0] || in.width(layout->input) == 0 ||
        in.width(layout->up) == 0 || in.width(layout->down) == 0)
        return {};
    const bool inner_input = !layout->does_up; // [T, k, I]
    shape.hidden = extent(down[1]);
    const double packed = values_in(in.width(layout->up), up[2], shape.hidden);
    shape.inner = extent(down[2]) * packed;
    shape.tokens = extent(x[0]);
    shape.experts = extent(up[0]);
    shape.up = layout->does_up;
    shape.down = layout->does_down;
    shape.input = layout->input;
    shape.weights = layout->up;
    if (packed == 0 || (inner_input ? x.size() != 3 || extent(x[2]) != shape.inner : x.size() != 2))
        return {};
    if (!inner_input && values_in(in.width(layout->input), x[1], shape.hidden) == 0)
        return {};
    if (layout->chosen_at != kAbsentInput)
        shape.chosen = in.number(layout->chosen_at).value_or(0);
    else
        for (std::size_t i = 3; i < 6 && shape.chosen == 0; ++i)
            if (in.dims(i).size() == 2 && in.dims(i)[0] == x[0] && in.dims(i)[1] <= up[0])
                shape.chosen = extent(in.dims(i)[1]);
    // A map or mask of all experts, of which this rank has some.
    for (std::size_t i = 5; i < in.size(); ++i)
        if (layout->chosen_at == kAbsentInput && in.dims(i).size() == 1 && in.dims(i)[0] > up[0] &&
            (in.type(i) == "int" || in.type(i) == "long int"))
            return {};
    const double weights = (shape.up ? in.bytes(layout->up) : 0) + (shape.down ? in.bytes(layout->down) : 0);
    const double out = std::max(2.0, in.width(layout->input));
    // What goes in, and what comes out: [T, H], or [T, k, I] between the two stages.
    const double result = shape.down ? shape.tokens * shape.hidden : shape.tokens * shape.chosen * shape.inner;
    return finish(extent(up[1]), weights, in.bytes(layout->input) + result * out);
}

} // namespace rankscope
