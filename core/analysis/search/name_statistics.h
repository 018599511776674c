// SPDX-License-Identifier: GPL-3.0-or-later
// How long the events of one name take, and where one of them stands among them.
#pragma once
#include <vector>

#include "core/analysis/basics/distribution.h"
#include "core/trace/run.h"

namespace rankscope {

/// Bars of equal width from the shortest to the longest duration; of equal ratio where the longest is more than
/// kLogRatio times the median: one outlier would leave a single bar.
struct DurationHistogram {
    bool logarithmic = false;
    TimeNs begin = 0; ///< ns, the shortest
    TimeNs end = 0;   ///< ns, the longest; equal to start when all are alike
    std::vector<std::int64_t>
        counts; ///< one per bar; a value on an edge counts in the bar above, the longest in the last
    /// Where a duration stands between start and end: 0 to 1.
    [[nodiscard]] double position(TimeNs duration) const;
};
inline constexpr std::size_t kHistogramBars = 40;
inline constexpr TimeNs kLogRatio = 20;

DurationHistogram duration_histogram(const std::vector<TimeNs>& durations);

struct NameStatistics {
    Distribution on_rank;        ///< of the event's rank
    Distribution in_run;         ///< of all ranks
    DurationHistogram histogram; ///< of all ranks
    TimeNs duration = 0;         ///< of the event
    std::int64_t shorter = 0;    ///< events of all ranks that are shorter
};

/// Of the events with the event's name and kind. O(events of the run).
NameStatistics name_statistics(const Run& run, const RankTrace& rank, EventIndex event);

} // namespace rankscope
