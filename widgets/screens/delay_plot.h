// SPDX-License-Identifier: GPL-3.0-or-later
// How the delays of collective calls are spread: histogram, ECDF, and where mean, median and P95 stand.
#pragma once
#include <QWidget>

#include "core/views/collective_charts.h"

class QCPBars;
class QCPGraph;
class QCPItemLine;
class QCPItemText;
class QCustomPlot;
class QLabel;

namespace rankscope {

class DelayPlot : public QWidget {
    Q_OBJECT
public:
    explicit DelayPlot(QWidget* parent = nullptr);
    void setChart(DelayChart chart);
    [[nodiscard]] const DelayChart& chart() const { return chart_; }
    [[nodiscard]] QString summary() const; ///< "240 calls · mean 1.20 ms, median 0.80 ms, P95 4.00 ms"

    [[nodiscard]] QSize sizeHint() const override { return {440, 190}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 130}; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyColours();
    void updateTicks();
    void placeLabels();

    DelayChart chart_;
    QLabel* words_;
    QCustomPlot* plot_;
    QCPBars* bars_;
    QCPGraph* ecdf_;
    struct Mark {
        QCPItemLine* line = nullptr;
        QCPItemText* text = nullptr;
    };
    std::vector<Mark> marks_; ///< mean, median, P95
};

} // namespace rankscope
