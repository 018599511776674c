// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/norm_work.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/analysis/operators/fused_norm_work.h"

namespace rankscope {
namespace {

using NormWork = std::optional<OperatorWork>;
using NormDims = ModelInputs::Dims;
constexpr std::size_t kNotThere = std::numeric_limits<std::size_t>::max();

enum class NormKind : std::uint8_t { batch, layer, group, rms };

struct NormLayout {
    std::string_view name;
    NormKind kind = NormKind::batch;
    std::size_t input = 0, weight = 1, bias = 2;
    std::size_t statistics = kNotThere; ///< flag: mean and variance are those of this batch; without it they are
    std::size_t shape = kNotThere;      ///< list of the normalised dimensions
    std::size_t mask = kNotThere;       ///< of a backward operator: which gradients it makes; without it all
    bool backward = false;
};
constexpr NormLayout batch(std::string_view name, std::size_t statistics = 5) {
    return {name, NormKind::batch, 0, 1, 2, statistics};
}

constexpr std::array kNorms{
    batch("aten::batch_norm"), batch("aten::native_batch_norm"), batch("aten::cudnn_batch_norm"),
    batch("aten::miopen_batch_norm"), batch("aten::instance_norm"),
    // (input, weight, bias, running mean, running variance, momentum, eps), which exists for training alone
    batch("aten::_batch_norm_with_update", kNotThere),
    NormLayout{"aten::layer_norm", NormKind::layer, 0, 2, 3, kNotThere, 1},
    NormLayout{"aten::native_layer_norm", NormKind::layer, 0, 2, 3, kNotThere, 1},
    NormLayout{"aten::group_norm", NormKind::group, 0, 2, 3}, NormLayout{"aten::native_group_norm", NormKind::group},
    NormLayout{"aten::_fused_rms_norm", NormKind::rms, 0, 2, kNotThere, kNotThere, 1},
    NormLayout{"aten::native_batch_norm_backward", NormKind::batch, 1, 2, kNotThere, kNotThere, kNotThere, 9, true},
    // (gradient, input, weight, running and saved statistics, update, epsilon, mask, ...)
    NormLayout{"aten::batch_norm_backward", NormKind::batch, 1, 2, kNotThere, kNotThere, kNotThere, 9, true},
    // (input, gradient, weight, ...)
    NormLayout{"aten::cudnn_batch_norm_backward", NormKind::batch, 0, 2, kNotThere, kNotThere, kNotThere, kNotThere,
               true},
    NormLayout{"aten::miopen_batch_norm_backward", NormKind::batch, 0, 2, kNotThere, kNotThere, kNotThere, kNotThere,
               true},
    // (gradient, input, normalised shape, mean, rstd, weight, bias, mask)
    NormLayout{"aten::native_layer_norm_backward", NormKind::layer, 1, 5, 6, kNotThere, 2, 7, true},
    // (gradient, input, mean, rstd, weight, N, C, HxW, groups, mask)
    NormLayout{"aten::native_group_norm_backward", NormKind::group, 1, 4, kNotThere, kNotThere, kNotThere, 9, true},
    // (gradient, input, normalised shape, rstd, weight, mask)
    NormLayout{"aten::_fused_rms_norm_backward", NormKind::rms, 1, 4, kNotThere, kNotThere, 2, 5, true}};

const NormLayout* norm_layout(std::string_view name) {
    const auto* found = std::ranges::find(kNorms, name, &NormLayout::name);
    return found == kNorms.end() ? nullptr : found;
}

bool is_asked(const ModelInputs& in, const NormLayout& layout, std::size_t gradient) {
    if (layout.mask == kNotThere)
        return true;
    const nlohmann::json mask = in.list(layout.mask);
    return !mask.is_array() || gradient >= mask.size() || !mask[gradient].is_boolean() || mask[gradient].get<bool>();
}

NormWork rms_backward(const NormLayout& layout, const ModelInputs& in, double channels) {
    const double n = in.count(layout.input);
    const bool weight = in.is_tensor(layout.weight);
    // The normalised input, and the gradient times the weight.
    double flops = n + (weight ? n : 0);
    if (is_asked(in, layout, 0))
        flops += 6 * n; // a dot product of each row, and what it takes to use it
    if (weight && is_asked(in, layout, 1))
        flops += n + (n > channels ? n : 0); // and its sum over the rows
    return OperatorWork{flops, (3 * n + (weight ? 2 * channels : 0)) * in.width(layout.input)};
}

NormWork backward_work(const NormLayout& layout, const ModelInputs& in, double channels) {
    const double n = in.count(layout.input);
    const bool weight = in.is_tensor(layout.weight);
    const bool input = is_asked(in, layout, 0);
    // The weight and 1/deviation are read, the gradients of weight and bias are written.
    const double of_channels =
        1 + (weight ? 1 + (is_asked(in, layout, 1) ? 1 : 0) + (is_asked(in, layout, 2) ? 1 : 0) : 0);
    return OperatorWork{(input ? 9 : 4) * n, ((input ? 3 : 2) * n + of_channels * channels) * in.width(layout.input)};
}

NormWork forward_work(const NormLayout& layout, const ModelInputs& in, double channels) {
    const double n = in.count(layout.input);
    const bool statistics = layout.statistics == kNotThere || in.is_true(layout.statistics);
    const double tensors =
        (statistics ? 4 : 2) + (in.is_tensor(layout.weight) ? 1 : 0) + (in.is_tensor(layout.bias) ? 1 : 0);
    return OperatorWork{(statistics ? 5 : 2) * n + 6 * channels, (2 * n + tensors * channels) * in.width(layout.input)};
}

/// (input, weight, epsilon ...), or with the residual added first (out, input, residual, residual out, weight ...).
/// Squares, their sum, scale and weight: 4 N, and 2 a row; the addition another N.
NormWork library_rms_norm(std::string_view name, const ModelInputs& in) {
    if (!in.is_tensor(0) || in.width(0) == 0)
        return {};
    const bool added = name.find("add") != std::string_view::npos;
    const NormDims& input = in.dims(0);
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

} // namespace

bool is_norm(std::string_view name) { return norm_layout(name) != nullptr || is_modulated_norm(name); }

bool is_rms_norm(std::string_view name) {
    if (is_fused_rms_norm(name))
        return true;
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return (has("rms_norm") || has("rmsnorm")) && !name.starts_with("aten::") && !name.starts_with("vllm::") &&
           !has("quant") && !has("ackward") && !has("reduce");
}

bool is_norm_backward(std::string_view name) {
    const NormLayout* layout = norm_layout(name);
    return (layout != nullptr && layout->backward) || is_modulated_norm_backward(name);
}

std::size_t norm_input(std::string_view name) {
    const NormLayout* layout = norm_layout(name);
    return layout == nullptr ? 0 : layout->input;
}

double norm_channels(std::string_view name, const ModelInputs& in) {
    const NormLayout* layout = norm_layout(name);
    if (layout == nullptr)
        return is_modulated_norm(name) && in.is_tensor(0) ? static_cast<double>(in.dims(0).back()) : 0;
    if (layout->shape == kNotThere)
        return in.dims(layout->input).size() > 1 ? static_cast<double>(in.dims(layout->input)[1]) : 0;
    double channels = 1;
    const nlohmann::json shape = in.list(layout->shape);
    if (shape.is_array() && !shape.empty()) {
        for (const nlohmann::json& d : shape)
            channels *= d.is_number() ? d.get<double>() : 0;
        return channels;
    }
    return in.is_tensor(layout->weight) ? in.count(layout->weight) : 0;
}

NormWork norm_work(std::string_view name, const ModelInputs& in) {
    const NormLayout* layout = norm_layout(name);
    if (layout == nullptr)
        return is_fused_rms_norm(name) || is_modulated_norm(name) ? fused_norm_work(name, in)
               : is_rms_norm(name)                                ? library_rms_norm(name, in)
                                                                  : std::nullopt;
    if (in.dims(layout->input).size() < (layout->kind == NormKind::rms ? 1U : 2U) || in.width(layout->input) == 0)
        return {};
    const double channels = norm_channels(name, in);
    if (layout->kind != NormKind::rms)
        return layout->backward ? backward_work(*layout, in, channels) : forward_work(*layout, in, channels);
    if (channels <= 0)
        return {};
    if (layout->backward)
        return rms_backward(*layout, in, channels);
    const double n = in.count(layout->input);
    const bool weight = in.is_tensor(layout->weight);
    return OperatorWork{(weight ? 4 : 3) * n + 2 * n / channels,
                        2 * n * in.width(layout->input) + (weight ? in.bytes(layout->weight) : 0)};
}

} // namespace rankscope
