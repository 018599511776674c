// SPDX-License-Identifier: GPL-3.0-or-later
// Gates: a metric held against a limit, or against a baseline.
#include "core/compare/gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/statistics.h"
#include "core/compare/metric_comparison.h"
#include "core/metrics/ccl_bench_dashboard.h"
#include "core/metrics/detail_numbers.h"

namespace rankscope {
namespace {

tl::unexpected<Error> usage_error(Message message) {
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

/// "p95(history)+2%", "median(history)": nothing when it is not of that form.
std::optional<Gate::OfHistory> history_in(std::string_view text) {
    constexpr std::string_view kHistory = "(history)";
    const std::size_t at = text.find(kHistory);
    if (at == std::string_view::npos)
        return std::nullopt;
    Gate::OfHistory history;
    const std::string_view what = trimmed(text.substr(0, at));
    constexpr std::array<std::pair<std::string_view, double>, 3> kWords{{{"min", 0}, {"median", 50}, {"max", 100}}};
    const auto word = std::ranges::find(kWords, what, [](const auto& entry) { return entry.first; });
    if (word != kWords.end())
        history.percent = word->second;
    else if (what.starts_with('p'))
        history.percent = whole_number(what.substr(1));
    if (what != "mean" && (!history.percent || *history.percent < 0 || *history.percent > 100))
        return std::nullopt;
    std::string_view margin = trimmed(text.substr(at + kHistory.size()));
    if (margin.empty())
        return history;
    if (!margin.ends_with('%') || (margin.front() != '+' && margin.front() != '-'))
        return std::nullopt;
    margin.remove_suffix(1);
    const auto number = whole_number(margin);
    history.margin_percent = number.value_or(0);
    return number ? std::optional(history) : std::nullopt;
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
        return Asked{std::nullopt, result == nullptr ? "not computed" : english(result->reason)};
    if (gate.field.empty() || gate.field == "value")
        return Asked{result->judged().value, {}};
    const auto numbers = detail_numbers(result->details);
    std::vector<std::string_view> fields;
    for (const DetailNumber& number : numbers) {
        if (number.field == gate.field)
            return Asked{number.value, {}};
        if (fields.size() < 12)
            fields.push_back(number.field);
    }
    return usage_error("--gate %1: %2 has no number \"%3\"; it has value%4%5%6"_text(
        gate.expression, gate.metric->id, gate.field, fields.empty() ? "" : ", ",
        fmt::to_string(fmt::join(fields, ", ")), numbers.size() > fields.size() ? " ..." : ""));
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

Message unknown_metric_message(std::string_view id, const MetricList& own) {
    if (const std::string_view instead = instead_of_ccl_bench(id); !instead.empty())
        return id == "scale_up_bw_utility"
                   ? "\"%1\" of CCL-Bench needs a simulation with Astra-sim; nearest: %2"_text(std::string(id),
                                                                                               std::string(instead))
                   : "\"%1\" of CCL-Bench is not measured; nearest: %2"_text(std::string(id), std::string(instead));
    const auto nearest = nearest_metric_ids(id, own);
    return nearest.empty()
               ? "unknown metric \"%1\"; see rankscope --list-metrics"_text(std::string(id))
               : "unknown metric \"%1\"; nearest: %2"_text(std::string(id), fmt::to_string(fmt::join(nearest, ", ")));
}

Result<Gate> parse_gate(std::string_view expression, const MetricList& own) {
    const auto malformed = [&] {
        return usage_error(
            "--gate %1: not of the form METRIC<=NUMBER, METRIC<+PERCENT% or METRIC<p95(history)+PERCENT% (relations: < "
            "<= > >=)"_text(std::string(expression)));
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
    gate.of_history = history_in(limit);
    gate.against_baseline = !gate.of_history && limit.ends_with('%');
    if (gate.against_baseline)
        limit.remove_suffix(1);
    const auto number = whole_number(limit);
    if (!number && !gate.of_history)
        return malformed();
    gate.limit = number.value_or(0);

    const std::string_view subject = trimmed(expression.substr(0, at));
    const std::size_t dot = subject.find('.');
    if (const auto alias = std::ranges::find(kAliases, subject, &Alias::word); alias != kAliases.end()) {
        gate.metric = find_metric(alias->metric);
        gate.field = alias->field;
        return gate;
    }
    gate.metric = find_metric(subject.substr(0, dot), own);
    if (!gate.metric)
        return usage_error(
            "--gate %1: %2"_text(std::string(expression), unknown_metric_message(subject.substr(0, dot), own)));
    if (dot != std::string_view::npos)
        gate.field = subject.substr(dot + 1);
    return gate;
}

namespace {

/// The limit that earlier runs set, or why they set none.
Result<Asked> limit_of_history(const Gate& gate, std::span<const MetricReport> history) {
    std::vector<double> values;
    for (const MetricReport& report : history) {
        const auto asked = number_of(gate, report);
        if (!asked)
            return tl::unexpected<Error>(asked.error());
        if (asked->value)
            values.push_back(*asked->value);
    }
    if (values.empty())
        return Asked{std::nullopt, "no run of the history has it"};
    const auto& percent = gate.of_history->percent;
    const double value = percent
                             ? nearest_rank_percentile(values, std::max(*percent / 100, 1e-9))
                             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return Asked{value + std::abs(value) * gate.of_history->margin_percent / 100, {}};
}

} // namespace

GateResult not_comparable(const Gate& gate, const Message& verdict) { return {gate, {}, {}, false, english(verdict)}; }

Result<GateResult> check_gate(const Gate& gate, const MetricReport& run, const MetricReport* baseline,
                              std::span<const MetricReport> history) {
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
        const double longer = gate.metric->sums_the_recording && baseline->iterations > 0 && run.iterations > 0
                                  ? static_cast<double>(run.iterations) / static_cast<double>(baseline->iterations)
                                  : 1.0; // sums over a longer recording are larger
        result.value = reference->value ? percent_change(*reference->value * longer, *measured->value) : std::nullopt;
        if (result.value && !of_same_ranks(*baseline, run)) {
            const auto common = gate.field.empty() || gate.field == "value"
                                    ? of_common_ranks(*baseline->find(gate.metric->id), *run.find(gate.metric->id))
                                    : std::nullopt;
            result.value = common ? percent_change(common->baseline, common->test) : std::nullopt;
            if (!common)
                result.reason = "the baseline has traces of other ranks";
        }
        if (!result.value && result.reason.empty())
            result.reason = "the baseline is 0";
    }
    if (gate.of_history) {
        const auto limit = limit_of_history(gate, history);
        if (!limit)
            return tl::unexpected<Error>(limit.error());
        if (!limit->value) {
            result.value.reset();
            result.reason = limit->reason;
        }
        result.gate.limit = limit->value.value_or(0);
    }
    result.passed = result.value && result.gate.holds(*result.value);
    return result;
}

} // namespace rankscope
