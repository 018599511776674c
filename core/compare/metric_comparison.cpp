// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric.
#include "core/compare/metric_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/basics/change_points.h"
#include "core/base/work_count.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"
#include "core/metrics/value_words.h"

namespace rankscope {
namespace {

/// Times that change by less than this share of an iteration make nothing better or worse.
constexpr double kOfAnIteration = 0.001;

/// What takes an iteration, and what all else is judged by.
constexpr std::string_view kStepTime = "step_time";

/// Where only the marks of the profiler are known, they are the step.
std::string_view step_metric(const MetricReport& baseline, const MetricReport& test) {
    const auto known = [](const MetricReport& report) {
        const MetricResult* step = report.find(kStepTime);
        return step != nullptr && step->available;
    };
    return known(baseline) && known(test) ? kStepTime : "iter_time";
}

/// What a run is held against others by.
std::optional<double> judged_of(const MetricReport& report, std::string_view id) {
    const MetricResult* result = report.find(id);
    return result != nullptr && result->available ? std::optional(result->judged().value) : std::nullopt;
}

/// An iteration of the run, ms. value: of its metrics.
template <typename ValueOf>
std::optional<double> iteration_ms(const ValueOf& value) {
    const std::optional<double> step = value(kStepTime);
    return step ? step : value("iter_time");
}

/// Of an iteration of the baseline, in the metric's unit; 0 where that is no time, or an iteration's is not known.
double unnoticed(const Metric& metric, const MetricReport& baseline) {
    const auto iteration = iteration_ms([&](std::string_view id) { return judged_of(baseline, id); });
    if (!iteration || metric.of_iteration == OfIteration::time)
        return 0;
    const double ms = kOfAnIteration * *iteration;
    return metric.unit == "ms" ? ms : metric.unit == "us" ? 1000 * ms : 0;
}

ChangeStatus status_of(Better better, const MetricChange& change, double unnoticed) {
    if (std::abs(change.difference) <= unnoticed)
        return ChangeStatus::similar;
    if (change.percent_change ? std::abs(*change.percent_change) <= kSimilarPercent : change.difference == 0)
        return ChangeStatus::similar;
    if (change.within_spread())
        return ChangeStatus::similar;
    if (better == Better::none)
        return ChangeStatus::changed;
    return (change.difference < 0) == (better == Better::lower) ? ChangeStatus::better : ChangeStatus::worse;
}

} // namespace

std::string_view change_status_word(ChangeStatus status) {
    switch (status) {
    case ChangeStatus::better: return "better";
    case ChangeStatus::worse: return "worse";
    case ChangeStatus::similar: return "similar";
    case ChangeStatus::changed: break;
    }
    return "changed";
}

std::optional<double> time_of_share(const Metric& metric,
                                    const std::function<std::optional<double>(std::string_view)>& value) {
    const auto step = iteration_ms(value);
    const auto share = value(metric.id);
    if (!step || !share)
        return {};
    const auto idle = value("gpu_timeline");
    switch (metric.of_iteration) {
    case OfIteration::lost_share: return *share / 100 * *step;
    case OfIteration::used_share: return (1 - *share / 100) * *step;
    case OfIteration::share_of_idle: return idle ? std::optional(*share / 100 * *idle / 100 * *step) : std::nullopt;
    case OfIteration::nothing:
    case OfIteration::time:
    case OfIteration::part: break;
    }
    return {};
}

std::optional<double> cost_ms(const MetricChange& change, std::optional<double> baseline_ms,
                              std::optional<double> test_ms) {
    if (change.metric->of_iteration == OfIteration::time || change.metric->of_iteration == OfIteration::part)
        return change.difference;
    if (change.metric->of_iteration != OfIteration::lost_share || !baseline_ms || !test_ms)
        return std::nullopt;
    return (change.test * *test_ms - change.baseline * *baseline_ms) / 100;
}

Message change_title(const MetricChange& change) {
    Message title = Message::word(change.metric->title);
    if (!change.measured_otherwise.empty())
        title = "%1 (not measured alike)"_text(title);
    if (change.per_iteration)
        title = "%1 per iteration"_text(title);
    else if (change.on_host)
        title = "%1 on the host"_text(title);
    return change.all_steps ? "%1 at equal batch size (all steps: %2 -> %3)"_text(
                                  title, value_words(change.all_steps->baseline, change.metric->unit),
                                  value_words(change.all_steps->test, change.metric->unit))
                            : title;
}

namespace {

/// Which of the two values is a bound, where that makes them not comparable.
std::string bounded_otherwise(const MetricResult& baseline, const MetricResult& test, bool fewer_ranks) {
    if (baseline.bound == test.bound)
        return baseline.bound == ValueBound::none || !fewer_ranks
                   ? std::string()
                   : "a bound in both, because ranks are left out, and waits for these are not seen";
    const bool in_test = test.bound != ValueBound::none;
    return fmt::format("a bound in the {}, because {}", in_test ? "test" : "baseline",
                       english((in_test ? test : baseline).bound_reason));
}

} // namespace

std::string measured_otherwise(const MetricResult& baseline, const MetricResult& test, bool fewer_ranks) {
    const auto method = [](const MetricResult& result) {
        const auto found = result.details.find("method");
        return found != result.details.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const std::string before = method(baseline);
    const std::string after = method(test);
    return before.empty() || after.empty() || before == after
               ? bounded_otherwise(baseline, test, fewer_ranks)
               : fmt::format("{} in the baseline, {} in the test", before, after);
}

Message change_title_of_several(const MetricChange& change) {
    return change.all_steps ? "%1 (changes at equal batch size)"_text(Message::word(change.metric->title))
                            : change_title(change);
}

std::optional<double> percent_change(double baseline, double test) {
    if (test == baseline)
        return 0.0;
    if (baseline == 0)
        return std::nullopt;
    return 100.0 * (test - baseline) / baseline;
}

bool of_same_ranks(const MetricReport& baseline, const MetricReport& test) {
    return baseline.world_size != test.world_size || baseline.ranks == test.ranks;
}

std::optional<CommonRanks> of_common_ranks(const MetricResult& baseline, const MetricResult& test) {
    CommonRanks sums;
    int ranks = 0;
    for (const RankValue& before : baseline.by_rank) {
        const auto after = std::ranges::find(test.by_rank, before.rank, &RankValue::rank);
        if (after == test.by_rank.end())
            continue;
        sums.baseline += before.value;
        sums.test += after->value;
        ++ranks;
    }
    return ranks == 0 ? std::nullopt : std::optional(CommonRanks{sums.baseline / ranks, sums.test / ranks});
}

namespace {

/// Shares of another whole are no improvement: of a step that takes longer, the same idle time is a smaller share. What
/// the share is in time has to go the same way.
ChangeStatus status_of_share(ChangeStatus status, const Metric& metric, const MetricReport& baseline,
                             const MetricReport& test) {
    const auto of_baseline = [&](std::string_view id) { return judged_of(baseline, id); };
    const auto step = iteration_ms(of_baseline);
    const auto before = time_of_share(metric, of_baseline);
    const auto after = time_of_share(metric, [&](std::string_view id) { return judged_of(test, id); });
    if (!step || !before || !after || status == ChangeStatus::similar || status == ChangeStatus::changed)
        return status;
    MetricChange time;
    time.difference = *after - *before;
    time.percent_change = percent_change(*before, *after);
    const ChangeStatus in_time = status_of(Better::lower, time, kOfAnIteration * *step);
    return in_time == status || in_time == ChangeStatus::similar ? in_time : ChangeStatus::changed;
}

MetricChange with_values(MetricChange change, double baseline, double test) {
    change.baseline = baseline;
    change.test = test;
    change.difference = test - baseline;
    change.percent_change = percent_change(baseline, test);
    return change;
}

/// The change without its status, and per iteration where the metric sums the recording.
std::optional<MetricChange> values_of(const MetricPointer& metric, const MetricReport& baseline_report,
                                      const MetricReport& test_report, bool fewer_ranks) {
    const MetricResult* baseline = baseline_report.find(metric->id);
    const MetricResult* test = test_report.find(metric->id);
    if (baseline == nullptr || test == nullptr || !baseline->available || !test->available)
        return std::nullopt;
    const JudgedValue from = baseline->judged();
    const JudgedValue to = test->judged();
    MetricChange change{metric, 0, 0, 0, {}, ChangeStatus::similar, from.spread, to.spread};
    change.measured_otherwise = measured_otherwise(*baseline, *test, fewer_ranks);
    change.per_iteration = baseline->per_iteration && test->per_iteration;
    return change.per_iteration ? with_values(std::move(change), *baseline->per_iteration, *test->per_iteration)
                                : with_values(std::move(change), from.value, to.value);
}

/// By the metric alone. Without the same ranks, it is better or worse only if it is for those that both runs have.
ChangeStatus own_status(const MetricChange& change, const MetricReport& baseline, const MetricReport& test,
                        const ComparisonRules& rules) {
    const Metric& metric = *change.metric;
    // Iterations that compute another number of tokens take another time: none is better for it.
    const double tokens_before = baseline.tokens_per_iteration;
    const double tokens_after = test.tokens_per_iteration;
    const bool tokens_known = tokens_before > 0 && tokens_after > 0;
    const bool other_work =
        !change.measured_otherwise.empty() ||
        (!change.all_steps && (!change.not_at_equal_batches.empty() ||
                               ((tokens_known ? tokens_before != tokens_after : !rules.same_inputs) &&
                                (metric.unit == "ms" || metric.unit == "us"))));
    const auto status = [&](const MetricChange& of) {
        return status_of_share(status_of(other_work ? Better::none : metric.better, of, unnoticed(metric, baseline)),
                               metric, baseline, test);
    };
    const ChangeStatus of_all = status(change);
    if (change.all_steps || of_same_ranks(baseline, test) || of_all == ChangeStatus::similar)
        return of_all;
    const auto common = of_common_ranks(*baseline.find(metric.id), *test.find(metric.id));
    const ChangeStatus told =
        common ? status(with_values(change, common->baseline, common->test)) : ChangeStatus::changed;
    return told == of_all || told == ChangeStatus::similar ? told : ChangeStatus::changed;
}

void hold_at_equal_batches(MetricChange& change, const BatchComparison& batches) {
    change.not_at_equal_batches = batches.not_known;
    if (!batches.equal)
        return;
    change.all_steps = AllSteps{change.baseline, change.test};
    change = with_values(std::move(change), batches.equal->baseline, batches.equal->test);
    change.equal_steps = batches.equal->steps;
    change.interval = batches.equal->interval;
    change.no_interval = change.interval ? Message() : "one value a run"_text();
    // How far apart the sizes are is no spread of the steps.
    change.baseline_spread = change.test_spread = std::nullopt;
    change.in_some_steps = false;
}

/// Each metric judged by itself.
std::vector<MetricChange> own_changes(const MetricReport& baseline, const MetricReport& test,
                                      const ComparisonRules& rules) {
    const std::string_view step = step_metric(baseline, test);
    std::vector<MetricChange> changes;
    for (const MetricReport::Entry& entry : baseline.entries) {
        auto change = values_of(entry.metric, baseline, test, rules.fewer_ranks);
        if (!change)
            continue;
        change->comparable = rules.comparable;
        change->in_some_steps = rules.in_some_steps && entry.metric->id == step;
        change->on_host = rules.host_marks && entry.metric->id == "iter_time" && step == kStepTime;
        const auto interval = rules.interval ? rules.interval(*entry.metric) : tl::unexpected("one value a run"_text());
        if (interval)
            change->interval = *interval;
        else
            change->no_interval = interval.error();
        if (rules.at_equal_batches)
            hold_at_equal_batches(*change, rules.at_equal_batches(*entry.metric));
        change->status = own_status(*change, baseline, test, rules);
        changes.push_back(*std::move(change));
    }
    return changes;
}

/// How many standard errors a mean of so many values may be off, in 95 of 100 cases.
double student_quantile(double degrees) {
    constexpr double kChance = 0.05;
    double low = 0;
    double high = 1000;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (student_tail(middle, degrees) > kChance ? low : high) = middle;
    }
    return high;
}

} // namespace

std::optional<double> paired_interval(const StepValues& baseline, const StepValues& test,
                                      std::span<const std::int64_t> apart) {
    std::array<std::vector<double>, 2> levels; // differences of the others, and of those apart
    for (const auto& [step, before] : baseline)
        if (const auto after = test.find(step); after != test.end() && !before.empty() && !after->second.empty())
            levels[std::ranges::find(apart, step) == apart.end() ? 0 : 1].push_back(mean_of(after->second) -
                                                                                    mean_of(before));
    double count = 0;
    double degrees = 0;
    double squares = 0;
    for (const std::vector<double>& level : levels) {
        if (level.empty())
            continue;
        const auto own = static_cast<double>(level.size());
        count += own;
        degrees += own - 1;
        const double deviation = own > 1 ? sample_deviation(level) : 0;
        squares += (own - 1) * deviation * deviation;
    }
    if (degrees < 1)
        return {};
    return student_quantile(degrees) * std::sqrt(squares / degrees / count);
}

std::optional<double> interval_of_steps(const StepValues& baseline, const StepValues& test,
                                        std::span<const std::int64_t> apart) {
    if (const auto paired = paired_interval(baseline, test, apart))
        return paired;
    const std::vector<double> before = means_of(baseline);
    const std::vector<double> after = means_of(test);
    if (before.size() < 2 || after.size() < 2)
        return {};
    const auto error_of = [](const std::vector<double>& values) {
        const double deviation = sample_deviation(values);
        return deviation * deviation / static_cast<double>(values.size());
    };
    const double a = error_of(before);
    const double b = error_of(after);
    if (a + b == 0)
        return 0.0;
    const double degrees = (a + b) * (a + b) /
                           (a * a / static_cast<double>(before.size() - 1) +
                            b * b / static_cast<double>(after.size() - 1)); // Welch and Satterthwaite
    return student_quantile(degrees) * std::sqrt(a + b);
}

std::vector<MetricChange> compare_metrics(const MetricReport& baseline, const MetricReport& test,
                                          const ComparisonRules& rules) {
    count_work("compare_metrics");
    std::vector<MetricChange> changes = own_changes(baseline, test, rules);
    const std::string_view step = step_metric(baseline, test);
    const auto of_step = std::ranges::find(changes, step, [](const MetricChange& c) { return c.metric->id; });
    const auto status_of_step =
        of_step == changes.end() || !rules.same_iterations ? ChangeStatus::changed : of_step->status;
    for (MetricChange& change : changes) {
        const bool is_step = change.metric->id == step && rules.same_iterations;
        const bool stands = is_step || change.metric->stands_for_itself;
        const bool decided = change.status == ChangeStatus::better || change.status == ChangeStatus::worse;
        if (decided && (!rules.comparable || (!stands && change.status != status_of_step)))
            change.status = ChangeStatus::changed;
    }
    return changes;
}

namespace {

std::optional<MetricChange> found_change(std::span<const MetricChange> changes, const Metric& metric) {
    const auto found = std::ranges::find(changes, metric.id, [](const MetricChange& c) { return c.metric->id; });
    return found == changes.end() ? std::nullopt : std::optional(*found);
}

} // namespace

std::vector<MetricRow> metric_matrix(std::span<const MetricReport* const> reports,
                                     std::span<const std::vector<MetricChange>* const> changes) {
    std::vector<MetricRow> rows;
    std::vector<std::vector<MetricChange>> own;
    for (const MetricReport* report : reports.subspan(std::min<std::size_t>(1, reports.size())))
        own.push_back(changes.empty() ? compare_metrics(*reports.front(), *report) : *changes[own.size()]);
    for (const MetricPointer& metric : metrics_of(reports)) {
        MetricRow row{metric, Message::word(metric->title), {}, {}};
        bool per_iteration = false;
        const bool several = reports.size() > 2;
        for (std::size_t i = 0; i < reports.size(); ++i) {
            row.changes.push_back(i == 0 ? std::nullopt : found_change(own[i - 1], *metric));
            const auto& change = row.changes.back();
            const bool of_all_steps = several && change && change->all_steps;
            row.values.push_back(change && !of_all_steps ? change->test : judged_of(*reports[i], metric->id));
            if (row.changes.back()) {
                row.title = several ? change_title_of_several(*change) : change_title(*change);
                per_iteration = per_iteration || row.changes.back()->per_iteration;
            }
        }
        // With two runs the baseline is what of it is compared.
        if (reports.size() == 2 && row.changes.back())
            row.values.front() = row.changes.back()->baseline;
        else if (const MetricResult* first = reports.front()->find(metric->id); per_iteration && first != nullptr)
            row.values.front() = first->per_iteration;
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.has_value(); }))
            rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace rankscope
