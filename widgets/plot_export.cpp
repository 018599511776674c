// SPDX-License-Identifier: GPL-3.0-or-later
// A plot as a picture.
#include "widgets/plot_export.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "widgets/custom_plot.h"

namespace rankscope {
namespace {

constexpr const char* kTitleProperty = "rankscopePlot";
constexpr int kPngScale = 2;
constexpr int kDotsPerInch = 96;

// QWidget::render would take the pixels that a QCustomPlot has on screen.
void draw(QWidget& widget, QCPPainter& painter, QPoint at) {
    if (auto* plot = qobject_cast<QCustomPlot*>(&widget)) {
        painter.save();
        painter.translate(at);
        painter.setClipRect(QRect(QPoint(), plot->size()));
        plot->toPainter(&painter, plot->width(), plot->height());
        painter.restore();
        return;
    }
    widget.render(&painter, at, QRegion(), QWidget::DrawWindowBackground);
    for (QObject* child : widget.children())
        if (auto* part = qobject_cast<QWidget*>(child);
            part != nullptr && part->isVisibleTo(&widget) && !part->isWindow())
            draw(*part, painter, at + part->pos());
}

void drawAll(QWidget& widget, QPaintDevice& device) {
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized, dynamic_cast<QImage*>(&device) == nullptr);
    painter.fillRect(QRect(QPoint(), widget.size()), widget.palette().color(QPalette::Window));
    draw(widget, painter, {});
}

} // namespace

void markAsPlot(QWidget& widget, const QString& title) { widget.setProperty(kTitleProperty, title); }

QString plotTitle(const QWidget& widget) { return widget.property(kTitleProperty).toString(); }

QByteArray plotPicture(QWidget& widget, PictureFormat format) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QSize size = widget.size();
    if (format == PictureFormat::png) {
        QImage image(size * kPngScale, QImage::Format_RGB32);
        image.setDevicePixelRatio(kPngScale);
        drawAll(widget, image);
        image.save(&buffer, "PNG");
    } else if (format == PictureFormat::svg) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        svg.setResolution(kDotsPerInch);
        svg.setTitle(plotTitle(widget));
        drawAll(widget, svg);
    } else {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(kDotsPerInch);
        pdf.setPageSize(QPageSize(QSizeF(size) * 72.0 / kDotsPerInch, QPageSize::Point));
        pdf.setPageMargins({});
        pdf.setTitle(plotTitle(widget));
        drawAll(widget, pdf);
    }
    return bytes;
}

} // namespace rankscope
