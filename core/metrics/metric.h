// SPDX-License-Identifier: GPL-3.0-or-later
// A metric: one number with a definition, its unit, the direction that is better, and the details behind it. What a
// comparison, a chart or a gate needs to know of a metric stands here too: a metric's file is the only place that
// tells it.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/analysis/serving/request_waits.h"
#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// JSON with keys in the order they were written.
using Json = nlohmann::ordered_json;

enum class Better { lower, higher, none };
std::string_view better_word(Better better); ///< "lower", "higher", "none"

struct RankValue {
    int rank = 0;
    double value = 0;
    friend bool operator==(const RankValue&, const RankValue&) = default;
};

/// What the recording tells of a value.
enum class ValueBound : std::uint8_t { none, at_least, at_most };
std::string_view bound_word(ValueBound bound); ///< "", "at_least", "at_most"

/// A value with how far it spreads between the iterations of a run, in its unit.
struct JudgedValue {
    double value = 0;
    std::optional<double> spread;
};

/// Available with a finite value, or unavailable with a reason; never a sentinel.
struct MetricResult {
    bool available = false;
    double value = 0;
    Json details = Json::object(); ///< for files and screens; the program itself reads what is typed
    Message reason;                ///< "needs workload_card.yaml: workload.data.batch_size"
    ValueBound bound =
        ValueBound::none; ///< of an available one: the recording tells no more than that it is so much at least
    Message bound_reason; ///< why, as it goes on after "because"
    /// By rank, those that have one. Not always in the metric's unit, but in one that is the same for all runs.
    std::vector<RankValue> by_rank;
    std::optional<double> spread;               ///< sample deviation between iterations, in the metric's unit
    std::optional<double> spread_around_levels; ///< the same around each level, where the level changes
    /// Of one that sums the recording: what an iteration has of it, of the work of the iterations alone.
    std::optional<double> per_iteration;

    static MetricResult of(double value, Json details = Json::object(), std::vector<RankValue> by_rank = {});
    static MetricResult unavailable(Message reason, Json details = Json::object());

    /// What a run is held against others by; only of one that is available.
    [[nodiscard]] JudgedValue judged() const;
    /// by_iteration: two values or more. Writes the spread into the details as well.
    void set_spread(std::span<const double> by_iteration);
};

/// What of a recording a metric measures (core/trace/recorded.h). gpu_work: of the ranks that can be judged
/// (core/run/judged_run.h).
enum class Needs { nothing, times, gpu_work };

/// What the value is of an iteration: what a change of it costs.
enum class OfIteration {
    nothing,
    time,         ///< it is its time, ms
    part,         ///< a part of its time, ms
    lost_share,   ///< a share of it that is lost, %
    used_share,   ///< a share of it that is not lost, %
    share_of_idle ///< a share of gpu_timeline's part of it, %
};

/// What a setting of a run is about, and so which metrics it may move.
enum class SettingKind { transport, parallelism, pipeline, work, dtype, host, device, experts };
/// What moves the time of a step: all of them.
inline std::vector<SettingKind> all_setting_kinds() {
    using enum SettingKind;
    return {transport, parallelism, pipeline, work, dtype, host, device, experts};
}

/// The values of the ranks in each iteration, by its number.
using StepValues = std::map<std::int64_t, std::vector<double>>;

/// A time that ends with a step of a serving engine.
struct BatchTime {
    std::vector<BatchSize> batches; ///< of the steps that it is of; empty: not known
    double running_requests = 1;    ///< that wait for it; 1 where it is the time of a step
    RequestWait wait;               ///< counted as often as the metric counts it
};

/// A stretch of the run that shows a metric at its worst, in the rank's own time.
struct Evidence {
    int rank = 0;
    TimeRange range;
};

/// id: as in cli.md; topic: the group it is shown under; definition: one sentence for the help and the tooltip.
struct Metric {
    std::string id;
    std::string title;
    std::string unit;
    Better better = Better::none;
    std::string topic;
    std::string definition;
    std::function<MetricResult(const RunAnalysis&)> compute;
    Needs needs = Needs::nothing; ///< a run that does not hold it has no value (metric_catalogue() sees to it)

    // What only some metrics have.
    OfIteration of_iteration = OfIteration::nothing;
    /// A comparison calls it better or worse whatever the step does; of any other metric only where the step is too.
    bool stands_for_itself = false;
    /// What the value is, of the ranks that are recorded, where not all ranks of its calls have a trace or are judged:
    /// who waits for those is not seen.
    ValueBound with_untraced_ranks = ValueBound::none;
    /// It takes what it needs of RunAnalysis::judged() itself: ranks that are not judged are as good as untraced.
    bool of_judged = false;
    /// It sums calls or their bytes: of files that end early it is a lower bound.
    bool counts_calls = false;
    bool inference_only = false;                                     ///< only runs of a serving engine have a value
    std::vector<SettingKind> moved_by = {};                          ///< kinds of settings that may move it
    std::function<StepValues(const RunAnalysis&)> by_iteration = {}; ///< in the metric's unit; empty: not measured so
    /// Of a time of the steps of a serving engine: each, of all ranks; no times where the value is not of the steps.
    std::function<std::vector<BatchTime>(const RunAnalysis&)> by_batch = {};
    double WaitSummary::*of_waits = &WaitSummary::mean_ms; ///< what the value is of those times
    /// The call that ranks come latest to, the longest bubble, ...; empty: the longest iteration (evidence.h).
    std::function<std::optional<Evidence>(const RunAnalysis&)> evidence = {};
    /// Of the user's own: how many are built on one another down from it, itself included.
    std::size_t levels = 0;
};

/// Nanoseconds as microseconds with three decimals, exactly: what every _us field holds.
inline double as_us(TimeNs ns) { return static_cast<double>(ns) / 1000.0; }
inline double as_ms(TimeNs ns) { return static_cast<double>(ns) / 1e6; }

} // namespace rankscope
