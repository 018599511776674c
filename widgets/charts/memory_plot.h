// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator curves of ranks and devices over time, their peaks, and the moment looked at.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "core/views/memory_history.h"

class QCPItemStraightLine;
class QCustomPlot;

namespace rankscope {

/// A curve as it is drawn: few points, no peak lost. Seconds since the run's first event, bytes.
struct MemoryLine {
    std::vector<double> time;
    std::vector<double> allocated;
    std::vector<double> reserved; ///< empty when not recorded
};
/// At most about four points for each of that many equal stretches of the curve's time: the first, the largest and the
/// last of each.
MemoryLine thinnedLine(const MemoryCurve& curve, TimeNs origin, int stretches);

class MemoryPlot : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kMostLines = 32; ///< those with the highest peaks, and the chosen one

    explicit MemoryPlot(QWidget* parent = nullptr);
    /// lines: one for each curve. origin: of the times shown.
    void setCurves(std::shared_ptr<const std::vector<MemoryCurve>> curves,
                   std::shared_ptr<const std::vector<MemoryLine>> lines, TimeNs origin);
    void setCurrent(std::size_t curve, TimeNs time); ///< stands out; time: absolute

    [[nodiscard]] std::size_t current() const { return current_; }
    [[nodiscard]] TimeNs time() const { return time_; }
    [[nodiscard]] std::size_t drawn() const { return drawn_.size(); }
    [[nodiscard]] QPointF pointOf(std::size_t curve, TimeNs time) const; ///< in this widget's coordinates

Q_SIGNALS:
    /// A place was clicked, or the keys moved there.
    void placeChosen(std::size_t curve, rankscope::TimeNs time);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addLine(std::size_t curve, bool chosen);
    void clickedAt(const QPointF& position); ///< in the plot's coordinates
    [[nodiscard]] TimeNs timeAt(double x) const;
    [[nodiscard]] std::int64_t allocatedAt(const MemoryCurve& curve, TimeNs time) const;

    QCustomPlot* plot_;
    std::shared_ptr<const std::vector<MemoryCurve>> curves_;
    std::shared_ptr<const std::vector<MemoryLine>> lines_;
    TimeNs origin_ = 0;
    std::size_t current_ = 0;
    TimeNs time_ = 0;
    double timeUnit_ = 1; ///< seconds of one unit of the axis
    double bytesUnit_ = 1;
    std::vector<std::size_t> drawn_; ///< curves
};

} // namespace rankscope
