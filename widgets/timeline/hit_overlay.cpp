// SPDX-License-Identifier: GPL-3.0-or-later
// What a search found, and what the filter of names keeps, as drawn.
#include "widgets/timeline/hit_overlay.h"

#include <algorithm>

#include "widgets/palette.h"
#include "widgets/timeline/strips_painted.h"

namespace rankscope {
namespace {

constexpr int kUnderline = 2;
constexpr float kVeil = 0.78F;   ///< over what was not found
constexpr float kHiding = 0.90F; ///< over what the filter hides: a trace of it stays, so that nothing seems to be idle

std::span<const EventIndex> hitsOfRow(const std::vector<EventIndex>& hits, const Row& row) {
    const auto first = std::ranges::lower_bound(hits, row.begin);
    return {first, std::lower_bound(first, hits.end(), row.end)};
}

} // namespace

void coverColumns(const EventTable& events, std::span<const EventIndex> ascending, const TimeAxis& axis,
                  std::vector<std::uint8_t>& covered) {
    const auto startsBefore = [&](TimeNs time) {
        return [&events, time](EventIndex e) { return events.start[e] < time; };
    };
    const auto width = static_cast<double>(covered.size());
    auto hit = std::partition_point(ascending.begin(), ascending.end(), startsBefore(axis.visible.begin));
    if (hit != ascending.begin() && events.end(*(hit - 1)) > axis.visible.begin)
        --hit;
    while (hit != ascending.end() && events.start[*hit] < axis.visible.end) {
        const double left = std::clamp(axis.columnOf(events.start[*hit]), 0.0, width - 1);
        const double right = std::clamp(axis.columnOf(events.end(*hit)), left + 1, width);
        std::fill(covered.begin() + static_cast<std::ptrdiff_t>(left),
                  covered.begin() + static_cast<std::ptrdiff_t>(right), std::uint8_t{1});
        // All that start in a column which is covered now add nothing, unless they reach beyond: the last of them may.
        const TimeNs next = axis.columnBegin(right);
        auto after = std::partition_point(hit + 1, ascending.end(), startsBefore(next));
        if (after - hit > 1 && axis.columnOf(events.end(*(after - 1))) > right)
            --after;
        hit = after;
    }
}

std::vector<ColumnSpan> spansOf(const std::vector<std::uint8_t>& covered, bool value) {
    std::vector<ColumnSpan> spans;
    const std::uint8_t wanted = value ? 1 : 0;
    for (auto at = covered.begin(); at != covered.end();) {
        const auto first = std::find(at, covered.end(), wanted);
        const auto last = std::find_if(first, covered.end(), [&](std::uint8_t c) { return c != wanted; });
        if (first != last)
            spans.push_back({static_cast<int>(first - covered.begin()), static_cast<int>(last - covered.begin())});
        at = last;
    }
    return spans;
}

HitOverlay::HitOverlay(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::slices) {}

void HitOverlay::draw(QCPPainter* painter) {
    if (!scene().run || scene().size.isEmpty())
        return;
    if (scene().kept)
        draw(*painter, *scene().kept, Show::kept);
    if (scene().hits)
        draw(*painter, scene().hits->ranks, Show::hits);
}

void HitOverlay::draw(QCPPainter& painter, const std::vector<std::vector<EventIndex>>& slices, Show show) const {
    if (slices.size() != scene().run->ranks.size())
        return;
    paintStripsInView(painter, scene(), [&](const LaneStrip& strip) {
        if (show == Show::hits || !strip.isCounter())
            drawStrip(painter, strip, slices[static_cast<std::size_t>(strip.rankIndex)], show);
    });
}

void HitOverlay::drawStrip(QCPPainter& painter, const LaneStrip& strip, const std::vector<EventIndex>& slices,
                           Show show) const {
    const RankTrace& trace = *scene().run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    std::vector<std::uint8_t> covered(static_cast<std::size_t>(scene().size.width()));
    for (const std::uint32_t row : strip.rows)
        coverColumns(trace.events, hitsOfRow(slices, trace.rows[row]), scene().axis(), covered);
    QColor veil = scene().palette.color(QPalette::Base);
    veil.setAlphaF(show == Show::kept ? kHiding : kVeil);
    const QColor mark = hue(Hue::marker, isDark(scene().palette));
    const int top = scene().viewY(strip.top);
    for (const ColumnSpan& span : spansOf(covered, false))
        painter.fillRect(QRect(span.left, top, span.right - span.left, strip.height - 1), veil);
    if (show == Show::kept)
        return;
    for (const ColumnSpan& span : spansOf(covered, true))
        painter.fillRect(QRect(span.left, top + strip.height - 1 - kUnderline, span.right - span.left, kUnderline),
                         mark);
}

} // namespace rankscope
