// SPDX-License-Identifier: GPL-3.0-or-later
// Durations of one kernel in two runs over each other, with both medians.
#pragma once
#include <QWidget>

#include "core/compare/kernel_comparison.h"

namespace rankscope {

class OverlaidHistograms : public QWidget {
    Q_OBJECT
public:
    explicit OverlaidHistograms(QWidget* parent = nullptr);
    void setHistograms(const QString& kernel, DurationHistograms histograms);
    void setMessage(const QString& message); ///< instead of a picture
    [[nodiscard]] QString summary() const;   ///< in words, for those who cannot see it
    [[nodiscard]] QSize sizeHint() const override { return {420, 170}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 130}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] double xOf(double us) const;
    void drawBars(QPainter& painter, const std::vector<std::size_t>& counts, const QBrush& brush,
                  const QPen& pen) const;
    void drawMedian(QPainter& painter, double us, const QColor& colour, const QString& label, int line) const;
    void drawAxis(QPainter& painter) const;

    QString kernel_;
    QString message_;
    DurationHistograms histograms_;
};

} // namespace rankscope
