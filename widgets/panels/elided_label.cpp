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
                     shownText(contentsRect().width()));
}

QString ElidedLabel::shownText(int width) const {
    const auto fits = [&](const QString& shown) { return fontMetrics().horizontalAdvance(shown) <= width; };
    if (fits(text()))
        return text();
    if (!separator_.isEmpty())
        for (QString shown = text(); shown.contains(separator_);) {
            shown.truncate(shown.lastIndexOf(separator_));
            if (const QString cut = shown + separator_ + QChar(0x2026); fits(cut))
                return cut;
        }
    return fontMetrics().elidedText(text(), mode_, width);
}

} // namespace rankscope
