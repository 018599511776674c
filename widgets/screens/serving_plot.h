// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a serving engine over time, or over the size of their batch: how long each took, by kind.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "core/analysis/serving/served_steps.h"
#include "widgets/number_text.h"

class QCPAxis;
class QCPGraph;
class QComboBox;
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
    std::int64_t size = kUnknown; ///< requests that decode, or tokens of a step with prompts; kUnknown: not told
    QString words;
};

/// Steps of one kind and size, as summarise_batches() has them.
struct ServingMedian {
    EnginePhase phase = EnginePhase::unknown;
    std::int64_t size = 0;
    double time_ms = 0; ///< median
};

/// The size is that of the step's kind: requests where it decodes or verifies, tokens where it computes prompts. Mixed
/// steps have points by their tokens, but no line: one number is not their size. A click on a point shows its step.
class ServingPlot : public QWidget {
    Q_OBJECT
public:
    explicit ServingPlot(QWidget* parent = nullptr);
    void setPoints(std::vector<ServingPoint> points, std::vector<ServingMedian> medians);
    [[nodiscard]] const std::vector<ServingPoint>& points() const { return points_; }
    [[nodiscard]] const std::vector<ServingMedian>& medians() const { return medians_; }
    [[nodiscard]] QPoint positionOf(const ServingPoint& point) const; ///< in this widget's coordinates
    [[nodiscard]] QComboBox& order() const { return *order_; }        ///< "Over time", "Over batch size"
    [[nodiscard]] QCustomPlot& plot() const { return *plot_; }

    [[nodiscard]] QSize sizeHint() const override { return {700, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 140}; }

Q_SIGNALS:
    void stepMarked(std::size_t point);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void draw();
    void setRanges();
    void applyColours();
    [[nodiscard]] bool isBySize() const;
    [[nodiscard]] bool isDrawn(const ServingPoint& point) const;
    [[nodiscard]] QCPAxis* xAxisOf(EnginePhase phase) const;
    [[nodiscard]] double xOf(const ServingPoint& point) const;
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF plotPosition) const;

    std::vector<ServingPoint> points_;
    TimeUnit unit_ = TimeUnit::seconds; ///< of the axis of time
    std::vector<ServingMedian> medians_;
    QLabel* words_;
    QComboBox* order_;
    QCustomPlot* plot_;
    struct KindGraph {
        EnginePhase phase;
        QCPGraph* graph;
        bool isLine; ///< through medians
    };
    std::vector<KindGraph> graphs_;
};

} // namespace rankscope
