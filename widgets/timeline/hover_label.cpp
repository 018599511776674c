// SPDX-License-Identifier: GPL-3.0-or-later
// What the label at the pointer says, and where it goes.
#include "widgets/timeline/hover_label.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/time_text.h"
#include "widgets/timeline/column_contents.h"
#include "widgets/timeline/marks_overlay.h"

namespace rankscope {
namespace {

struct HoverTexts {
    Q_DECLARE_TR_FUNCTIONS(HoverTexts)
};

QString sizes(const RankTrace& trace, EventIndex event) {
    QStringList parts;
    if (const CollectiveArgs* collective = trace.collective_of(event)) {
        parts << QString::fromUtf8(trace.names->view(collective->collective));
        if (collective->in_elements != kUnknown)
            parts << HoverTexts::tr("%1 elements", nullptr, plural(collective->in_elements))
                         .arg(groupedNumber(collective->in_elements));
        parts << QString::fromUtf8(trace.names->view(collective->dtype));
        if (collective->group_size != kUnknown)
            parts << HoverTexts::tr("%n ranks", nullptr, plural(collective->group_size));
    }
    const auto& transfers = trace.memory_transfers;
    const auto transfer = std::lower_bound(transfers.begin(), transfers.end(), event,
                                           [](const MemoryTransfer& t, EventIndex e) { return t.event < e; });
    if (transfer != transfers.end() && transfer->event == event && transfer->bytes != kUnknown)
        parts << byteText(static_cast<quint64>(transfer->bytes));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString where(const TimelineScene& scene, int rank, const QString& lane, TimeNs time) {
    return HoverTexts::tr("rank %1 · %2 · at %3")
        .arg(QString::number(rank), lane, timePointText(time - scene.run->span.begin));
}

/// What the slices share that lie under one column.
QStringList columnLines(const TimelineScene& scene, const LaneStrip& strip, double x) {
    const ColumnContents contents = columnContents(scene, strip, x);
    const double length = static_cast<double>(contents.range.length());
    QStringList lines{HoverTexts::tr("%1 slices in %2", nullptr, plural(static_cast<std::int64_t>(contents.count)))
                          .arg(groupedNumber(contents.count), durationText(contents.range.length()))};
    QStringList shares;
    TimeNs idle = contents.range.length();
    for (std::size_t c = 0; c < kSliceClassCount; ++c) {
        idle -= contents.busy[c];
        if (contents.busy[c] > 0)
            shares << sliceClassLabel(static_cast<SliceClass>(c)) + QChar(u' ') +
                          percentText(100.0 * static_cast<double>(contents.busy[c]) / length);
    }
    if (idle > 0)
        shares << HoverTexts::tr("idle %1").arg(percentText(100.0 * static_cast<double>(idle) / length));
    lines << shares.join(QStringLiteral(" · "));
    const StringTable& names = *scene.run->names;
    for (const ColumnContents::Name& name : contents.top)
        lines << QStringLiteral("%1 × %2 · %3")
                     .arg(groupedNumber(name.count), shortNameText(names.view(name.name)).left(60),
                          durationText(name.time));
    if (!contents.counted)
        lines << HoverTexts::tr("names of the first slices only: zoom in for all");
    return lines;
}

} // namespace

QStringList hoverLines(const TimelineScene& scene, const HoveredSlice& slice) {
    const int rankIndex = scene.indexOfRank(slice.event.rank);
    if (rankIndex < 0 || !scene.indexes[static_cast<std::size_t>(rankIndex)])
        return {};
    const SliceIndex& index = *scene.indexes[static_cast<std::size_t>(rankIndex)];
    const RankTrace& trace = *index.trace;
    const LaneStrip* strip = scene.layout.stripAt(scene.layoutY(scene.pointer.y()));
    if (slice.count > 1 && strip != nullptr)
        return columnLines(scene, *strip, slice.x)
               << where(scene, trace.rank, QString::fromUtf8(trace.lane_of(slice.event.event).name),
                        trace.events.start[slice.event.event]);
    const EventIndex event = slice.event.event;
    constexpr qsizetype kWholeName = 160;
    const std::string_view name = trace.event_name(event);
    QStringList lines{shortNameText(name)};
    if (const QString whole = nameText(name); whole != lines.front())
        lines << (whole.size() > kWholeName ? whole.left(kWholeName) + QChar(0x2026) : whole);
    lines << sliceClassLabel(index.classes[event]) + QStringLiteral(" · ") + durationText(trace.events.duration[event]);
    lines << where(scene, trace.rank, QString::fromUtf8(trace.lane_of(event).name), trace.events.start[event]);
    if (const QString size = sizes(trace, event); !size.isEmpty())
        lines << size;
    return lines << markLines(scene, static_cast<std::size_t>(rankIndex), event);
}

QStringList counterLines(const TimelineScene& scene, QPointF point) {
    if (!scene.run || !QRectF(QPointF(), QSizeF(scene.size)).contains(point))
        return {};
    const LaneStrip* strip = scene.layout.stripAt(scene.layoutY(static_cast<int>(point.y())));
    const CounterSource* counter = strip == nullptr ? nullptr : scene.counterOf(*strip);
    if (counter == nullptr)
        return {};
    const int rank = scene.run->ranks[static_cast<std::size_t>(strip->rankIndex)]->rank;
    const TimeAxis axis = scene.axis();
    const QString place = where(scene, rank, QString::fromUtf8(counter->name), axis.timeAt(point.x()));
    if (counter->kind == CounterKind::busy)
        return columnLines(scene, *strip, point.x()) << place;
    const auto track = scene.counters.find({strip->rankIndex, strip->lane});
    if (track == scene.counters.end() || !track->second)
        return {};
    const double column = std::floor(point.x());
    const TimeNs begin = axis.columnBegin(column);
    const auto extent = track->second->over({begin, std::max(begin + 1, axis.columnBegin(column + 1))});
    if (!extent)
        return {};
    QStringList lines{counterText(counter->kind, extent->last)};
    if (extent->low != extent->high)
        lines << HoverTexts::tr("between %1 and %2 here")
                     .arg(counterText(counter->kind, extent->low), counterText(counter->kind, extent->high));
    lines << HoverTexts::tr("largest of the run: %1").arg(counterText(counter->kind, track->second->high));
    return lines << place;
}

QRect hoverRect(QPoint pointer, QSize label, QSize view) {
    constexpr int kAway = 14;
    const auto place = [](int at, int size, int available) {
        const int after = at + kAway;
        const int wanted = after + size <= available ? after : at - kAway - size;
        return std::max(0, std::min(wanted, available - size));
    };
    return {QPoint(place(pointer.x(), label.width(), view.width()), place(pointer.y(), label.height(), view.height())),
            label};
}

} // namespace rankscope
