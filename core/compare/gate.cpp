// SPDX-License-Identifier: GPL-3.0-or-later
// Gates: a metric held against a limit, or against a baseline.
#include "core/compare/gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/metric_comparison.h"
#include "core/metrics/detail_numbers.h"

namespace rankscope {
namespace {

tl::unexpected<Error> usage_error(std::string message) {
    return tl::unexpected<Error>(Error{Error::Code::usage, std::move(message)});
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::optional<double> whole_number(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Short words for what is gated most, besides the metrics' own ids.
struct Alias {
    std::string_view word;
    std::string_view metric;
    std::string_view field;
};
constexpr std::array<Alias, 2> kAliases{{{"busbw", "comm_bandwidth", ""}, {"algbw", "comm_bandwidth", "algbw_gb_s"}}};

/// The number a gate asks for, or why the run has none.
struct Asked {
    std::optional<double> value;
    std::string reason;
};

Result<Asked> number_of(const Gate& gate, const MetricReport& report) {
    const MetricResult* result = report.find(gate.metric->id);
    if (result == nullptr || !result->available)
        return Asked{std::nullopt, result == nullptr ? "not computed" : result->reason};
    if (gate.field.empty() || gate.field == "value")
        return Asked{result->value, {}};
    const auto numbers = detail_numbers(result->details);
    std::vector<std::string_view> fields;
    for (const DetailNumber& number : numbers) {
        if (number.field == gate.field)
            return Asked{number.value, {}};
        if (fields.size() < 12)
            fields.push_back(number.field);
    }
    return usage_error(fmt::format("--gate {}: {} has no number \"{}\"; it has value{}{}{}", gate.expression,
                                   gate.metric->id, gate.field, fields.empty() ? "" : ", ", fmt::join(fields, ", "),
                                   numbers.size() > fields.size() ? " ..." : ""));
}

} // namespace

bool Gate::holds(double value) const {
    switch (relation) {
    case Relation::less: return value < limit;
    case Relation::less_equal: return value <= limit;
    case Relation::greater: return value > limit;
    case Relation::greater_equal: break;
    }
    return value >= limit;
}

std::string unknown_metric_message(std::string_view id) {
    const auto nearest = nearest_metric_ids(id);
    return nearest.empty() ? fmt::format("unknown metric \"{}\"; see rankscope --list-metrics", id)
                           : fmt::format("unknown metric \"{}\"; nearest: {}", id, fmt::join(nearest, ", "));
}

Result<Gate> parse_gate(std::string_view expression) {
    const auto malformed = [&] {
        return usage_error(fmt::format(
            "--gate {}: not of the form METRIC<=NUMBER or METRIC<+PERCENT% (relations: < <= > >=)", expression));
    };
    const std::size_t at = expression.find_first_of("<>");
    if (at == std::string_view::npos)
        return malformed();
    Gate gate;
    gate.expression = expression;
    const bool or_equal = expression.substr(at + 1).starts_with('=');
    gate.relation = expression[at] == '<' ? (or_equal ? Gate::Relation::less_equal : Gate::Relation::less)
                                          : (or_equal ? Gate::Relation::greater_equal : Gate::Relation::greater);
    std::string_view limit = trimmed(expression.substr(at + (or_equal ? 2 : 1)));
    gate.against_baseline = limit.ends_with('%');
    if (gate.against_baseline)
        limit.remove_suffix(1);
    const auto number = whole_number(limit);
    if (!number)
        return malformed();
    gate.limit = *number;

    const std::string_view subject = trimmed(expression.substr(0, at));
    const std::size_t dot = subject.find('.');
    if (const auto alias = std::ranges::find(kAliases, subject, &Alias::word); alias != kAliases.end()) {
        gate.metric = find_metric(alias->metric);
        gate.field = alias->field;
        return gate;
    }
    gate.metric = find_metric(subject.substr(0, dot));
    if (gate.metric == nullptr)
        return usage_error(fmt::format("--gate {}: {}", expression, unknown_metric_message(subject.substr(0, dot))));
    if (dot != std::string_view::npos)
        gate.field = subject.substr(dot + 1);
    return gate;
}

Result<GateResult> check_gate(const Gate& gate, const MetricReport& run, const MetricReport* baseline) {
    GateResult result{gate, {}, {}, false, {}};
    const auto measured = number_of(gate, run);
    if (!measured)
        return tl::unexpected<Error>(measured.error());
    result.value = measured->value;
    result.reason = measured->reason;
    if (gate.against_baseline && result.value) {
        const auto reference = number_of(gate, *baseline);
        if (!reference)
            return tl::unexpected<Error>(reference.error());
        if (!reference->value)
            result.reason = "baseline: " + reference->reason;
        result.value = reference->value ? percent_change(*reference->value, *measured->value) : std::nullopt;
        if (!result.value && result.reason.empty())
            result.reason = "the baseline is 0";
    }
    result.passed = result.value && gate.holds(*result.value);
    return result;
}

} // namespace rankscope
