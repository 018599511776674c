// SPDX-License-Identifier: GPL-3.0-or-later
// The two things the timeline's plot draws: all slices (one plottable), and hover, selection and focus above them.
#pragma once
#include "widgets/timeline/lanes_plot.h"
#include "widgets/timeline/slice_painter.h"

namespace rankscope {

/// All lanes of all ranks as one plottable: thousands of plottables or items would be far too slow. LanesPlot shows its
/// painter's image; draw() is for exports.
class SlicePlottable : public QCPAbstractPlottable {
    Q_OBJECT
public:
    SlicePlottable(QCPAxis* time, QCPAxis* lanes, const TimelineScene& scene);

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;
    [[nodiscard]] SlicePainter& slicePainter() { return painter_; }
    [[nodiscard]] const SlicePainter& slicePainter() const { return painter_; }

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    const TimelineScene& scene_;
    SlicePainter painter_;
};

class TimelineOverlay : public SceneLayer {
    Q_OBJECT
public:
    TimelineOverlay(QCustomPlot* plot, const TimelineScene& scene);
    void draw(QCPPainter* painter) override;

private:
    void outline(QCPPainter& painter, const EventRef& event, const QColor& colour, double width) const;
    void drawHoverLabel(QCPPainter& painter) const;
};

} // namespace rankscope
