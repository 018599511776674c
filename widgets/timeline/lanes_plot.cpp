// SPDX-License-Identifier: GPL-3.0-or-later
// The plot behind the lanes.
#include "widgets/timeline/lanes_plot.h"

#include <QPaintEvent>

#include "widgets/timeline/plot_layers.h"

namespace rankscope {
namespace {

QString layerOf(SceneLayer::Above above) {
    return above == SceneLayer::Above::slices ? QStringLiteral("axes") : QStringLiteral("overlay");
}

} // namespace

SceneLayer::SceneLayer(QCustomPlot* plot, const TimelineScene& scene, Above above)
    : QCPLayerable(plot, layerOf(above)), scene_(scene) {}

/// A bare plot: one axis rect that fills it, no axes, margins or interactions of its own.
LanesPlot::LanesPlot(const TimelineScene& scene, QWidget* parent)
    : QCustomPlot(parent), scene_(scene), slices_(new SlicePlottable(xAxis, yAxis, scene)) {
    plotLayout()->setMargins({});
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins({});
    axisRect()->setMinimumMargins({});
    for (QCPAxis* axis : axisRect()->axes()) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    setNotAntialiasedElements(QCP::aeAll);
    setInteractions(QCP::iNone);
    // The view itself takes mouse and wheel, for the plot as for all its parts.
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LanesPlot::redraw() {
    stale_ = true;
    update();
}

void LanesPlot::drawLayers(QCPPainter& painter, SceneLayer::Above above) const {
    for (QCPLayerable* child : layer(layerOf(above))->children()) {
        auto* part = qobject_cast<SceneLayer*>(child);
        if (part == nullptr)
            continue;
        painter.save();
        part->draw(&painter);
        painter.restore();
    }
}

void LanesPlot::paintEvent(QPaintEvent* event) {
    SlicePainter& slices = slices_->slicePainter();
    if (stale_ || !slices.isFor(scene_.size, devicePixelRatioF())) {
        stale_ = false;
        slices.render(scene_, devicePixelRatioF());
        if (!slices.image().isNull()) {
            QCPPainter painter(&slices.image());
            drawLayers(painter, SceneLayer::Above::slices);
        }
        if (!slices.isComplete())
            Q_EMIT labelsWait();
    }
    QCPPainter painter(this);
    painter.setClipRegion(event->region());
    if (slices.image().isNull())
        return painter.fillRect(rect(), scene_.palette.color(QPalette::Base));
    painter.drawImage(QPoint(), slices.image());
    drawLayers(painter, SceneLayer::Above::pointer);
}

void LanesPlot::resizeEvent(QResizeEvent*) {
    // Without QCustomPlot's, which would fill its buffers at once.
    setViewport(rect());
    updateLayout();
    redraw();
}

} // namespace rankscope
