// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/state_space_work.h"

#include <array>
#include <cmath>
#include <utility>

namespace rankscope {
namespace {

using namespace std::string_view_literals;
using StateWork = std::optional<OperatorWork>;

constexpr std::array kStateSpace{std::pair{"DaoAILab::_causal_conv1d_fwd_cpp"sv, StateSpaceKind::convolution},
                                 std::pair{"CausalConv1dFn"sv, StateSpaceKind::convolution},
                                 std::pair{"_C::causal_conv1d_fwd"sv, StateSpaceKind::convolution},
                                 std::pair{"sgl_kernel::causal_conv1d_fwd"sv, StateSpaceKind::convolution},
                                 std::pair{"trtllm::causal_conv1d_fwd"sv, StateSpaceKind::convolution},
                                 std::pair{"DaoAILab::_causal_conv1d_update_cpp"sv, StateSpaceKind::update},
                                 std::pair{"_C::causal_conv1d_update"sv, StateSpaceKind::update},
                                 std::pair{"sgl_kernel::causal_conv1d_update"sv, StateSpaceKind::update},
                                 std::pair{"trtllm::causal_conv1d_update"sv, StateSpaceKind::update},
                                 std::pair{"_C::selective_scan_fwd"sv, StateSpaceKind::selective_scan},
                                 std::pair{"SelectiveScanFn"sv, StateSpaceKind::selective_scan},
                                 std::pair{"MambaChunkScanCombinedFn"sv, StateSpaceKind::chunk_scan},
                                 std::pair{"MambaSplitConv1dScanCombinedFn"sv, StateSpaceKind::split_scan}};

double extent_of(const ModelInputs& in, std::size_t i, std::size_t dimension) {
    return static_cast<double>(in.dims(i)[dimension]);
}

/// (x [B, C, T] or, of packed sequences, [C, tokens], weight [C, k], bias ...)
StateWork convolution_work(const ModelInputs& in) {
    const auto& x = in.dims(0);
    const auto& weight = in.dims(1);
    if ((x.size() != 3 && x.size() != 2) || weight.size() != 2 || weight[0] != x[x.size() - 2] || in.width(0) == 0 ||
        in.width(1) == 0)
        return {};
    return OperatorWork{2 * in.count(0) * static_cast<double>(weight[1]), 2 * in.bytes(0) + in.bytes(1) + in.bytes(2)};
}

/// (x [B, C] or [B, C, T], kept values [slots, C, S], weight [C, k], bias ...): the kept values are shifted.
StateWork update_work(const ModelInputs& in) {
    const auto& x = in.dims(0);
    const auto& state = in.dims(1);
    const auto& weight = in.dims(2);
    if ((x.size() != 2 && x.size() != 3) || state.size() != 3 || weight.size() != 2 || weight[0] != x[1] ||
        state[1] != x[1] || in.width(0) == 0 || in.width(1) == 0 || in.width(2) == 0)
        return {};
    const double kept = static_cast<double>(x[0]) * extent_of(in, 1, 1) * extent_of(in, 1, 2);
    const double bias = in.dims(3).size() == 1 && in.dims(3)[0] == x[1] ? in.bytes(3) : 0;
    return OperatorWork{2 * in.count(0) * static_cast<double>(weight[1]),
                        2 * in.bytes(0) + 2 * kept * in.width(1) + in.bytes(2) + bias};
}

/// (u [B, D, T] or [D, tokens], Δ, A [D, N], B, C, D, gate z, bias of Δ, softplus, starts of sequences, ...,
/// 12: states). The result is as large as u.
StateWork selective_scan_work(std::string_view name, const ModelInputs& in) {
    const auto& u = in.dims(0);
    const auto& a = in.dims(2);
    if ((u.size() != 3 && u.size() != 2) || in.dims(1) != u || a.size() != 2 || a[0] != u[u.size() - 2])
        return {};
    double bytes = in.bytes(0);
    for (std::size_t i = 0; i < 8; ++i) {
        if (in.is_tensor(i) && in.width(i) == 0)
            return {};
        bytes += in.bytes(i);
    }
    const double channels =
        (in.is_tensor(5) ? 2 : 0) + (in.is_tensor(6) ? 5 : 0) + (in.is_tensor(7) ? 1 : 0) + (in.is_true(8) ? 3 : 0);
    if (name == "_C::selective_scan_fwd" && in.dims(12).size() == 3) {
        const double sequences = in.dims(9).size() == 1 ? in.count(9) - 1 : u.size() == 3 ? extent_of(in, 0, 0) : 1;
        bytes += sequences * extent_of(in, 12, 1) * extent_of(in, 12, 2) * in.width(12);
    }
    return OperatorWork{in.count(0) * (7 * static_cast<double>(a[1]) + 1 + channels), bytes};
}

/// (x [B, T, H, P], Δ [B, T, H], A [H], B [B, T, G, N], C, chunk, D, z, ...)
std::optional<ChunkScanShape> chunked(const ModelInputs& in) {
    const auto& x = in.dims(0);
    const auto& b = in.dims(3);
    const auto chunk = in.number(5);
    if (x.size() != 4 || b.size() != 4 || in.dims(4) != b || b[0] != x[0] || b[1] != x[1] || !chunk || *chunk <= 0)
        return {};
    ChunkScanShape shape;
    shape.batch = extent_of(in, 0, 0);
    shape.tokens = extent_of(in, 0, 1);
    shape.heads = extent_of(in, 0, 2);
    shape.head = extent_of(in, 0, 3);
    shape.groups = extent_of(in, 3, 2);
    shape.states = extent_of(in, 3, 3);
    shape.chunk = *chunk;
    shape.inner = shape.heads * shape.head;
    return shape;
}

/// (gate, x, B, C and Δ in one tensor [B, T, 2·H·P + 2·G·N + H], weight of the convolution [H·P + 2·G·N, k], its bias,
/// bias of Δ [H], A, D, chunk, ...). The shapes give P and G·N. The profiler leaves some arguments behind the chunk
/// out, so G is the number behind P, wherever it is.
std::optional<ChunkScanShape> split(const ModelInputs& in) {
    const auto chunk = in.number(6);
    if (in.dims(0).size() != 3 || in.dims(1).size() != 2 || in.dims(3).size() != 1 || !chunk || *chunk <= 0)
        return {};
    ChunkScanShape shape;
    shape.batch = extent_of(in, 0, 0);
    shape.tokens = extent_of(in, 0, 1);
    shape.width_in = extent_of(in, 0, 2);
    shape.channels = extent_of(in, 1, 0);
    shape.kept = extent_of(in, 1, 1);
    shape.heads = extent_of(in, 3, 0);
    shape.chunk = *chunk;
    if (shape.heads <= 0)
        return {};
    shape.head = (shape.width_in - shape.channels) / shape.heads - 1;
    shape.inner = shape.heads * shape.head;
    for (std::size_t i = 7; i + 1 < in.concretes() && shape.groups == 0; ++i)
        if (in.number(i) == shape.head)
            shape.groups = in.number(i + 1).value_or(0);
    const double both = shape.channels - shape.inner; // of B and C
    if (shape.head <= 0 || shape.groups <= 0 || both <= 0 || std::fmod(both, 2 * shape.groups) != 0)
        return {};
    shape.states = both / 2 / shape.groups;
    return shape;
}

/// The weight [out, H·P] of the projection behind the scan; 0: none.
std::size_t projection_of(const ModelInputs& in, const ChunkScanShape& shape) {
    for (std::size_t i = 7; i < in.size(); ++i)
        if (in.dims(i).size() == 2 && in.type(i) == in.type(0) && extent_of(in, i, 1) == shape.inner)
            return i;
    return 0;
}

StateWork chunk_scan_work(std::string_view name, const ModelInputs& in) {
    const auto shape = chunk_scan_shape(name, in);
    if (!shape || in.width(0) == 0)
        return {};
    const double rows = shape->batch * shape->tokens;
    double flops = 2 * shape->batch * shape->pairs() * (shape->groups * shape->states + shape->inner) +
                   4 * rows * shape->inner * shape->states;
    double bytes = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
        bytes += in.bytes(i);
    double results = shape->inner;
    if (state_space_kind(name) == StateSpaceKind::split_scan) {
        flops += 2 * rows * shape->channels * shape->kept;
        if (const std::size_t projection = projection_of(in, *shape); projection != 0) {
            flops += 2 * rows * in.count(projection);
            results = extent_of(in, projection, 0);
        }
    }
    return OperatorWork{flops, bytes + rows * results * in.width(0)};
}

} // namespace

double ChunkScanShape::pairs() const {
    const double rest = std::fmod(tokens, chunk);
    return (std::floor(tokens / chunk) * chunk * chunk + rest * rest) / 2;
}

StateSpaceKind state_space_kind(std::string_view name) {
    const auto* found = std::ranges::find(kStateSpace, name, &std::pair<std::string_view, StateSpaceKind>::first);
    return found == kStateSpace.end() ? StateSpaceKind::none : found->second;
}

bool wraps_state_space(std::string_view name) { return name == "CausalConv1dFn"; }

std::optional<ChunkScanShape> chunk_scan_shape(std::string_view name, const ModelInputs& in) {
    switch (state_space_kind(name)) {
    case StateSpaceKind::chunk_scan: return chunked(in);
    case StateSpaceKind::split_scan: return split(in);
    default: return {};
    }
}

StateWork state_space_work(std::string_view name, const ModelInputs& in) {
    switch (state_space_kind(name)) {
    case StateSpaceKind::convolution: return convolution_work(in);
    case StateSpaceKind::update: return update_work(in);
    case StateSpaceKind::selective_scan: return selective_scan_work(name, in);
    case StateSpaceKind::chunk_scan:
    case StateSpaceKind::split_scan: return chunk_scan_work(name, in);
    case StateSpaceKind::none: break;
    }
    return {};
}

bool is_delta_net(std::string_view name) {
    return name == "vllm::gdn_attention_core" || name == "aiter::linear_attention_with_output_base";
}

std::optional<DeltaNetShape> delta_net_shape(std::string_view name, const ModelInputs& in) {
    if (!is_delta_net(name) || in.dims(0).size() != 2 || in.dims(1).size() != 2 || in.dims(3).size() != 3 ||
        in.width(0) == 0 || in.dims(3)[1] != in.dims(1)[1])
        return {};
    DeltaNetShape shape;
    shape.tokens = extent_of(in, 0, 0);
    shape.values_in = extent_of(in, 0, 1);
    shape.value_heads = extent_of(in, 3, 1);
    shape.head = extent_of(in, 3, 2);
    shape.width = in.width(0);
    if (shape.head <= 0)
        return {};
    shape.key_heads = (shape.values_in - shape.value_heads * shape.head) / 2 / shape.head;
    if (shape.key_heads < 1 || std::fmod(shape.value_heads, shape.key_heads) != 0)
        return {};
    return shape;
}

StateWork delta_net_work(std::string_view name, const ModelInputs& in, double tokens) {
    const auto shape = delta_net_shape(name, in);
    if (!shape)
        return {};
    return OperatorWork{7 * tokens * shape->value_heads * shape->head * shape->head,
                        tokens * (shape->values_in + shape->value_heads * (2 + shape->head)) * shape->width};
}

} // namespace rankscope
