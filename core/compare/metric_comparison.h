// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric (metrics.md, "Comparing runs").
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/compare/equal_batches.h"
#include "core/metrics/catalogue.h"

namespace rankscope {

/// Changes of at most this many percent are "similar", and so are those within their interval, or else within the
/// spread between iterations, and times that change by no more than a thousandth of an iteration. Better and worse mean
/// the step: what costs no step anything is no loss, so every metric but the step's time is better or worse only where
/// the step is as well, or stands for itself (Metric::stands_for_itself). Times of
/// iterations that compute another number of tokens are neither; those of a serving engine whose batches differ are
/// compared at equal batch size, and are neither where that is not known.
inline constexpr double kSimilarPercent = 1.0;

/// changed: moved by more than the threshold, where neither direction is better.
enum class ChangeStatus { better, worse, similar, changed };
std::string_view change_status_word(ChangeStatus status);

struct AllSteps {
    double baseline = 0;
    double test = 0;
};

/// difference = test - baseline; percent_change = 100 (test - baseline) / baseline, absent when only the baseline is 0.
struct MetricChange {
    MetricPointer metric;
    double baseline = 0;
    double test = 0;
    double difference = 0;
    std::optional<double> percent_change;
    ChangeStatus status = ChangeStatus::similar;
    std::optional<double> baseline_spread =
        {}; ///< between the iterations of each, where it is known (MetricResult::judged())
    std::optional<double> test_spread = {};
    /// Half of the 95 % interval of the difference, in the metric's unit: of steps paired by number, of calls paired by
    /// size and place, or of the steps of each run where no two are pairs. Nothing: no_interval tells why.
    std::optional<double> interval = {};
    Message no_interval = {};
    bool per_iteration = false; ///< it sums the recording: the values are of one iteration
    bool comparable = true;     ///< of runs that do the same work (comparability.h)
    bool in_some_steps = false; ///< it is the step's, and the runs differ in some of their steps only (step_split.h)
    bool on_host = false;       ///< it is what the profiler's marks on the host enclose, beside the step's time

    std::string measured_otherwise = {}; ///< measured_otherwise(): then neither is better

    /// Where the values are of steps of equal batch size: what the metric is of all steps.
    std::optional<AllSteps> all_steps = {};
    std::size_t equal_steps = 0;       ///< of each run, that the values are of
    Message not_at_equal_batches = {}; ///< why they are of all steps, though the batches differ

    /// The larger of the two; 0 where neither is known. A change up to that is what one run does to itself.
    [[nodiscard]] double spread() const { return std::max(baseline_spread.value_or(0), test_spread.value_or(0)); }
    /// Steps that stand apart are beyond the noise of the others: the mean over all tells nothing more.
    [[nodiscard]] bool within_spread() const {
        return !in_some_steps && std::abs(difference) <= interval.value_or(spread());
    }
};

/// "bench_results.jsonl in the baseline, profiler_steps in the test": how the values were measured, where that is not
/// the same (`method` of the details). "a bound in the test, because …": where only one value is exact, or where both
/// are bounds because ranks are left out that one of the runs has (CommonPart::fewer_ranks). Empty where it is.
std::string measured_otherwise(const MetricResult& baseline, const MetricResult& test, bool fewer_ranks);

/// "Summed GPU work per iteration", "Step time at equal batch size (all steps: 1.127 ms -> 1.282 ms)": what the values
/// of the change are of.
Message change_title(const MetricChange& change);
/// The same where more than two runs share a row, which has the values of all steps.
Message change_title_of_several(const MetricChange& change);

/// 100 (test - baseline) / baseline; absent when the baseline is 0 and the test is not.
std::optional<double> percent_change(double baseline, double test);

/// Of a metric that is a share of an iteration's time, that time, ms an iteration: less is better; of the share that is
/// computation what is left. Nothing for other metrics. value: of the run's metrics.
std::optional<double> time_of_share(const Metric& metric,
                                    const std::function<std::optional<double>(std::string_view)>& value);

/// Whether runs of one world size have traces of the same ranks. Where not, a metric is better or worse only if it is
/// for the ranks that both have: what the others did is in one of the runs alone.
bool of_same_ranks(const MetricReport& baseline, const MetricReport& test);

/// A metric's mean over the ranks that have a value in both runs; nothing where no rank has.
struct CommonRanks {
    double baseline = 0;
    double test = 0;
};
std::optional<CommonRanks> of_common_ranks(const MetricResult& baseline, const MetricResult& test);

/// ms that an iteration of the test takes longer by it, where the metric is a time of an iteration or a share that is
/// lost; nothing for others. baseline_ms, test_ms: iteration times, of the steps that the change is of.
std::optional<double> cost_ms(const MetricChange& change, std::optional<double> baseline_ms,
                              std::optional<double> test_ms);

/// What two runs are compared by beside their values.
struct ComparisonRules {
    bool comparable = true;      ///< else nothing is better or worse
    bool in_some_steps = false;  ///< the runs differ in some of their steps only
    bool same_iterations = true; ///< else only what stands for itself is better or worse
    bool same_inputs = true;     ///< else times are neither better nor worse, unless as many tokens are computed
    bool host_marks = false;     ///< iter_time is of marks on the host
    bool fewer_ranks = false;    ///< CommonPart::fewer_ranks
    /// Or why there is none.
    std::function<tl::expected<double, Message>(const Metric&)> interval = {};
    std::function<BatchComparison(const Metric&)> at_equal_batches = {};
};
/// Metrics available in both, in catalogue order.
std::vector<MetricChange> compare_metrics(const MetricReport& baseline, const MetricReport& test,
                                          const ComparisonRules& rules = {});
/// MetricChange::interval of a metric that is measured by iteration: of pairs, else of the steps of each (Welch).
/// apart: numbers of the steps in which alone the runs differ: the differences scatter about the mean of these and
/// about that of the others. Empty: there are none.
std::optional<double> interval_of_steps(const StepValues& baseline, const StepValues& test,
                                        std::span<const std::int64_t> apart = {});
std::optional<double> paired_interval(const StepValues& baseline, const StepValues& test,
                                      std::span<const std::int64_t> apart = {});

/// A metric of several runs; values and changes have one entry for each run.
struct MetricRow {
    MetricPointer metric;
    Message title;                                    ///< change_title(): what the values are of
    std::vector<std::optional<double>> values;        ///< empty where it is not available
    std::vector<std::optional<MetricChange>> changes; ///< against the first run; the first has none
};
/// Metrics available in any of the runs, in catalogue order. changes: of each test, against the first; empty: they are
/// worked out.
std::vector<MetricRow> metric_matrix(std::span<const MetricReport* const> reports,
                                     std::span<const std::vector<MetricChange>* const> changes = {});

} // namespace rankscope
