// SPDX-License-Identifier: GPL-3.0-or-later
// What a call of an operator was given, as the columns "param: ..." of TraceLens's sheets say it: those parameters that
// only some operators of a sheet have.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/analysis/operators/operator_inputs.h"
#include "core/base/shallow_json.h"

namespace rankscope {

inline std::string count_text(double value) { return fmt::format("{}", value); }
inline std::string flag_text(bool value) { return value ? "True" : "False"; }
inline std::string dims_text(const std::vector<std::int64_t>& dims) {
    return fmt::format("[{}]", fmt::join(dims, ", "));
}

/// What a call was given.
class CallInputs {
public:
    CallInputs(const OperatorShapes& recorded, std::string_view strides)
        : in(recorded), shapes(recorded), strides_(parse_shallow_json<nlohmann::json>(strides)) {}
    [[nodiscard]] std::string stride(std::size_t i) const {
        return strides_.is_array() && i < strides_.size() ? strides_[i].dump() : std::string();
    }
    [[nodiscard]] std::string types(std::initializer_list<std::size_t> inputs) const {
        std::vector<std::string_view> words;
        for (const std::size_t i : inputs)
            words.push_back(in.type(i));
        return fmt::format("[{}]", fmt::join(words, ", "));
    }
    ModelInputs in;
    const OperatorShapes& shapes;

private:
    nlohmann::json strides_;
};

/// Titles, without "param: ", and what they say of a call.
using NamedParameters = std::vector<std::pair<std::string_view, std::string>>;
NamedParameters named_parameters(std::string_view operator_name, const CallInputs& call,
                                 const std::optional<AttendedTokens>& attended);

} // namespace rankscope
