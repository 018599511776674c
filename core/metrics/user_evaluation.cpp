// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/user_evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <muParser.h>

namespace rankscope {
namespace {

UserValue value_of_name(const UserMetric& definition, const RunAnalysis& analysis, const std::string& name) {
    UserValue value;
    if (const auto set = definition.values.find(name); set != definition.values.end()) {
        value = value_of_set(analysis, set->second);
        if (!value.number)
            value.reason = "%1: %2"_text(name, value.reason);
    } else if (name == "ranks") {
        value.number = static_cast<double>(analysis.ranks().size());
    } else if (name == "world_size") {
        value.number = static_cast<double>(analysis.run().world_size);
    } else {
        value = value_of_metric(analysis, name);
    }
    return value;
}

/// With an end that is open where the value is a bound.
KnownRange range_of(const UserValue& value) {
    constexpr double kOpen = std::numeric_limits<double>::infinity();
    return {value.bound == ValueBound::at_most ? -kOpen : *value.number,
            value.bound == ValueBound::at_least ? kOpen : *value.number, value.growth};
}

/// Sets the result's bound and its value per iteration; unavailable where bounds tell nothing of it.
MetricResult with_what_is_known(MetricResult result, const UserMetric& definition,
                                const std::map<std::string, UserValue>& values) {
    std::map<std::string, KnownRange> ranges;
    std::map<std::string, double> of_iteration;
    const std::string* bounded = nullptr;
    for (const auto& [name, value] : values) {
        ranges[name] = range_of(value);
        of_iteration[name] = value.growth == Growth::with_iterations ? *value.per_iteration : *value.number;
        if (value.bound != ValueBound::none && bounded == nullptr)
            bounded = &name;
    }
    const auto is_value = [&](double end) {
        return std::isfinite(end) &&
               std::abs(end - result.value) <= 1e-9 * std::max(std::abs(end), std::abs(result.value));
    };
    const auto known = known_range(definition.expression, ranges);
    const bool low = known && is_value(known->low);
    const bool high = known && is_value(known->high);
    if (bounded != nullptr && !low && !high)
        return MetricResult::unavailable(only_a_bound(*bounded, values.at(*bounded).bound), result.details);
    if (bounded != nullptr && low != high) {
        result.bound = low ? ValueBound::at_least : ValueBound::at_most;
        for (const auto& [name, value] : values)
            add_reason(result.bound_reason, value.bound_reason);
    }
    if ((low || high) && known->growth == Growth::with_iterations)
        if (const double value = parser_for(definition, of_iteration)->Eval(); std::isfinite(value))
            result.per_iteration = value;
    return result;
}

} // namespace

std::unique_ptr<mu::Parser> parser_for(const UserMetric& definition, std::map<std::string, double>& numbers) {
    auto parser = std::make_unique<mu::Parser>();
    parser->DefineNameChars(std::string(kNameCharacters).c_str());
    for (const std::string& name : definition.names)
        parser->DefineVar(name, &numbers[name]);
    parser->SetExpr(definition.expression);
    return parser;
}

StepValues values_by_iteration(const UserMetric& definition, const RunAnalysis& analysis) {
    std::map<std::int64_t, std::map<std::string, double>> by_iteration;
    std::map<std::string, double> fixed;
    std::size_t growing = 0;
    for (const std::string& name : definition.names) {
        const UserValue value = value_of_name(definition, analysis, name);
        if (!value.number)
            return {};
        if (value.growth != Growth::with_iterations)
            fixed[name] = *value.number;
        else
            ++growing;
        for (const auto& [number, of_one] : value.by_iteration)
            by_iteration[number][name] = of_one;
    }
    StepValues values;
    for (auto& [number, numbers] : by_iteration) {
        if (numbers.size() != growing)
            continue;
        numbers.insert(fixed.begin(), fixed.end());
        if (const double value = parser_for(definition, numbers)->Eval(); std::isfinite(value))
            values[number] = {value};
    }
    return values;
}

bool sums_the_recording(const UserMetric& definition, const MetricList& own) {
    std::map<std::string, KnownRange> ranges;
    for (const std::string& name : definition.names) {
        const MetricPointer metric = find_listed_metric(name, own);
        const bool sums =
            definition.values.contains(name) || (metric != nullptr && metric->levels > 0 && metric->by_iteration);
        const bool detail = !definition.values.contains(name) && name.find('.') != std::string::npos;
        ranges[name] = {1, 1, sums ? Growth::with_iterations : detail ? Growth::unknown : Growth::none};
    }
    const auto known = known_range(definition.expression, ranges);
    return known && known->growth == Growth::with_iterations;
}

MetricResult evaluate(const UserMetric& definition, const RunAnalysis& analysis) {
    std::map<std::string, UserValue> values;
    std::map<std::string, double> numbers;
    Json inputs = Json::object();
    for (const std::string& name : definition.names) {
        const UserValue& value = values[name] = value_of_name(definition, analysis, name);
        if (!value.number)
            return MetricResult::unavailable(value.reason);
        numbers[name] = *value.number;
        inputs[name] = *value.number;
    }
    try {
        const double value = parser_for(definition, numbers)->Eval();
        if (!std::isfinite(value))
            return MetricResult::unavailable("the expression has no finite value here (a division by zero?)"_text,
                                             Json{{"inputs", inputs}});
        return with_what_is_known(
            MetricResult::of(value, Json{{"expression", definition.expression}, {"inputs", inputs}}), definition,
            values);
    } catch (const mu::ParserError& error) {
        return MetricResult::unavailable(error.GetMsg());
    }
}

} // namespace rankscope
