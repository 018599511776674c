// SPDX-License-Identifier: GPL-3.0-or-later
// A metric: one number with a definition, its unit, the direction that is better, and the details behind it.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// JSON with keys in the order they were written.
using Json = nlohmann::ordered_json;

enum class Better { lower, higher, none };
std::string_view better_word(Better better); ///< "lower", "higher", "none"

/// Available with a finite value, or unavailable with a reason; never a sentinel.
struct MetricResult {
    bool available = false;
    double value = 0;
    Json details = Json::object();
    Message reason; ///< "needs workload_card.yaml: workload.data.batch_size"

    static MetricResult of(double value, Json details = Json::object());
    static MetricResult unavailable(Message reason, Json details = Json::object());
};

/// What of a recording a metric measures (core/trace/recorded.h).
enum class Needs { nothing, times, gpu_work };

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
};

/// Nanoseconds as microseconds with three decimals, exactly: what every _us field holds.
inline double as_us(TimeNs ns) { return static_cast<double>(ns) / 1000.0; }
inline double as_ms(TimeNs ns) { return static_cast<double>(ns) / 1e6; }

} // namespace rankscope
