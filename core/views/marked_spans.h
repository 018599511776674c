// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses say about stretches of time, to be drawn over the lanes: waits at collectives, bubbles, idle time,
// the critical path. All times are absolute, on each rank's own clock, as recorded.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/graph/critical_path.h"
#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// A rank has arrived at a complete collective call and waits for the last one; its own communication kernel runs
/// meanwhile.
struct CollectiveWait {
    EventIndex event = kNoEvent;
    TimeRange range;                ///< own arrival to the last arrival; never beyond the end of the kernel
    std::uint32_t last_rank = 0;    ///< index in Run::ranks: whom it waits for
    std::uint32_t origin = kNoNode; ///< likewise: where the delay started; kNoNode: not known
    WaitCause cause = WaitCause::host;
};
/// Where delays started that others waited for.
struct DelayMark {
    TimeRange range;
    WaitCause cause = WaitCause::host;
    TimeNs waited = 0; ///< by all others together, in all calls that it delayed
};
/// The last arrival at a call.
struct LateArrival {
    EventIndex event = kNoEvent;
    TimeNs lag = 0;    ///< after the first arrival
    TimeNs waited = 0; ///< by all others together, until this arrival
    std::uint32_t members = 0;
};
struct PathMark {
    TimeRange range;
    EventIndex event = kNoEvent; ///< kNoEvent: between events
    PathClass path_class = PathClass::host_other;
};

struct RankMarks {
    std::vector<CollectiveWait> waits; ///< by event
    std::vector<LateArrival> late;     ///< by event
    std::vector<BubbleSpan> bubbles;   ///< by start
    std::vector<IdleGap> idle;         ///< by lane, then start
    std::vector<IdleGap> gpu_idle;     ///< of all streams together; by start
    std::vector<DelayMark> delays;     ///< by start
    [[nodiscard]] const CollectiveWait* wait_of(EventIndex event) const;
    [[nodiscard]] const LateArrival* late_of(EventIndex event) const;
};

struct MarkedSpans {
    std::shared_ptr<const RunAnalysis> analysis;
    std::vector<RankMarks> ranks; ///< as Run::ranks
    Message no_bubbles;           ///< why there are none to draw; empty when there are
    Message no_path;              ///< why the critical path cannot be known; empty when it can
};
MarkedSpans mark_spans(std::shared_ptr<const RunAnalysis> analysis);

/// The critical paths of all steps as far as they run on one rank.
struct RankPath {
    std::vector<PathMark> by_begin;
    std::vector<PathMark> by_event; ///< those that are events' time; an event may have several
};
/// Per rank as in Run::ranks.
std::vector<RankPath> mark_critical_paths(const RunAnalysis& analysis);

} // namespace rankscope
