// SPDX-License-Identifier: GPL-3.0-or-later
// How long launches take to start on the GPU: a histogram with the median and the 95th percentile.
#pragma once
#include <QWidget>

#include "core/analysis/search/name_statistics.h"

namespace rankscope {

/// Of many launches; made off the window's thread.
struct LaunchDelays {
    Distribution spread;
    DurationHistogram histogram; ///< delays below 0 count as 0
    std::int64_t backwards = 0;  ///< those: they start before their call by the trace's clocks
};
LaunchDelays spreadOf(std::vector<TimeNs> delays);

class DelayHistogram : public QWidget {
    Q_OBJECT
public:
    explicit DelayHistogram(QWidget* parent = nullptr);
    void setDelays(LaunchDelays delays);

    [[nodiscard]] const Distribution& spread() const { return spread_; }
    [[nodiscard]] std::vector<QRectF> bars() const; ///< in this widget's coordinates, one per bar of the histogram
    [[nodiscard]] double xOf(TimeNs delay) const;
    [[nodiscard]] QString summary() const; ///< in words
    [[nodiscard]] QString describe(std::size_t bar) const;

    [[nodiscard]] QSize sizeHint() const override { return {600, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] TimeNs delayAt(double share) const; ///< of the axis, 0 to 1
    void paintAxes(QPainter& painter) const;
    void paintMark(QPainter& painter, TimeNs delay, const QString& label, int line) const;

    Distribution spread_;
    DurationHistogram histogram_;
};

} // namespace rankscope
