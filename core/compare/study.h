// SPDX-License-Identifier: GPL-3.0-or-later
// Any number of runs as one series: what each measured, how they scale, and where a metric changed for good. Runs are
// read one after the other; only numbers of them are kept.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/comparability.h"
#include "core/compare/equal_batches.h"
#include "core/compare/metric_comparison.h"
#include "core/metrics/catalogue.h"

namespace rankscope {

struct StudyValue {
    MetricPointer metric;
    double value = 0;
    std::optional<double> spread; ///< MetricResult::judged(); between the iterations of the run, in the metric's unit
    bool per_iteration = false;   ///< of a metric that sums the recording: the value is of one iteration
    BatchShares batches{};        ///< of Metric::by_batch: steps of other sizes take another time
    [[nodiscard]] std::string unit() const { return per_iteration ? metric->unit + " per iteration" : metric->unit; }
};

struct StudyRun {
    std::string label;
    std::string path;
    int world_size = 0;
    int traced = 0;          ///< ranks that have a trace
    bool ends_early = false; ///< the files of all of them do: metrics of times and GPU work have no value
    TimeNs first = 0;        ///< time of the first event, ns since 1970; 0: not known
    RunConfig config;
    std::vector<StudyValue> values; ///< metrics that are available, in catalogue order
    WorkProfile work;               ///< by which runs of other work are told
    std::string report;             ///< its own report, beside that of the study; empty: none is written
    [[nodiscard]] const StudyValue* find(std::string_view metric) const;
    [[nodiscard]] std::string ranks_text() const; ///< "8"; "7 of 8" where one has no trace
};
/// Whether the runs do the same work, of batches of the same sizes: then one may be better.
bool may_be_ranked(const StudyRun& a, const StudyRun& b);
/// ids empty: all metrics.
StudyRun study_run(const RunAnalysis& analysis, std::string label, std::span<const std::string> ids = {},
                   const std::stop_token& stop = {});

/// Efficiencies by the time of an iteration (MetricResult::judged()) against the run of the smallest world size, the
/// first of these: strong scaling, where all runs do the same work (T0 N0 / (T N)); weak scaling, where each rank does
/// (T0 / T). 1: no loss. None of a run that does other work than that one (do_same_work()).
struct StudyEfficiency {
    double strong = 0;
    double weak = 0;
};

/// A metric's level changed with this run (basics/change_points.h).
struct StudyChange {
    MetricPointer metric;
    std::size_t run = 0; ///< index in Study::runs: the first on the new level
    double before = 0;
    double after = 0;
    double chance = 1;
    ChangeStatus status = ChangeStatus::changed; ///< better, worse or changed
    [[nodiscard]] double percent() const { return before == 0 ? 0 : 100 * (after - before) / before; }
};

struct Study {
    std::string key;                ///< what the runs are ordered by
    std::string note;               ///< what to know of the order; "" where all is as asked
    std::vector<StudyRun> runs;     ///< ascending; equal ones by time, then label; those without the key last
    std::vector<std::string> texts; ///< the key of each; empty: it has none
    std::vector<std::optional<StudyEfficiency>> scaling; ///< where world sizes differ and iter_time is there
    std::vector<StudyChange> changes;                    ///< by metric in catalogue order, then run
    std::string ranked_by;                               ///< id of a metric, where rank_study() has ordered the runs
    /// Then of each run: percent more or less than the best; empty: the metric is not available, or it does other work.
    std::vector<std::optional<double>> against_best;
};

/// What any of the runs has a value of, in_catalogue_order().
MetricList metrics_of(std::span<const StudyRun> runs);

/// The run's value of "date", "world_size", "name", or a key of the configuration; empty: it has none.
std::string study_key_text(const StudyRun& run, const std::string& key);
/// The text as a finite number, where all of it is one.
std::optional<double> study_number(std::string_view text);

/// key: "date", "world_size", "name", or a key of the configuration, whole or its last part where only one ends so.
/// Numbers are ordered as numbers, also those inside of names (run2 before run10). Where no run has a date, "date"
/// gives the order of names, and says so. Changes are sought in the metrics that every run has, among the runs that
/// have the key, and not where nothing says which came first: without dates unless the names differ in their numbers
/// only; nor between runs that do not do the same work, which the note says. Error (usage): no run has the key.
Result<Study> make_study(std::vector<StudyRun> runs, const std::string& key);

/// Orders the runs by the metric, the best first, those without it last; no change of level stays. Error (usage): more
/// of the metric is neither better nor worse, or no run has it.
Result<void> rank_study(Study& study, const MetricPointer& metric);
/// By run: it has the best value of the metric. None where that says nothing: more is neither better nor worse, all
/// have the same, or the runs do not all do the same work.
std::vector<bool> best_runs(const Study& study, const Metric& metric);

/// Of each run: percent more or less than the best one; empty where the run has no value, or does other work than the
/// best, or where more of the metric is neither better nor worse.
std::vector<std::optional<double>> against_best(const Study& study, const Metric& metric);

/// A setting of which the runs have more than one value.
struct StudySetting {
    std::string key;
    std::vector<std::string> values; ///< of each run; empty: it has none
};
/// At most so many, those of the workload before what the recording says. The folder is none.
std::vector<StudySetting> settings_that_differ(const Study& study, std::size_t most);

/// The metric by which the time of a step is told: step_time where all runs that have a time have that, else iter_time.
std::string_view step_metric(const std::vector<StudyRun>& runs);
/// One sentence: the run whose step is the fastest, and the slowest that does the same work. Empty: fewer than two.
std::string fastest_and_slowest(const Study& study);

/// Whether changes of level could be found: each side of one has three runs.
inline bool has_enough_for_changes(const Study& study) { return study.runs.size() >= 6 && study.ranked_by.empty(); }

} // namespace rankscope
