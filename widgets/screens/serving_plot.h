// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a serving engine over time: how long each took, by kind.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "core/analysis/serving/served_steps.h"
#include "widgets/number_text.h"

class QCPGraph;
class QCustomPlot;
class QLabel;

namespace rankscope {

/// A step of a rank, as it is drawn.
struct ServingPoint {
    std::size_t rank = 0; ///< index in Run::ranks
    std::size_t step = 0; ///< index in the rank's steps
    TimeNs start = 0;     ///< since the start of the run
    double time_ms = 0;
    EnginePhase phase = EnginePhase::unknown;
    QString words;
};

/// A click on a point shows its step.
class ServingPlot : public QWidget {
    Q_OBJECT
public:
    explicit ServingPlot(QWidget* parent = nullptr);
    void setPoints(std::vector<ServingPoint> points);
    [[nodiscard]] const std::vector<ServingPoint>& points() const { return points_; }
    [[nodiscard]] QPoint positionOf(const ServingPoint& point) const; ///< in this widget's coordinates

    [[nodiscard]] QSize sizeHint() const override { return {700, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 140}; }

Q_SIGNALS:
    void stepMarked(std::size_t point);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyColours();
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF plotPosition) const;

    std::vector<ServingPoint> points_;
    TimeUnit unit_ = TimeUnit::seconds; ///< of the axis of time
    QLabel* words_;
    QCustomPlot* plot_;
    std::vector<std::pair<EnginePhase, QCPGraph*>> graphs_;
};

} // namespace rankscope
