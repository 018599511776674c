// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded inputs of an operator as the performance models read them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/analysis/operators/operator_work.h"
#include "core/base/shallow_json.h"
#include "core/base/text_match.h"

namespace rankscope {

inline double elements_of(const std::vector<std::int64_t>& dims) {
    return std::accumulate(
        dims.begin(), dims.end(), 1.0, [](double n, std::int64_t d) { return n * static_cast<double>(d); });
}

/// By position. What is not recorded is empty, and weighs nothing.
class ModelInputs {
public:
    using Dims = std::vector<std::int64_t>;

    explicit ModelInputs(const OperatorShapes& shapes) : shapes_(shapes) {}
    [[nodiscard]] std::size_t size() const { return shapes_.dims.size(); }
    [[nodiscard]] const Dims& dims(std::size_t i) const {
        static const Dims kNone;
        return i < shapes_.dims.size() ? shapes_.dims[i] : kNone;
    }
    [[nodiscard]] bool is_tensor(std::size_t i) const { return !dims(i).empty(); }
    [[nodiscard]] double count(std::size_t i) const { return elements_of(dims(i)); }
    [[nodiscard]] std::string_view type(std::size_t i) const {
        return i < shapes_.types.size() ? std::string_view(shapes_.types[i]) : std::string_view();
    }
    /// Bytes of one element; 0: unknown.
    [[nodiscard]] double width(std::size_t i) const { return element_bytes(type(i)).value_or(0); }
    [[nodiscard]] double bytes(std::size_t i) const { return is_tensor(i) ? count(i) * width(i) : 0; }
    [[nodiscard]] std::string_view concrete(std::size_t i) const {
        return i < shapes_.concrete.size() ? std::string_view(shapes_.concrete[i]) : std::string_view();
    }
    [[nodiscard]] std::size_t concretes() const { return shapes_.concrete.size(); }
    [[nodiscard]] bool is_true(std::size_t i) const { return concrete(i) == "True"; }
    [[nodiscard]] bool is_flag(std::size_t i) const { return is_true(i) || concrete(i) == "False"; }
    [[nodiscard]] std::optional<double> number(std::size_t i) const {
        const nlohmann::json value = parse_shallow_json<nlohmann::json>(concrete(i));
        // PyTorch writes "0." for 0.0, which JSON does not know.
        if (value.is_discarded() && concrete(i).ends_with('.'))
            return ModelInputs::whole(concrete(i).substr(0, concrete(i).size() - 1));
        return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    }
    [[nodiscard]] nlohmann::json list(std::size_t i) const {
        return parse_shallow_json<nlohmann::json>(lower_case(concrete(i)));
    }

private:
    static std::optional<double> whole(std::string_view text) {
        const nlohmann::json value = parse_shallow_json<nlohmann::json>(text);
        return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    }

    const OperatorShapes& shapes_;
};

/// All recorded tensors once; empty if one has an unknown type.
inline std::optional<double> bytes_of_all(const ModelInputs& in) {
    double bytes = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in.is_tensor(i) && in.width(i) == 0)
            return {};
        bytes += in.bytes(i);
    }
    return bytes;
}

} // namespace rankscope
