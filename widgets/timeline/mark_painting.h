// SPDX-License-Identifier: GPL-3.0-or-later
// What overlays need to draw marks: which columns of the view they cover, and labels on them.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include <QColor>

#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

/// Left to right, at least a column wide, columns taken once: positions in `spans` (ascending by start and end) to
/// draw. Cost grows with columns, not with spans.
struct MarkedColumns {
    std::size_t span = 0;
    int left = 0;
    int right = 0;
};
template <typename Span>
std::vector<MarkedColumns> columnsOfMarks(std::span<const Span> spans, const TimeAxis& axis) {
    std::vector<MarkedColumns> columns;
    const auto endsBefore = [](TimeNs time) { return [time](const Span& s) { return s.range.end <= time; }; };
    auto at = std::partition_point(spans.begin(), spans.end(), endsBefore(axis.visible.begin));
    while (at != spans.end() && at->range.begin < axis.visible.end) {
        const double left = std::clamp(axis.columnOf(at->range.begin), 0.0, axis.width - 1);
        const double right = std::clamp(axis.columnOf(at->range.end), left + 1, axis.width);
        columns.push_back(
            {static_cast<std::size_t>(at - spans.begin()), static_cast<int>(left), static_cast<int>(right)});
        at = std::partition_point(at + 1, spans.end(), endsBefore(axis.columnBegin(right)));
    }
    return columns;
}

/// Marks of the events of one row: they ascend in time, too.
template <typename Mark>
std::span<const Mark> marksOfRow(const std::vector<Mark>& byEvent, const Row& row) {
    const auto first = std::ranges::lower_bound(byEvent, row.begin, {}, &Mark::event);
    const auto last = std::lower_bound(first, byEvent.end(), row.end,
                                       [](const Mark& mark, EventIndex end) { return mark.event < end; });
    return {first, last};
}

/// Neighbours that touch and look the same become one: zoomed out there are hundreds, and each rectangle has its cost.
template <typename Same>
std::vector<MarkedColumns> joinedColumns(std::vector<MarkedColumns> columns, Same same) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < columns.size(); ++i)
        if (columns[i].left <= columns[kept].right && same(columns[kept], columns[i]))
            columns[kept].right = std::max(columns[kept].right, columns[i].right);
        else
            columns[++kept] = columns[i];
    if (!columns.empty())
        columns.resize(kept + 1);
    return columns;
}

/// Too narrow for any label.
[[nodiscard]] bool isNarrow(const MarkedColumns& columns);
inline constexpr int kNarrow = 8; ///< columns

[[nodiscard]] QColor faded(QColor colour, float alpha);
/// Whether the strip is of streams of a rank whose marks are computed.
[[nodiscard]] bool hasMarks(const TimelineScene& scene, const LaneStrip& strip);
/// Whether the strip has the first row of its lane; of a folded group: no.
[[nodiscard]] bool isFirstRow(const RankTrace& trace, const LaneStrip& strip);
/// In the middle of the mark, where there is room.
void drawMarkLabel(QPainter& painter, const TimelineScene& scene, const QRect& mark, const QString& text);

} // namespace rankscope
