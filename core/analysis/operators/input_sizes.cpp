// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/input_sizes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/base/text.h"

namespace rankscope {
namespace {

constexpr double kSameSize = 0.05;   ///< sequences of another length are no other batch
constexpr double kOfTheCalls = 0.25; ///< the weights of an optimizer have the same sizes whatever the batch
constexpr std::size_t kMostOfAName = 60;

using Shape = std::vector<double>;

/// "[[64, 128], [128, 32], []]"; what is no tensor is empty.
std::vector<Shape> shapes_in(std::string_view text) {
    std::vector<Shape> shapes;
    const nlohmann::json inputs = parse_shallow_json<nlohmann::json>(text);
    if (!inputs.is_array())
        return shapes;
    for (const nlohmann::json& input : inputs) {
        Shape& shape = shapes.emplace_back();
        if (input.is_array() && std::ranges::all_of(input, [](const nlohmann::json& size) { return size.is_number(); }))
            for (const nlohmann::json& size : input)
                shape.push_back(size.get<double>());
    }
    return shapes;
}

double elements(const Shape& shape) {
    double product = shape.empty() ? 0 : 1;
    for (const double size : shape)
        product *= size;
    return product;
}

struct SizedOperator {
    double calls = 0;
    double elements = 0;                              ///< of all inputs, summed over the calls
    std::map<std::string_view, double> calls_by_dims; ///< of one trace, mean
};

std::map<std::string_view, SizedOperator> sized_operators(std::span<const RankTrace* const> ranks) {
    std::map<std::pair<std::string_view, std::string_view>, double> calls; // by operator and sizes
    for (const RankTrace* const rank : ranks)
        for (const InputsEntry& entry : rank->operator_inputs)
            ++calls[{rank->event_name(entry.event), rank->names->view(rank->input_shapes[entry.shapes].dims)}];
    std::map<std::string_view, SizedOperator> operators;
    for (const auto& [key, count] : calls) {
        const std::string_view dims = key.second;
        if (dims.empty())
            continue;
        SizedOperator& sized = operators[key.first];
        sized.calls += count;
        for (const Shape& shape : shapes_in(dims))
            sized.elements += count * elements(shape);
        sized.calls_by_dims[dims] = count / static_cast<double>(ranks.size());
    }
    return operators;
}

/// The sizes that most calls of a trace have more often than in the other run; empty: none has.
std::string_view more_often(const SizedOperator& here, const SizedOperator& there) {
    std::string_view dims;
    double most = 0;
    for (const auto& [own_dims, calls] : here.calls_by_dims) {
        const auto same = there.calls_by_dims.find(own_dims);
        const double more = calls - (same == there.calls_by_dims.end() ? 0 : same->second);
        if (more > most) {
            most = more;
            dims = own_dims;
        }
    }
    return dims;
}

/// The largest input whose size differs.
std::optional<std::pair<Shape, Shape>> differing_input(std::string_view baseline, std::string_view test) {
    const std::vector<Shape> before = shapes_in(baseline);
    const std::vector<Shape> after = shapes_in(test);
    std::optional<std::pair<Shape, Shape>> largest;
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
        if (before[i] != after[i] && !before[i].empty() && !after[i].empty() &&
            (!largest || elements(before[i]) > elements(largest->first)))
            largest.emplace(before[i], after[i]);
    return largest;
}

std::string shape_text(const Shape& shape) { return fmt::format("[{:.15g}]", fmt::join(shape, ", ")); }

} // namespace

InputSizes compare_input_sizes(std::span<const RankTrace* const> baseline, std::span<const RankTrace* const> test,
                               bool as_often) {
    const auto before = sized_operators(baseline);
    const auto after = sized_operators(test);
    InputSizes sizes{.of_baseline = !before.empty(), .of_test = !after.empty()};
    double all = 0;
    double other = 0;
    double most = 0;
    for (const auto& [name, was] : before) {
        const auto is = after.find(name);
        if (is == after.end())
            continue;
        const double calls = std::min(was.calls, is->second.calls);
        const double traces = static_cast<double>(test.size()) / static_cast<double>(baseline.size());
        if (as_often && std::abs(was.calls * traces - is->second.calls) > kSameSize * is->second.calls)
            continue;
        const double before_each = was.elements / was.calls;
        const double after_each = is->second.elements / is->second.calls;
        all += calls;
        if (std::abs(after_each - before_each) <= kSameSize * std::max(before_each, after_each))
            continue;
        // Calls that only one run makes are no other sizes.
        const std::string_view fewer = more_often(was, is->second);
        const std::string_view more = more_often(is->second, was);
        if (fewer.empty() || more.empty())
            continue;
        other += calls;
        const auto input = differing_input(fewer, more);
        if (const double weight = was.elements; input && weight > most) {
            most = weight;
            sizes.operation = shortened(terminal_safe(name), kMostOfAName);
            sizes.baseline_shape = shape_text(input->first);
            sizes.test_shape = shape_text(input->second);
        }
    }
    if (other <= kOfTheCalls * all)
        sizes.operation = sizes.baseline_shape = sizes.test_shape = {};
    if (!sizes.operation.empty())
        sizes.differ = Message(fmt::format("{} {} -> {}", sizes.operation, sizes.baseline_shape, sizes.test_shape));
    return sizes;
}

} // namespace rankscope
