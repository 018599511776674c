// SPDX-License-Identifier: GPL-3.0-or-later
// The plot behind the lanes. On screen it paints itself: slices and what lies over them go into one image, which is
// drawn anew only when they change; pointer, selection and range are painted over it. QCustomPlot's own buffers, a copy
// of the window each, would cost more than the slices; its machinery draws exports.
#pragma once
#include "widgets/custom_plot.h"
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

class SlicePlottable;

/// Something drawn over the slices of a plot. slices: changes with them. pointer: changes by itself.
class SceneLayer : public QCPLayerable {
    Q_OBJECT
public:
    enum class Above { slices, pointer };
    SceneLayer(QCustomPlot* plot, const TimelineScene& scene, Above above);

    void draw(QCPPainter* painter) override = 0;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    [[nodiscard]] const TimelineScene& scene() const { return scene_; }

private:
    const TimelineScene& scene_;
};

class LanesPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit LanesPlot(const TimelineScene& scene, QWidget* parent = nullptr);

    void redraw(); ///< everything, at the next pass of the event loop
    [[nodiscard]] const SlicePlottable& slices() const { return *slices_; }

Q_SIGNALS:
    void labelsWait(); ///< some were left to the next frame

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void drawLayers(QCPPainter& painter, SceneLayer::Above above) const;

    const TimelineScene& scene_;
    SlicePlottable* slices_;
    bool stale_ = true;
};

} // namespace rankscope
