// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/fused_work.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

using namespace std::string_view_literals;
using FusedWork = std::optional<OperatorWork>;

/// (result, input): activation(one half of the input) times the other. FLOPs of one element of the result: x·sigmoid(x)
/// by a negation, an exponential, an addition and a division; gelu by the error function or tanh; and the product.
struct GatedActivation {
    std::string_view name; ///< behind the library's
    double flops;
};
constexpr std::array kGated{GatedActivation{"silu_and_mul", 5}, GatedActivation{"gelu_and_mul", 8},
                            GatedActivation{"gelu_tanh_and_mul", 10}};
const GatedActivation* gated_activation(std::string_view name) {
    for (const std::string_view library : {"_C::"sv, "aiter::"sv, "sgl_kernel::"sv})
        if (name.starts_with(library)) {
            const auto* found = std::ranges::find(kGated, name.substr(library.size()), &GatedActivation::name);
            return found == kGated.end() ? nullptr : found;
        }
    return nullptr;
}

/// Liger's function has gate and factor as two tensors.
constexpr std::string_view kTwoTensors = "LigerSiLUMulFunction";

FusedWork gated(std::string_view name, const ModelInputs& in) {
    if (name == kTwoTensors)
        return in.is_tensor(0) && in.dims(0) == in.dims(1) && in.width(0) > 0
                   ? FusedWork({5 * in.count(0), 3 * in.bytes(0)})
                   : std::nullopt;
    if (!in.is_tensor(0) || in.width(0) == 0 || in.width(1) == 0 || in.count(1) != 2 * in.count(0))
        return {};
    return OperatorWork{gated_activation(name)->flops * in.count(0), in.bytes(0) + in.bytes(1)};
}

struct RotaryLayout {
    std::string_view name;
    std::size_t query = 0, key = 0; ///< the same: there is only one tensor
    bool flat = false;              ///< [tokens, heads · dim], with the size of a head and the table behind
};
constexpr std::array kRotary{RotaryLayout{"FusedRoPEFunc"},
                             RotaryLayout{"aiter::rope_cached_positions_2c_fwd_impl", 2, 3},
                             RotaryLayout{"sgl_kernel::rotary_embedding", 1, 2, true}};
const RotaryLayout* rotary_layout(std::string_view name) {
    const auto* found = std::ranges::find(kRotary, name, &RotaryLayout::name);
    return found == kRotary.end() ? nullptr : found;
}

/// [tokens, ...] logits and a 64-bit target for each row.
FusedWork cross_entropy(const ModelInputs& in) {
    if (in.dims(0).size() < 2 || in.width(0) == 0 || in.dims(0).back() <= 0)
        return {};
    const double rows = in.count(0) / static_cast<double>(in.dims(0).back());
    const double target = in.width(1) > 0 ? in.width(1) : 8;
    return OperatorWork{5 * in.count(0), in.bytes(0) + rows * (target + 4)};
}

} // namespace

FusedKind fused_kind(std::string_view name) {
    if (gated_activation(name) != nullptr || name == kTwoTensors)
        return FusedKind::gated_activation;
    if (rotary_layout(name) != nullptr)
        return FusedKind::rotary_embedding;
    return name == "CrossEntropyFunction" ? FusedKind::cross_entropy : FusedKind::none;
}

bool is_gate_of_two_tensors(std::string_view name) { return name == kTwoTensors; }

std::optional<double> rotated_values(std::string_view name, const ModelInputs& in) {
    const RotaryLayout* layout = rotary_layout(name);
    if (layout == nullptr || !in.is_tensor(layout->query) || in.width(layout->query) == 0)
        return {};
    double values = in.count(layout->query);
    if (layout->key != layout->query)
        values += in.is_tensor(layout->key) ? in.count(layout->key) : 0;
    if (!layout->flat)
        return values;
    // Only the first rot_dim of each head are turned: the table [positions, rot_dim] says how many.
    const auto head = in.number(3);
    if (!head || *head <= 0 || in.dims(4).size() != 2 || static_cast<double>(in.dims(4)[1]) > *head)
        return {};
    return values / *head * static_cast<double>(in.dims(4)[1]);
}

FusedWork fused_work(std::string_view name, const ModelInputs& in) {
    switch (fused_kind(name)) {
    case FusedKind::gated_activation: return gated(name, in);
    case FusedKind::rotary_embedding:
        if (const auto values = rotated_values(name, in))
            return OperatorWork{3 * *values, 2 * *values * in.width(rotary_layout(name)->query)};
        return {};
    case FusedKind::cross_entropy: return cross_entropy(in);
    case FusedKind::none: break;
    }
    return {};
}

} // namespace rankscope
