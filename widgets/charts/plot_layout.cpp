// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a plot stand.
#include "widgets/charts/plot_layout.h"

#include <QLabel>
#include <QVBoxLayout>

namespace rankscope {

void putLegendAbove(QCustomPlot& plot) {
    plot.plotLayout()->insertRow(0);
    auto* line = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 0, line);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    line->addElement(0, 0, plot.legend);
    line->addElement(0, 1, new QCPLayoutElement); // the rest of the width
    line->setColumnStretchFactor(0, 0.001);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.legend->setMargins({0, 0, 0, 0});
}

QLabel* layOutTitledPlot(QWidget& widget, const QString& title, QLabel& words, QCustomPlot& plot) {
    auto* label = new QLabel(title);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    words.setForegroundRole(QPalette::PlaceholderText);
    words.setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    words.setAlignment(Qt::AlignRight);
    auto* head = new QHBoxLayout;
    head->addWidget(label);
    head->addWidget(&words, 1);
    auto* layout = new QVBoxLayout(&widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(&plot, 1);
    plot.setMinimumHeight(1); // QCustomPlot complains when it is to paint on nothing
    return label;
}

} // namespace rankscope
