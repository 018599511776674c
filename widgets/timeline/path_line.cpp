// SPDX-License-Identifier: GPL-3.0-or-later
// The critical path as a line from event to event.
#include "widgets/timeline/path_line.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/timeline/timeline_scene.h"

namespace rankscope {
namespace {

constexpr double kBeside = 40;     // pixels beyond the view that a line may reach
constexpr double kShortestHop = 3; // pixels within one strip that are worth a line
constexpr int kMostHopsOfColumn = 2;

} // namespace

PathLine pathLine(const RunAnalysis& analysis) {
    const ClockAlignment& clock = analysis.step_graph().clock;
    PathLine line;
    for (const CriticalPath& path : analysis.critical_paths()) {
        std::vector<PathStop> stops;
        for (const PathSpan& span : path.spans) {
            if (span.event == kNoEvent)
                continue;
            const TimeRange own = clock.recorded(span.rank, span.range);
            const EventPlace place{span.rank, span.event};
            if (!stops.empty() && stops.back().place == place) {
                stops.back().range.end = own.end;
                continue;
            }
            const TimeNs ahead = own.begin - span.range.begin;
            line.earliest = std::min(line.earliest, ahead);
            line.latest = std::max(line.latest, ahead);
            stops.push_back({place, own, span.range.begin});
        }
        line.steps.push_back(std::move(stops));
    }
    return line;
}

std::vector<QLineF> pathHops(const TimelineScene& scene) {
    std::vector<QLineF> hops;
    if (!scene.run || !scene.pathLine)
        return hops;
    const TimeAxis axis = scene.axis();
    const auto pixel = [&](TimeNs time) { return std::clamp(axis.pixelOf(time), -kBeside, axis.width + kBeside); };
    std::pair<EventPlace, const LaneStrip*> last; // most hops start where the one before ends
    const auto hop = [&](const PathStop& from, const PathStop& to) {
        const double left = pixel(from.range.end);
        const double right = pixel(to.range.begin);
        if (std::max(left, right) < 0 || std::min(left, right) > axis.width)
            return;
        const LaneStrip* start =
            last.first == from.place ? last.second : scene.stripFor(from.place.rank, from.place.event);
        const LaneStrip* end = scene.stripFor(to.place.rank, to.place.event);
        last = {to.place, end};
        if (start == nullptr || end == nullptr || (start == end && std::abs(right - left) < kShortestHop))
            return;
        const bool sameLane =
            start->rankIndex == end->rankIndex && start->group == end->group && start->lane == end->lane;
        if (sameLane && start != end)
            return; // only the depth of the calls of a thread changes
        const double level = scene.viewY(start->top) + start->height / 2.0;
        const bool apart = std::abs(right - left) >= 1;
        if (apart)
            hops.emplace_back(left, level, right, level);
        if (start == end)
            return;
        const bool down = end->top > start->top; // to the near edge, from the level line or the near edge
        const double edge = scene.viewY(start->top) + (down ? start->height - 1 : 0);
        hops.emplace_back(right, apart ? level : edge, right, scene.viewY(end->top) + (down ? 0 : end->height - 1));
    };
    for (const std::vector<PathStop>& stops : scene.pathLine->steps) {
        const auto startsBefore = [](TimeNs time) { return [time](const PathStop& s) { return s.aligned < time; }; };
        auto at =
            std::partition_point(stops.begin(), stops.end(), startsBefore(axis.visible.begin - scene.pathLine->latest));
        if (at != stops.begin())
            --at; // from it the line comes into view
        const TimeNs end = axis.visible.end - scene.pathLine->earliest;
        int ofColumn = 0;
        double column = -kBeside;
        for (; at != stops.end() && at + 1 != stops.end() && at->aligned < end; ++at) {
            hop(*at, *(at + 1));
            const double here = axis.columnOf((at + 1)->range.begin);
            ofColumn = here == column ? ofColumn + 1 : 0;
            column = here;
            if (ofColumn < kMostHopsOfColumn)
                continue;
            // On to the last stop of this column.
            const TimeNs rest = axis.columnBegin(column + 1) - (at + 1)->range.begin;
            at = std::partition_point(at + 1, stops.end(), startsBefore((at + 1)->aligned + rest)) - 2;
        }
    }
    return hops;
}

} // namespace rankscope
