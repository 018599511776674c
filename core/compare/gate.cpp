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
#include "core/metrics/value_words.h"

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

/// Percentiles that have words.
constexpr std::array<std::pair<std::string_view, double>, 3> kPercentileWords{
    {{"min", 0}, {"median", 50}, {"max", 100}}};

/// "p95(history)+2%", "median(history)": nothing when it is not of that form.
std::optional<Gate::OfHistory> history_in(std::string_view text) {
    constexpr std::string_view kHistory = "(history)";
    const std::size_t at = text.find(kHistory);
    if (at == std::string_view::npos)
        return std::nullopt;
    Gate::OfHistory history;
    const std::string_view what = trimmed(text.substr(0, at));
    const auto word = std::ranges::find(kPercentileWords, what, [](const auto& entry) { return entry.first; });
    if (word != kPercentileWords.end())
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
    std::optional<double> per_iteration = {}; ///< where the metric sums the recording: a longer one has more
    const MetricResult* bounded = nullptr;    ///< where the metric's value is a bound
};

Result<Asked> number_of(const Gate& gate, const MetricReport& report) {
    const MetricResult* result = report.find(gate.metric->id);
    if (result == nullptr || !result->available)
        return Asked{std::nullopt, result == nullptr ? "not computed" : english(result->reason)};
    if (report.ends_early)
        return Asked{std::nullopt, "what was recorded of the run ends early: GPU work is missing"};
    const MetricResult* const bounded = result->bound == ValueBound::none ? nullptr : result;
    if (gate.field.empty())
        return Asked{result->judged().value, {}, result->per_iteration, bounded};
    const auto numbers = detail_numbers(result->details);
    std::vector<std::string_view> fields;
    for (const DetailNumber& number : numbers) {
        if (number.field == gate.field)
            return Asked{number.value, {}, {}, bounded};
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
    if (const auto message = not_measured_of_ccl_bench(id))
        return *message;
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
    if (dot != std::string_view::npos && subject.substr(dot + 1) != "value")
        gate.field = subject.substr(dot + 1);
    return gate;
}

namespace {

/// The numbers of earlier runs, but bounds. per_iteration: those of an iteration.
Result<std::vector<double>> values_of_history(const Gate& gate, std::span<const MetricReport> history,
                                              bool per_iteration) {
    std::vector<double> values;
    for (const MetricReport& report : history) {
        const auto asked = number_of(gate, report);
        if (!asked)
            return tl::unexpected<Error>(asked.error());
        if (const auto& value = per_iteration ? asked->per_iteration : asked->value; value && asked->bounded == nullptr)
            values.push_back(*value);
    }
    return values;
}

double limit_of_history(const Gate::OfHistory& history, const std::vector<double>& values) {
    const double value = history.percent
                             ? nearest_rank_percentile(values, std::max(*history.percent / 100, 1e-9))
                             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return value + std::abs(value) * history.margin_percent / 100;
}

std::string_view relation_word(Gate::Relation relation) {
    switch (relation) {
    case Gate::Relation::less: return "<";
    case Gate::Relation::less_equal: return "<=";
    case Gate::Relation::greater: return ">";
    case Gate::Relation::greater_equal: break;
    }
    return ">=";
}

/// What is 5 ms at most is below 6 ms, and nobody knows whether it is below 4. Nothing is proven of a detail, which may
/// lie on either side of what it is of all ranks, nor against a history of values that are no bounds.
bool is_proven(const Gate& gate, const MetricResult& bounded) {
    if (!gate.field.empty() || gate.of_history)
        return false;
    const bool less = gate.relation == Gate::Relation::less || gate.relation == Gate::Relation::less_equal;
    return gate.holds(bounded.value) == (less == (bounded.bound == ValueBound::at_most));
}

/// "p95 of 6 runs + 2 %"
std::string history_words(const Gate::OfHistory& history, std::size_t runs) {
    const auto word =
        std::ranges::find(kPercentileWords, history.percent, [](const auto& entry) { return entry.second; });
    const std::string of = !history.percent                 ? std::string("mean")
                           : word != kPercentileWords.end() ? std::string(word->first)
                                                            : fmt::format("p{:g}", *history.percent);
    std::string text = fmt::format("{} of {} {}", of, runs, runs == 1 ? "run" : "runs");
    if (history.margin_percent != 0)
        text += fmt::format(" {} {:g} %", history.margin_percent < 0 ? '-' : '+', std::abs(history.margin_percent));
    return text;
}

/// ", within its interval of ± 5.1 %: it may be noise"
std::string interval_note(const GateResult& result) {
    return !result.within_interval ? std::string()
           : result.interval_percent
               ? fmt::format(", within its interval of ± {:.1f} %: it may be noise", *result.interval_percent)
               : ", within the spread of a run: it may be noise";
}

/// How many decimals a number has, at most.
int decimals_of(double number, int most) {
    double power = 1;
    for (int decimals = 0; decimals < most; ++decimals, power *= 10)
        if (std::abs(std::round(power * number) - power * number) < 1e-6)
            return decimals;
    return most;
}

/// A value and its limit in words, the limit as it was given; where these are the same, as many decimals as show how
/// far the two are apart: "54.504 ms" and "54.500 ms". change: in per cent, with its sign.
std::pair<std::string, std::string> told_apart(double value, double limit, std::string_view unit, bool change) {
    constexpr int kMostDecimals = 12;
    const auto number = [&](double of, int decimals) {
        const std::string text =
            change ? fmt::format("{:+.{}f} %", of, decimals) : fmt::format("{:.{}f}", of, decimals);
        return change || unit.empty() ? text : fmt::format("{} {}", text, unit);
    };
    const int given = change ? decimals_of(limit, kMostDecimals) : 0;
    const auto words = [&](double of) {
        return given > 1 ? number(of, given) : change ? change_words(of) : value_words(of, unit);
    };
    if (words(value) != words(limit) || value == limit)
        return {words(value), words(limit)};
    const double needed = std::ceil(-std::log10(std::abs(value - limit)));
    const int decimals = static_cast<int>(std::clamp(needed, 0.0, double{kMostDecimals}));
    return {number(value, decimals), number(limit, decimals)};
}

/// " (all steps: 1.127 ms -> 1.282 ms)"
std::string batch_note(const GateResult& result, std::string_view unit) {
    return result.all_steps ? fmt::format(" (all steps: {} -> {})", value_words(result.all_steps->baseline, unit),
                                          value_words(result.all_steps->test, unit))
           : result.not_at_equal_batches.empty() ? std::string()
                                                 : fmt::format("; {}", result.not_at_equal_batches);
}

} // namespace

std::string gate_words(const GateResult& result) {
    const Gate& gate = result.gate;
    if (!result.value)
        return result.reason;
    const std::string_view unit = gate.field.empty() ? gate.metric->unit : std::string_view();
    if (gate.against_baseline) {
        const auto [change, limit] = told_apart(*result.value, gate.limit, "%", true);
        return fmt::format("{} -> {}{}: {}{}, limit {}{}", value_words(*result.baseline, unit),
                           value_words(*result.test, unit),
                           result.all_steps        ? " at equal batch size"
                           : result.of_common_part ? " in the ranks and steps that both have"
                                                   : "",
                           change, interval_note(result), limit, batch_note(result, unit));
    }
    const auto [value, limit] = told_apart(*result.value, gate.limit, unit, false);
    std::string text =
        fmt::format("{}{}{}{} {} {}", bound_words(result.bound), value, result.per_iteration ? " per iteration" : "",
                    result.passed ? "" : ", and not", relation_word(gate.relation), limit);
    if (gate.of_history)
        text += " = " + history_words(*gate.of_history, result.history_runs);
    return result.bound == ValueBound::none ? text : text + ", of the ranks that are recorded";
}

GateResult not_comparable(const Gate& gate, const Message& verdict) { return {gate, {}, {}, false, english(verdict)}; }

GateResult as_compared(GateResult result, const MetricChange& change) {
    if (!result.value)
        return result;
    result.not_at_equal_batches = english(change.not_at_equal_batches);
    if (!result.gate.field.empty()) {
        if (change.all_steps)
            result.not_at_equal_batches = "of all steps, though the batches differ: only the metric itself is compared "
                                          "at equal batch size";
        return result;
    }
    if (!change.measured_otherwise.empty()) {
        result.value.reset();
        result.baseline.reset();
        result.passed = false;
        result.reason = "not measured alike: " + change.measured_otherwise;
        return result;
    }
    if (change.all_steps) {
        result.all_steps = AllSteps{*result.baseline, *result.test};
        result.equal_steps = change.equal_steps;
        result.baseline = change.baseline;
        result.test = change.test;
        result.value = change.percent_change;
        result.passed = result.value && result.gate.holds(*result.value);
    }
    if (change.interval && change.baseline != 0)
        result.interval_percent = 100 * *change.interval / std::abs(change.baseline);
    result.within_interval = change.difference != 0 && change.within_spread();
    return result;
}

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
        result.baseline = reference->value;
        result.test = measured->value;
        if (result.baseline && reference->per_iteration && measured->per_iteration) {
            result.baseline = reference->per_iteration;
            result.test = measured->per_iteration;
        }
        if (result.baseline && !of_same_ranks(*baseline, run)) {
            const auto common = gate.field.empty()
                                    ? of_common_ranks(*baseline->find(gate.metric->id), *run.find(gate.metric->id))
                                    : std::nullopt;
            result.baseline = common ? std::optional(common->baseline) : std::nullopt;
            result.test = common ? std::optional(common->test) : std::nullopt;
            if (!common)
                result.reason = "the baseline has traces of other ranks";
        }
        if (result.baseline)
            if (const std::string how =
                    measured_otherwise(*baseline->find(gate.metric->id), *run.find(gate.metric->id), false);
                !how.empty()) {
                result.baseline.reset();
                result.reason = "not measured alike: " + how;
            }
        result.value = result.baseline ? percent_change(*result.baseline, *result.test) : std::nullopt;
        if (!result.value && result.reason.empty())
            result.reason = "the baseline is 0";
    }
    if (gate.of_history) {
        result.per_iteration = measured->per_iteration.has_value();
        if (result.per_iteration)
            result.value = measured->per_iteration;
        const auto values = values_of_history(gate, history, result.per_iteration);
        if (!values)
            return tl::unexpected<Error>(values.error());
        result.history_runs = values->size();
        result.gate.limit = values->empty() ? std::nan("") : limit_of_history(*gate.of_history, *values);
        if (values->empty() && result.value) {
            result.value.reset();
            result.reason = history.empty() ? "no run of the history can be held against this one"
                                            : "no run of the history has a value for it, or it is a bound there";
        }
    }
    result.passed = result.value && result.gate.holds(*result.value);
    if (measured->bounded == nullptr || !result.value || gate.against_baseline)
        return result;
    result.bound = measured->bounded->bound;
    if (!is_proven(result.gate, *measured->bounded)) {
        const std::string_view unit = gate.field.empty() ? gate.metric->unit : std::string_view();
        result.reason = fmt::format(
            "{}{}, because {}: whether {} is {} {} is not known", gate.field.empty() ? "" : gate.metric->id + " is ",
            value_words(*measured->bounded, gate.metric->unit), english(measured->bounded->bound_reason),
            gate.field.empty() ? "it" : gate.metric->id + "." + gate.field, relation_word(gate.relation),
            value_words(result.gate.limit, unit));
        result.value.reset();
        result.passed = false;
    }
    return result;
}

} // namespace rankscope
