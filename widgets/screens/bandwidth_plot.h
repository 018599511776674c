// SPDX-License-Identifier: GPL-3.0-or-later
// Bus bandwidth against message size by kind, both logarithmic, with what the workload card says the network can carry.
#pragma once
#include <memory>
#include <optional>

#include <QWidget>

#include "core/analysis/collectives/network_limits.h"
#include "core/views/collective_charts.h"

class QCPGraph;
class QCPItemLine;
class QCPItemText;
class QCustomPlot;
class QLabel;

namespace rankscope {

/// A click on a point marks its call.
class BandwidthPlot : public QWidget {
    Q_OBJECT
public:
    explicit BandwidthPlot(QWidget* parent = nullptr);
    void setChart(std::shared_ptr<const CollectiveCalls> calls, std::vector<BandwidthPoint> points,
                  NetworkLimits limits, std::vector<BandwidthCurve> curves = {});
    /// A call without size or bandwidth, or none: no mark.
    void setCurrentCall(std::optional<std::uint32_t> call);
    [[nodiscard]] std::optional<QPointF> markedPoint() const;              ///< bytes, GB/s
    [[nodiscard]] QPoint pointPosition(const BandwidthPoint& point) const; ///< in this widget's coordinates
    [[nodiscard]] const std::vector<BandwidthPoint>& points() const { return points_; }
    [[nodiscard]] QStringList limitLabels() const; ///< of the lines drawn
    [[nodiscard]] QString describe(const BandwidthPoint& point) const;

    [[nodiscard]] QSize sizeHint() const override { return {440, 190}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 130}; }

Q_SIGNALS:
    void callMarked(std::uint32_t call);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Limit {
        double value = 0;
        QString label;
        QCPItemLine* line = nullptr;
        QCPItemText* text = nullptr;
    };
    void rebuild();
    void addLimit(double value, const QString& label);
    void addCurves();
    void fitAxes();
    void applyColours();
    [[nodiscard]] const BandwidthPoint* pointAt(QPointF plotPosition) const;

    std::shared_ptr<const CollectiveCalls> calls_;
    std::vector<BandwidthPoint> points_;
    NetworkLimits limits_;
    std::optional<std::uint32_t> current_;
    QLabel* words_;
    QCustomPlot* plot_;
    QCPGraph* mark_ = nullptr;
    std::vector<std::pair<CollectiveKind, QCPGraph*>> graphs_;
    std::vector<Limit> lines_;
    std::vector<BandwidthCurve> curves_;
    std::vector<QCPGraph*> curveGraphs_; ///< of curves_
};

} // namespace rankscope
