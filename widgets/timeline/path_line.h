// SPDX-License-Identifier: GPL-3.0-or-later
// The critical path as a line from event to event, across lanes and ranks.
#pragma once
#include <memory>
#include <vector>

#include <QLineF>

#include "core/analysis/search/range_statistics.h"
#include "core/run/run_analysis.h"

namespace rankscope {

struct TimelineScene;

/// The critical path is in one event for that time.
struct PathStop {
    EventPlace place;
    TimeRange range; ///< on the rank's own clock
    TimeNs aligned;  ///< its start on the clock of all
};

struct PathLine {
    std::vector<std::vector<PathStop>> steps; ///< of each step, in the order of the path
    TimeNs earliest = 0;                      ///< of own less aligned time
    TimeNs latest = 0;
};
PathLine pathLine(const RunAnalysis& analysis);

/// From the end of one stop to the start of the next one, in the lanes' area: level, then straight up or down. Only
/// those that are in view, and of many in one column only a few: cost grows with columns, not with stops.
std::vector<QLineF> pathHops(const TimelineScene& scene);

} // namespace rankscope
