// SPDX-License-Identifier: GPL-3.0-or-later
// Construction of metric results.
#include "core/metrics/metric.h"

#include <cmath>

#include "core/analysis/basics/change_points.h"
#include "core/metrics/numbers.h"

namespace rankscope {

std::string_view better_word(Better better) {
    switch (better) {
    case Better::lower: return "lower";
    case Better::higher: return "higher";
    case Better::none: break;
    }
    return "none";
}

std::string_view bound_word(ValueBound bound) {
    return bound == ValueBound::at_least ? "at_least" : bound == ValueBound::at_most ? "at_most" : "";
}

MetricResult MetricResult::of(double value, Json details, std::vector<RankValue> by_rank) {
    if (!std::isfinite(value))
        return unavailable("its value is not a finite number for this trace"_text, std::move(details));
    MetricResult result;
    result.available = true;
    result.value = value;
    result.details = std::move(details);
    result.by_rank = std::move(by_rank);
    return result;
}

MetricResult MetricResult::unavailable(Message reason, Json details) {
    MetricResult result;
    result.details = std::move(details);
    result.reason = std::move(reason);
    return result;
}

JudgedValue MetricResult::judged() const { return {value, spread_around_levels ? spread_around_levels : spread}; }

void MetricResult::set_spread(std::span<const double> by_iteration) {
    const auto keep = [&](std::optional<double>& kept, const char* key, double deviation) {
        if (!std::isfinite(deviation))
            return;
        kept = rounded(deviation);
        details[key] = *kept;
    };
    keep(spread, "spread_between_iterations", sample_deviation(by_iteration));
    if (!change_points(by_iteration).empty())
        keep(spread_around_levels, "spread_around_levels", deviation_around_levels(by_iteration));
}

} // namespace rankscope
