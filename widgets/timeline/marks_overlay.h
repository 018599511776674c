// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses found, drawn over the lanes in patterns: waits at collectives, late ranks, bubbles, idle causes,
// the critical path.
#pragma once
#include <algorithm>
#include <span>

#include <QBrush>

#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

/// How the kinds of marks look; the legend shows the same.
QBrush waitBrush(const QPalette& palette);
QBrush bubbleBrush(BubbleKind kind, const QPalette& palette);
QBrush idleBrush(IdleCause cause, const QPalette& palette);
QColor pathColour(const QPalette& palette);
QString bubbleLabel(BubbleKind kind); ///< "warm-up"
QString idleLabel(IdleCause cause);   ///< "host late"

/// What is known of one event: for whom it waits and how long, or who waits for it.
QStringList markLines(const TimelineScene& scene, std::size_t rankIndex, EventIndex event);

/// Left to right, at least a column wide, columns taken once: positions in `spans` (ascending by begin and end) to
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

class MarksOverlay : public SceneLayer {
    Q_OBJECT
public:
    MarksOverlay(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] bool shows(Overlay overlay) const { return scene().overlays[static_cast<std::size_t>(overlay)]; }
    void drawStrip(QCPPainter& painter, const LaneStrip& strip) const;
    void drawBubbles(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const;
    void drawIdle(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const;
    void drawDelays(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const;
    void drawLag(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const;
    void drawPath(QCPPainter& painter, const LaneStrip& strip, const QRect& area) const;
    void drawLabel(QCPPainter& painter, const QRect& rect, const QString& text) const;
};

} // namespace rankscope
