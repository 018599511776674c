// SPDX-License-Identifier: GPL-3.0-or-later
// Operators as points of achieved FLOP/s over FLOPs per byte, under the limits of the device.
#pragma once
#include <memory>
#include <optional>
#include <span>

#include <QWidget>

#include "core/analysis/operators/roofline.h"

class QCPGraph;
class QCPItemTracer;
class QCustomPlot;

namespace rankscope {

/// A rate the device cannot exceed.
struct RooflineCeiling {
    double tflops = 0;
    QString label; ///< "bf16 matrix 989 TFLOP/s"
};
struct RooflineLimits {
    std::vector<RooflineCeiling> ceilings; ///< highest first
    std::optional<double> tb_s;            ///< of the memory
};
/// What is known of the device in the precisions that the points compute in.
RooflineLimits rooflineLimits(const StringTable& names, std::span<const RooflineRow> rows, std::string_view device,
                              std::span<const DevicePeak> ownPeaks = {});

class RooflinePlot : public QWidget {
    Q_OBJECT
public:
    explicit RooflinePlot(QWidget* parent = nullptr);
    void setRows(std::shared_ptr<const StringTable> names, std::shared_ptr<const std::vector<RooflineRow>> rows,
                 RooflineLimits limits);
    void setCurrent(std::optional<std::size_t> row); ///< the point is ringed

    [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
    [[nodiscard]] std::optional<std::size_t>
    rowAt(const QPoint& position) const;                   ///< the nearest point within a few pixels
    [[nodiscard]] QPointF pointOf(std::size_t row) const;  ///< in this widget's coordinates
    [[nodiscard]] QString describe(std::size_t row) const; ///< plain text
    [[nodiscard]] const RooflineLimits& limits() const { return limits_; }

Q_SIGNALS:
    void rowClicked(std::size_t row);
    void rowActivated(std::size_t row); ///< by double-click

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addLimits(double left, double right);

    QCustomPlot* plot_;
    QCPItemTracer* ring_ = nullptr;
    std::shared_ptr<const StringTable> names_;
    std::shared_ptr<const std::vector<RooflineRow>> rows_;
    RooflineLimits limits_;
    std::optional<std::size_t> current_;
};

} // namespace rankscope
