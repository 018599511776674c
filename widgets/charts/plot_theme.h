// SPDX-License-Identifier: GPL-3.0-or-later
// How plots look: the window's colours and font, quiet grids; and what their axes write.
#pragma once
#include <functional>

#include <QColor>
#include <QString>

#include "core/trace/collective_kind.h"
#include "widgets/custom_plot.h"

namespace rankscope {

/// All axes of all axis rects, in these colours and the font of the plot's parent. Again whenever either changes.
void themePlot(QCustomPlot& plot, const QPalette& palette);

/// Ticks of a logarithmic axis at 1, 2, 5 of each decade, or at decades where there are many; labels are made from the
/// values.
class LabelledLogTicker : public QCPAxisTicker {
public:
    explicit LabelledLogTicker(std::function<QString(double)> label) : label_(std::move(label)) {}

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return label_(tick); }
    int getSubTickCount(double) override { return 0; }
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;

private:
    std::function<QString(double)> label_;
};
QString tickTime(double ns);     ///< "10 µs"
QString tickBytes(double bytes); ///< "50 MB"

/// A kind of collective by colour and shape.
struct KindSign {
    QColor colour;
    QCPScatterStyle::ScatterShape shape = QCPScatterStyle::ssCircle;
};
KindSign signOf(CollectiveKind kind, bool dark);

} // namespace rankscope
