// SPDX-License-Identifier: GPL-3.0-or-later
// Gates: a metric held against a limit, or against a baseline, for use in continuous integration.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/compare/metric_comparison.h"
#include "core/metrics/catalogue.h"

namespace rankscope {

/// "iter_time.avg_ms<=120" (a limit), "iter_time<+3%" (percent change against the baseline) or
/// "iter_time<p95(history)+2%" (a limit from earlier runs). "busbw" and "algbw" are those of comm_bandwidth.
struct Gate {
    enum class Relation { less, less_equal, greater, greater_equal };
    /// What of the history: a percentile by nearest rank (min and max are 0 and 100, median 50), or the mean.
    struct OfHistory {
        std::optional<double> percent; ///< empty: the mean
        double margin_percent = 0;     ///< added to it
    };

    std::string expression; ///< as given
    MetricPointer metric;
    std::string field; ///< dotted name of a number in the details; empty: the metric's value, also of "METRIC.value"
    Relation relation = Relation::less;
    double limit = 0;
    bool against_baseline = false;       ///< limit is a percent change
    std::optional<OfHistory> of_history; ///< limit comes from earlier runs, once check_gate() has seen them

    [[nodiscard]] bool holds(double value) const;
};

/// own: the user's own metrics. Errors are of code usage: malformed, or a metric that does not exist (with the nearest
/// names).
Result<Gate> parse_gate(std::string_view expression, const MetricList& own = {});

/// value: what was held against the limit; absent when it could not be had, and then the gate has not passed.
struct GateResult {
    Gate gate;
    std::string run; ///< label of the run it was checked on
    std::optional<double> value;
    bool passed = false;
    std::string reason; ///< why there is no value
    /// Of a gate against a baseline: the numbers that the percentage is of, in the metric's unit.
    std::optional<double> baseline = {};
    std::optional<double> test = {};
    std::size_t history_runs = 0; ///< that the limit comes from
    /// Of a gate against a baseline, half of the 95 % interval of the change, percent of the baseline.
    std::optional<double> interval_percent = {};
    std::optional<AllSteps> all_steps = {}; ///< what baseline and test would be, if these are at equal batch size
    std::size_t equal_steps = 0;            ///< of each run, that baseline and test are of
    std::string not_at_equal_batches = {};  ///< why they are of all steps, though the batches differ
    bool of_common_part = false;            ///< baseline and test are of the ranks and steps that both runs have
    bool within_interval = false;           ///< the change is, and may be noise: the number decides all the same
    bool per_iteration = false;             ///< value, of a gate against a history, is what an iteration has
    ValueBound bound = ValueBound::none;    ///< value is one, of the ranks that are recorded
};

/// "13.27 ms <= 13.72 ms = p95 of 6 runs + 2 %", "100 µs -> 110 µs: +10.0 %, limit +3.0 %"; where the gate has not
/// passed "13.80 ms, and not <= 13.72 ms"; without a value the reason.
std::string gate_words(const GateResult& result);

/// The gate against the baseline once more, of the values that the comparison has: of a serving engine those at equal
/// batch size. A change within its interval may be noise, as the words say. change: of the gate's metric.
GateResult as_compared(GateResult result, const MetricChange& change);

/// A gate against a baseline that the run is not to be compared with has not passed, whatever the numbers are.
GateResult not_comparable(const Gate& gate, const Message& verdict);

/// baseline and history may be null or empty when the gate does not need them. Earlier runs without the number, or with
/// a bound for it, are left out: the limit is then NaN where none is left. Error (usage): the metric has no number of
/// that name.
Result<GateResult> check_gate(const Gate& gate, const MetricReport& run, const MetricReport* baseline,
                              std::span<const MetricReport> history = {});

/// `unknown metric "x"; nearest: a, b`: the line for a mistyped id, wherever it was given.
Message unknown_metric_message(std::string_view id, const MetricList& own = {});

} // namespace rankscope
