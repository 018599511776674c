// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, metric by metric.
#include "core/compare/metric_comparison.h"

#include <cmath>

namespace rankscope {
namespace {

ChangeStatus status_of(Better better, const MetricChange& change) {
    if (change.percent_change ? std::abs(*change.percent_change) <= kSimilarPercent : change.difference == 0)
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

std::optional<double> percent_change(double baseline, double test) {
    if (test == baseline)
        return 0.0;
    if (baseline == 0)
        return std::nullopt;
    return 100.0 * (test - baseline) / baseline;
}

std::vector<MetricChange> compare_metrics(const MetricReport& baseline, const MetricReport& test) {
    std::vector<MetricChange> changes;
    for (const MetricReport::Entry& entry : baseline.entries) {
        const MetricResult* other = test.find(entry.metric->id);
        if (!entry.result.available || other == nullptr || !other->available)
            continue;
        MetricChange change{entry.metric, entry.result.value, other->value, other->value - entry.result.value,
                            percent_change(entry.result.value, other->value), ChangeStatus::similar};
        change.status = status_of(entry.metric->better, change);
        changes.push_back(change);
    }
    return changes;
}

} // namespace rankscope
