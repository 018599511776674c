// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a plot stand.
#include "widgets/charts/plot_layout.h"

#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/tool_tip_text.h"

namespace rankscope {

namespace {

/// A line that is wider than its place is not drawn: its rest would be no word. The tooltip has all of it.
class WholeOrNothing : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* label = static_cast<QLabel*>(watched);
        const bool cut = label->fontMetrics().horizontalAdvance(label->text()) > label->width();
        if (event->type() == QEvent::ToolTip && cut)
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), toolTipText(label->text()));
        return cut && (event->type() == QEvent::Paint || event->type() == QEvent::ToolTip);
    }
};

} // namespace

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
    words.installEventFilter(new WholeOrNothing(&words));
    auto* head = new QHBoxLayout;
    head->addWidget(label);
    head->addWidget(&words, 1);
    auto* layout = new QVBoxLayout(&widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(&plot, 1);
    plot.setMinimumSize(1, 1); // QCustomPlot complains when it is to paint on nothing
    return label;
}

} // namespace rankscope
