// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that scroll where the window is too small for them.
#include "widgets/scrolled_page.h"

#include <QScrollArea>

namespace rankscope {

QScrollArea* scrolled(QWidget* page) {
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // the page has what can be focused
    area->setWidgetResizable(true);
    area->setWidget(page);
    page->setAutoFillBackground(false); // QScrollArea switches it on, which hides what tabs draw below their pages
    area->viewport()->setAutoFillBackground(false);
    return area;
}

PageStack::PageStack(QWidget* parent) : QStackedWidget(parent) {
    connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
}

QSize PageStack::sizeHint() const { return currentWidget() ? currentWidget()->sizeHint() : QSize(0, 0); }

QSize PageStack::minimumSizeHint() const {
    return currentWidget() ? currentWidget()->minimumSizeHint().expandedTo(currentWidget()->minimumSize())
                           : QSize(0, 0);
}

} // namespace rankscope
