// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of a pipeline's step in its plot, and their legend.
#pragma once
#include <optional>
#include <vector>

#include "widgets/custom_plot.h"
#include "widgets/screens/pipeline_chart.h"

namespace rankscope {

QColor pipelineColour(PipelineBar::Look look, bool dark);

/// Key axis: time in ns; value axis: rows, 0 on top.
class PipelineBars : public QCPAbstractPlottable {
    Q_OBJECT
public:
    PipelineBars(QCPAxis* keyAxis, QCPAxis* valueAxis);
    void setBars(std::vector<PipelineBar> bars);
    void setDark(bool dark) { dark_ = dark; }
    void setCurrent(std::optional<std::size_t> bar) { current_ = bar; }
    [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
    [[nodiscard]] const std::vector<PipelineBar>& bars() const { return bars_; }
    [[nodiscard]] QRectF rect(const PipelineBar& bar) const; ///< pixels
    /// The bar at a pixel: passes before messages before bubbles, as they lie over each other.
    [[nodiscard]] const PipelineBar* at(QPointF position) const;

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void drawBar(QCPPainter* painter, const PipelineBar& bar, const QRectF& rect) const;

    std::vector<PipelineBar> bars_; ///< bubbles, messages, passes; of each by row, then start
    std::optional<std::size_t> current_;
    bool dark_ = false;
};

class PipelineLegend : public QWidget {
    Q_OBJECT
public:
    explicit PipelineLegend(QWidget* parent = nullptr);
    void setLooks(std::vector<PipelineBar::Look> looks); ///< those that are on screen
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<PipelineBar::Look> looks_;
};

} // namespace rankscope
