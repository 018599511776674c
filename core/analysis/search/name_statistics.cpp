// SPDX-License-Identifier: GPL-3.0-or-later
// How long the events of one name take.
#include "core/analysis/search/name_statistics.h"

#include <algorithm>
#include <cmath>

namespace rankscope {
namespace {

std::vector<TimeNs> durations_of(const RankTrace& rank, NameId name, EventKind kind) {
    std::vector<TimeNs> found;
    const EventTable& events = rank.events;
    const bool gpu = is_gpu_work(kind); // GPU work comes first
    const EventIndex begin = gpu ? 0 : events.gpu_count;
    const EventIndex end = gpu ? events.gpu_count : events.size();
    for (EventIndex i = begin; i < end; ++i)
        if (events.name[i] == name && events.kind[i] == kind)
            found.push_back(events.duration[i]);
    return found;
}

} // namespace

double DurationHistogram::position(TimeNs duration) const {
    if (end <= begin)
        return 0.5;
    const auto value = static_cast<double>(std::clamp(duration, begin, end));
    const auto low = static_cast<double>(begin);
    const auto high = static_cast<double>(end);
    // A duration may be 0, which has no logarithm; 1 ns more does not show.
    return logarithmic ? std::log((value + 1) / (low + 1)) / std::log((high + 1) / (low + 1))
                       : (value - low) / (high - low);
}

DurationHistogram duration_histogram(const std::vector<TimeNs>& durations) {
    DurationHistogram histogram;
    if (durations.empty())
        return histogram;
    const Distribution spread = distribution_of(durations);
    histogram.begin = spread.min;
    histogram.end = spread.max;
    histogram.logarithmic = spread.max / kLogRatio > spread.median;
    histogram.counts.assign(kHistogramBars, 0);
    for (const TimeNs duration : durations) {
        const auto bar = static_cast<std::size_t>(histogram.position(duration) * static_cast<double>(kHistogramBars));
        ++histogram.counts[std::min(bar, kHistogramBars - 1)];
    }
    return histogram;
}

NameStatistics name_statistics(const Run& run, const RankTrace& rank, EventIndex event) {
    NameStatistics statistics;
    const NameId name = rank.events.name[event];
    const EventKind kind = rank.events.kind[event];
    std::vector<TimeNs> all;
    for (const auto& other : run.ranks) {
        std::vector<TimeNs> durations = durations_of(*other, name, kind);
        all.insert(all.end(), durations.begin(), durations.end());
        if (other.get() == &rank)
            statistics.on_rank = distribution_of(std::move(durations));
    }
    statistics.duration = rank.events.duration[event];
    statistics.shorter = std::ranges::count_if(all, [&](TimeNs duration) { return duration < statistics.duration; });
    statistics.histogram = duration_histogram(all);
    statistics.in_run = distribution_of(std::move(all));
    return statistics;
}

} // namespace rankscope
