// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses say about stretches of time.
#include "core/views/marked_spans.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/basics/tolerance.h"
#include "core/run/path_known.h"

namespace rankscope {
namespace {

constexpr TimeNs kShownDelay = 20'000; ///< of waits together: less is noise

void mark_call(const CollectiveMatching& matching, const ClockAlignment& clock, const CallLag& lag,
               std::vector<RankMarks>& ranks) {
    const MatchedCall& matched = matching.matched[lag.call];
    LateArrival late{kNoEvent, lag.lag, 0, static_cast<std::uint32_t>(matched.members.size())};
    for (const auto& member : matched.members) {
        const CommCall& call = matching.call(member);
        if (member.first == lag.last_rank) {
            late.event = call.event;
            continue;
        }
        const TimeNs last_arrival = clock.recorded(member.first, lag.start + lag.lag);
        const TimeRange wait{call.range.begin, std::min(last_arrival, call.range.end)};
        if (wait.empty())
            continue;
        ranks[member.first].waits.push_back({call.event, wait, lag.last_rank});
        late.waited += wait.length();
    }
    if (late.waited > 0)
        ranks[lag.last_rank].late.push_back(late);
}

/// Of those that overlap only the one that others waited for longest; by start.
std::vector<DelayMark> largest_apart(std::vector<DelayMark> delays) {
    std::ranges::stable_sort(delays, std::greater<>(), &DelayMark::waited);
    std::map<TimeNs, const DelayMark*> kept; // by start
    for (const DelayMark& delay : delays) {
        const auto next = kept.lower_bound(delay.range.begin);
        if ((next == kept.end() || next->first >= delay.range.end) &&
            (next == kept.begin() || std::prev(next)->second->range.end <= delay.range.begin))
            kept.emplace(delay.range.begin, &delay);
    }
    std::vector<DelayMark> result;
    for (const auto& [begin, delay] : kept)
        result.push_back(*delay);
    return result;
}

/// Says of each wait where it started, and marks that.
void mark_origins(const RunAnalysis& run, std::vector<RankMarks>& ranks) {
    const StepGraph& graph = run.step_graph();
    const Waiting& waiting = run.waiting();
    std::vector<std::map<std::pair<TimeNs, TimeNs>, DelayMark>> delays(ranks.size());
    for (std::size_t t = 0; t < waiting.origins.size(); ++t) {
        const WaitOrigin& origin = waiting.origins[t];
        if (origin.rank == kNoNode || origin.waited < kShortestWait)
            continue;
        for (const auto& member : run.collectives().matched[graph.matched[t]].members) {
            auto& waits = ranks[member.first].waits;
            const EventIndex event = run.collectives().call(member).event;
            const auto wait = std::ranges::lower_bound(waits, event, {}, &CollectiveWait::event);
            if (wait != waits.end() && wait->event == event) {
                wait->origin = origin.rank;
                wait->cause = origin.cause;
            }
        }
        const TimeRange range = graph.clock.recorded(origin.rank, origin.range);
        DelayMark& delay = delays[origin.rank][{range.begin, range.end}];
        delay = {range, origin.cause, delay.waited + origin.waited};
    }
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        std::vector<DelayMark> all;
        for (const auto& [range, delay] : delays[r])
            if (delay.waited >= kShownDelay)
                all.push_back(delay);
        ranks[r].delays = largest_apart(std::move(all));
    }
}

template <typename Mark>
const Mark* mark_of(const std::vector<Mark>& marks, EventIndex event) {
    const auto at = std::ranges::lower_bound(marks, event, {}, &Mark::event);
    return at != marks.end() && at->event == event ? &*at : nullptr;
}

} // namespace

const CollectiveWait* RankMarks::wait_of(EventIndex event) const { return mark_of(waits, event); }
const LateArrival* RankMarks::late_of(EventIndex event) const { return mark_of(late, event); }

MarkedSpans mark_spans(std::shared_ptr<const RunAnalysis> analysis) {
    MarkedSpans result;
    result.analysis = std::move(analysis);
    const RunAnalysis& run = *result.analysis;
    result.ranks = per_rank<RankMarks>(run.run(), [&](const RankTrace& trace, std::size_t r) {
        RankMarks marks;
        marks.idle = idle_gaps(trace, run.ranks()[r].gpu_work);
        marks.gpu_idle = gpu_idle_gaps(trace, run.ranks()[r].gpu_work, run.ranks()[r].queued_until);
        std::ranges::stable_sort(marks.idle, {},
                                 [](const IdleGap& gap) { return std::pair(gap.lane, gap.range.begin); });
        return marks;
    });
    for (const CallLag& lag : run.stragglers().calls)
        mark_call(run.collectives(), run.clock(), lag, result.ranks);
    result.no_bubbles = run.pipeline().unavailable;
    result.no_path = why_no_critical_path(run);
    for (const StepBubble& step : run.pipeline().steps) {
        auto& bubbles = result.ranks[step.rank].bubbles;
        bubbles.insert(bubbles.end(), step.spans.begin(), step.spans.end());
    }
    for (RankMarks& marks : result.ranks) {
        std::ranges::sort(marks.waits, {}, &CollectiveWait::event);
        std::ranges::sort(marks.late, {}, &LateArrival::event);
        std::ranges::stable_sort(marks.bubbles, {}, [](const BubbleSpan& span) { return span.range.begin; });
    }
    mark_origins(run, result.ranks);
    return result;
}

std::vector<RankPath> mark_critical_paths(const RunAnalysis& analysis) {
    std::vector<RankPath> ranks(analysis.run().ranks.size());
    const StepGraph& graph = analysis.step_graph();
    for (const CriticalPath& path : analysis.critical_paths()) {
        for (const PathSpan& span : path.spans) {
            const TimeRange own = graph.clock.recorded(span.rank, span.range);
            ranks[span.rank].by_begin.push_back({own, span.event, span.path_class});
        }
    }
    for (RankPath& rank : ranks) {
        std::ranges::stable_sort(
            rank.by_begin, {}, [](const PathMark& mark) { return mark.range.begin; });
        std::ranges::copy_if(rank.by_begin, std::back_inserter(rank.by_event),
                             [](const PathMark& mark) { return mark.event != kNoEvent; });
        std::ranges::stable_sort(rank.by_event, {}, &PathMark::event);
    }
    return ranks;
}

} // namespace rankscope
