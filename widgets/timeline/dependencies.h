// SPDX-License-Identifier: GPL-3.0-or-later
// From an event to the one that it waited for, and to the one that waited for it: across streams, threads and ranks.
#pragma once
#include <optional>

#include "core/analysis/search/range_statistics.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// What joins two events, the earlier one before the later one.
enum class DependencyKind : std::uint8_t {
    launch,      ///< a call launched the work
    stream,      ///< the work before it on its stream
    otherStream, ///< work of another stream had to end first
    host,        ///< the host was there before
    hostWait,    ///< the host waited for work of the GPU
    lastMember   ///< of a call on several ranks, the member that arrived last, whom the others waited for
};

struct Dependency {
    EventPlace place; ///< where it leads
    DependencyKind kind = DependencyKind::host;
    TimeNs apart = 0;     ///< from the start of the earlier event to that of the later one, clocks aligned
    bool decisive = true; ///< nothing else held the later one up for longer
};

/// What the event waited for: what held it up last. nullopt: not known.
std::optional<Dependency> dependencyBefore(const RunAnalysis& analysis, EventPlace event);
/// Who waited for it: the rank that did so longest where it arrived last at a call, the work of a launch, else the
/// first one that it held up. nullopt: none is known.
std::optional<Dependency> dependencyAfter(const RunAnalysis& analysis, EventPlace event);

} // namespace rankscope
