// SPDX-License-Identifier: GPL-3.0-or-later
// What the label at the pointer says, and where it goes.
#include "widgets/timeline/hover_label.h"

#include <algorithm>

#include "widgets/number_text.h"
#include "widgets/time_text.h"

namespace rankscope {
namespace {

QString asText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString sizes(const RankTrace& trace, EventIndex event) {
    QStringList parts;
    if (const CollectiveArgs* collective = trace.collective_of(event)) {
        parts << asText(trace.names->view(collective->collective));
        if (collective->in_elements != kUnknown)
            parts << groupedNumber(collective->in_elements) + QStringLiteral(" elements");
        parts << asText(trace.names->view(collective->dtype));
        if (collective->group_size != kUnknown)
            parts << QStringLiteral("%1 ranks").arg(collective->group_size);
    }
    const auto& transfers = trace.memory_transfers;
    const auto transfer = std::lower_bound(transfers.begin(), transfers.end(), event,
                                           [](const MemoryTransfer& t, EventIndex e) { return t.event < e; });
    if (transfer != transfers.end() && transfer->event == event && transfer->bytes != kUnknown)
        parts << byteText(static_cast<quint64>(transfer->bytes));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace

QStringList hoverLines(const TimelineScene& scene, const HoveredSlice& slice) {
    const int rankIndex = scene.indexOfRank(slice.event.rank);
    if (rankIndex < 0 || !scene.indexes[static_cast<std::size_t>(rankIndex)])
        return {};
    const SliceIndex& index = *scene.indexes[static_cast<std::size_t>(rankIndex)];
    const RankTrace& trace = *index.trace;
    const EventIndex event = slice.event.event;
    QStringList lines{asText(trace.event_name(event))};
    lines << sliceClassLabel(index.classes[event]) + QStringLiteral(" · ") + durationText(trace.events.duration[event]);
    lines << QStringLiteral("starts at ") + exactMicroseconds(trace.events.start[event] - scene.run->span.begin);
    lines << QStringLiteral("rank %1 · ").arg(trace.rank) + asText(trace.lane_of(event).name);
    if (const QString size = sizes(trace, event); !size.isEmpty())
        lines << size;
    if (slice.count > 1)
        lines << QStringLiteral("longest of %1 slices here: zoom in to tell them apart").arg(groupedNumber(slice.count));
    return lines;
}

QRect hoverRect(QPoint pointer, QSize label, QSize view) {
    constexpr int kAway = 14;
    const auto place = [](int at, int size, int available) {
        const int after = at + kAway;
        const int wanted = after + size <= available ? after : at - kAway - size;
        return std::max(0, std::min(wanted, available - size));
    };
    return {QPoint(place(pointer.x(), label.width(), view.width()), place(pointer.y(), label.height(), view.height())), label};
}

} // namespace rankscope
