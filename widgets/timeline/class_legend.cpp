// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the lanes.
#include "widgets/timeline/class_legend.h"

#include <QPainter>

#include "widgets/palette.h"
#include "widgets/timeline/slice_colours.h"

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

void ClassLegend::setColourBy(ColourBy by) {
    colourBy_ = by;
    update();
}

std::vector<ClassLegend::Entry> ClassLegend::entries() const {
    const bool dark = isDark(palette());
    std::vector<Entry> entries;
    if (colourBy_ == ColourBy::name)
        entries.push_back({tr("A colour for each name; where several share a column:"), {}});
    else if (colourBy_ == ColourBy::op)
        entries.push_back({tr("A colour for each operator; where several share a column:"), {}});
    if (colourBy_ == ColourBy::deviation)
        for (std::size_t step = 0; step < kDeviationCount; ++step)
            entries.push_back({deviationLabel(step), deviationHue(step, dark)});
    else
        for (std::size_t c = 0; c < kSliceClassCount; ++c)
            if (classes_[c])
                entries.push_back(
                    {sliceClassLabel(static_cast<SliceClass>(c)), hueOf(static_cast<SliceClass>(c), dark)});
    if (classes_.any())
        entries.push_back({tr("idle"), palette().color(QPalette::Base), true});
    return entries;
}

QSize ClassLegend::sizeHint() const { return {200, fontMetrics().height() + 8}; }

void ClassLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFontMetrics metrics = fontMetrics();
    const int swatch = metrics.ascent() - 1;
    const int top = (height() - swatch) / 2;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, 0, width(), 0);
    int x = 8;
    for (const Entry& entry : entries()) {
        if (entry.colour.isValid())
            painter.fillRect(x, top, swatch, swatch, entry.colour);
        if (entry.outlined) {
            painter.setPen(palette().color(QPalette::Mid));
            painter.drawRect(x, top, swatch - 1, swatch - 1);
        }
        x += entry.colour.isValid() ? swatch + (entry.text.isEmpty() ? 1 : 5) : 0;
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
        x += entry.text.isEmpty() ? 0 : metrics.horizontalAdvance(entry.text) + 14;
    }

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
