// SPDX-License-Identifier: GPL-3.0-or-later
// A label that shortens its text with an ellipsis.
#include "widgets/panels/elided_label.h"

#include <QPainter>

namespace rankscope {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 6, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), static_cast<int>(alignment() | Qt::TextSingleLine),
                     fontMetrics().elidedText(text(), mode_, contentsRect().width()));
}

} // namespace rankscope
