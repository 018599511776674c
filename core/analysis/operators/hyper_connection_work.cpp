// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/hyper_connection_work.h"

#include <array>
#include <limits>

namespace rankscope {
namespace {

constexpr std::size_t kNoProjection = std::numeric_limits<std::size_t>::max();

struct HyperConnectionLayout {
    std::string_view name;
    std::size_t streams = 0;                ///< position of a tensor [M, n, C]
    bool behind = false, before = false;    ///< which mixes it does
    std::size_t projection = kNoProjection; ///< its weight [p, n · C]
};
constexpr std::array kHyperConnections{
    // (out, x, residual, mixes ...)
    HyperConnectionLayout{"aiter::mhc_post", 0, true},
    // (logits, sums of squares, x, weight, ...)
    HyperConnectionLayout{"aiter::mhc_pre_gemm_sqrsum", 2, false, false, 3},
    // (mixes ..., out, logits, sums of squares, scale, base, residual, weight of the norm, ...)
    HyperConnectionLayout{"aiter::mhc_pre_big_fuse_rmsnorm", 7, false, true},
    // (logits, sums of squares, next residual, x, residual, mixes ..., weight, ...)
    HyperConnectionLayout{"aiter::mhc_fused_post_pre_gemm_sqrsum", 2, true, false, 7}};

const HyperConnectionLayout* hyper_connection_layout(std::string_view name) {
    const auto* found = std::ranges::find(kHyperConnections, name, &HyperConnectionLayout::name);
    return found == kHyperConnections.end() ? nullptr : found;
}

} // namespace

bool is_hyper_connection(std::string_view name) { return hyper_connection_layout(name) != nullptr; }

std::optional<HyperConnectionShape> hyper_connection_shape(std::string_view name, const ModelInputs& in) {
    const HyperConnectionLayout* layout = hyper_connection_layout(name);
    if (layout == nullptr || in.dims(layout->streams).size() != 3)
        return {};
    const auto bytes = bytes_of_all(in);
    if (!bytes)
        return {};
    const auto size = [](std::int64_t d) { return static_cast<double>(d); };
    const auto& residual = in.dims(layout->streams);
    HyperConnectionShape shape;
    shape.tokens = size(residual[0]);
    shape.streams = size(residual[1]);
    shape.channels = size(residual[2]);
    shape.input = layout->streams;
    shape.work.bytes = *bytes;
    const double values = in.count(layout->streams);
    if (layout->behind)
        shape.work.flops += 2 * values * (shape.streams + 1);
    if (layout->before)
        shape.work.flops += 2 * values + 4 * shape.tokens * shape.channels + 2 * shape.tokens;
    if (layout->projection != kNoProjection) {
        const auto& weight = in.dims(layout->projection);
        if (weight.size() != 2 || size(weight[1]) != shape.streams * shape.channels)
            return {};
        shape.logits = size(weight[0]);
        shape.work.flops += 2 * values * (shape.logits + 1);
    }
    return shape;
}

} // namespace rankscope
