// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the lanes.
#include "widgets/timeline/class_legend.h"

#include <QPainter>

#include "widgets/palette.h"

namespace rankscope {

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ClassLegend::setClasses(std::bitset<kSliceClassCount> classes) {
    classes_ = classes;
    QStringList labels;
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        if (classes_[c])
            labels << sliceClassLabel(static_cast<SliceClass>(c));
    setAccessibleName(tr("Legend: %1; empty is idle").arg(labels.join(QStringLiteral(", "))));
    update();
}

void ClassLegend::setHints(const QStringList& hints) {
    hints_ = hints;
    update();
}

QSize ClassLegend::sizeHint() const { return {200, fontMetrics().height() + 8}; }

void ClassLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool dark = isDark(palette());
    const QFontMetrics metrics = fontMetrics();
    const int swatch = metrics.ascent() - 1;
    const int top = (height() - swatch) / 2;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, 0, width(), 0);
    int x = 8;
    const auto entry = [&](const QString& text, const QColor& colour, bool outlined) {
        painter.fillRect(x, top, swatch, swatch, colour);
        if (outlined) {
            painter.setPen(palette().color(QPalette::Mid));
            painter.drawRect(x, top, swatch - 1, swatch - 1);
        }
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(x + swatch + 5, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += swatch + 5 + metrics.horizontalAdvance(text) + 14;
    };
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        if (classes_[c])
            entry(sliceClassLabel(static_cast<SliceClass>(c)), hueOf(static_cast<SliceClass>(c), dark), false);
    if (classes_.any())
        entry(tr("idle"), palette().color(QPalette::Base), true);

    const QRect rest(x + 10, 0, width() - x - 18, height());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    QString hint;
    for (const QString& part : hints_) {
        const QString longer = hint.isEmpty() ? part : hint + QStringLiteral(" · ") + part;
        if (metrics.horizontalAdvance(longer) > rest.width())
            break;
        hint = longer;
    }
    painter.drawText(rest, Qt::AlignVCenter | Qt::AlignRight, hint);
}

} // namespace rankscope
