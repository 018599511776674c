// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of the lag map as one picture of the plot, and the colours' legend.
#pragma once
#include <memory>

#include <QImage>
#include <QWidget>

#include "core/views/lag_map.h"
#include "widgets/custom_plot.h"

namespace rankscope {

/// The colour of a code (LagMap): further from the background the longer the lag, so that it reads without hues. 0:
/// transparent.
QRgb lagColour(std::uint8_t code, bool dark);

/// Key axis: columns; value axis: ranks, one unit each, 0 on top. Drawn per pixel, anew only where range, size or theme
/// changed.
class LagCells : public QCPAbstractPlottable {
    Q_OBJECT
public:
    LagCells(QCPAxis* keyAxis, QCPAxis* valueAxis);
    void setMap(std::shared_ptr<const LagMap> map);
    void setDark(bool dark);
    /// As wide as the axis rect; as high, or one pixel a rank.
    [[nodiscard]] QImage picture(QSize size, QCPRange columns) const;

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    std::shared_ptr<const LagMap> map_;
    bool dark_ = false;
    QImage drawn_;
    QCPRange drawnColumns_;
};

class LagLegend : public QWidget {
    Q_OBJECT
public:
    explicit LagLegend(QWidget* parent = nullptr);
    void setMap(std::shared_ptr<const LagMap> map);
    [[nodiscard]] QString words() const; ///< "Colour: lag, up to 1 µs … 3.2 ms"
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const LagMap> map_;
};

} // namespace rankscope
