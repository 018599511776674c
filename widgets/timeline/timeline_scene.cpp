// SPDX-License-Identifier: GPL-3.0-or-later
// Where events lie in the scene, and which lies at a point.
#include "widgets/timeline/timeline_scene.h"

#include <algorithm>

namespace rankscope {

std::vector<const LaneStrip*> TimelineScene::stripsInView() const {
    std::vector<const LaneStrip*> strips;
    for (const auto& [top, bottom] : linesInView())
        for (const LaneStrip& strip : layout.stripsBetween(top, bottom))
            strips.push_back(&strip);
    return strips;
}

std::set<int> TimelineScene::ranksInView() const {
    std::set<int> ranks;
    for (const LaneStrip* strip : stripsInView())
        ranks.insert(strip->rankIndex);
    return ranks;
}

RowSlices TimelineScene::slicesOf(const LaneStrip& strip) const {
    const auto& index = indexes[static_cast<std::size_t>(strip.rankIndex)];
    if (!index)
        return {};
    if (strip.isSummary())
        return index->group(strip.group);
    if (!strip.isCounter())
        return index->row(strip.rows.front());
    const CounterSource* counter = counterOf(strip);
    return counter != nullptr && counter->kind == CounterKind::busy ? index->group(LaneGroup::streams) : RowSlices();
}

const CounterSource* TimelineScene::counterOf(const LaneStrip& strip) const {
    const auto& index = indexes[static_cast<std::size_t>(strip.rankIndex)];
    const bool known = strip.isCounter() && index && static_cast<std::size_t>(strip.lane) < index->counters.size();
    return known ? &index->counters[static_cast<std::size_t>(strip.lane)] : nullptr;
}

int TimelineScene::indexOfRank(int rank) const {
    if (!run)
        return -1;
    const auto found =
        std::find_if(run->ranks.begin(), run->ranks.end(), [&](const auto& trace) { return trace->rank == rank; });
    return found == run->ranks.end() ? -1 : static_cast<int>(found - run->ranks.begin());
}

QRectF TimelineScene::rectOf(const EventRef& event) const {
    const int rankIndex = indexOfRank(event.rank);
    if (rankIndex < 0)
        return {};
    const RankTrace& trace = *run->ranks[static_cast<std::size_t>(rankIndex)];
    const LaneStrip* strip = layout.stripOf(rankIndex, trace.row_of(event.event));
    if (strip == nullptr)
        return {};
    const double left = axis().pixelOf(trace.events.start[event.event]);
    const double right = axis().pixelOf(trace.events.end(event.event));
    return {left, static_cast<double>(viewY(strip->top)), std::max(1.0, right - left), strip->height - 1.0};
}

const LaneStrip* TimelineScene::stripFor(std::uint32_t rankIndex, EventIndex event) const {
    const RankTrace& trace = *run->ranks[rankIndex];
    if (const LaneStrip* own = layout.stripOf(static_cast<int>(rankIndex), trace.row_of(event)))
        return own;
    const Lane& lane = trace.lane_of(event);
    const auto number = static_cast<int>(&lane - trace.lanes.data());
    const LaneGroup group = laneGroupOf(lane.kind);
    const LaneStrip* sameGroup = nullptr;
    const LaneStrip* summary = nullptr;
    for (const std::uint32_t position : layout.stripsOfRank[rankIndex]) {
        const LaneStrip& strip = layout.strips[position];
        if (strip.group == group && strip.lane == number)
            return &strip;
        if (strip.isSummary() && strip.group == group)
            sameGroup = &strip;
        if (strip.isSummary() && summary == nullptr)
            summary = &strip;
    }
    return sameGroup != nullptr ? sameGroup : summary;
}

std::optional<HoveredSlice> TimelineScene::hit(QPointF point) const {
    if (!run || point.x() < 0 || point.x() >= size.width() || point.y() < 0 || point.y() >= size.height())
        return {};
    const LaneStrip* strip = layout.stripAt(layoutY(static_cast<int>(point.y())));
    if (strip == nullptr)
        return {};
    const auto rank = static_cast<std::size_t>(strip->rankIndex);
    if (!indexes[rank])
        return {};
    // Tiny slices are hard to point at: two columns beside count as well.
    for (const double beside : {0.0, -1.0, 1.0, -2.0, 2.0}) {
        std::optional<HoveredSlice> longest;
        std::optional<HoveredSlice> annotation; // only where there is nothing else, as painted
        for (const std::uint32_t row : strip->rows) {
            const auto found = sliceAt(indexes[rank]->row(row), axis(), point.x() + beside);
            if (!found)
                continue;
            const HoveredSlice slice{{run->ranks[rank]->rank, found->event}, found->count, point.x() + beside};
            const auto& durations = run->ranks[rank]->events.duration;
            if (strip->isSummary() && indexes[rank]->classes[found->event] == SliceClass::annotation)
                annotation = slice;
            else if (!longest || durations[found->event] > durations[longest->event.event])
                longest = slice;
        }
        if (longest || annotation)
            return longest ? longest : annotation;
    }
    return {};
}

} // namespace rankscope
