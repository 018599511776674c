// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the lanes.
#include "widgets/timeline/class_legend.h"

#include <QEvent>
#include <QPainter>
#include <QResizeEvent>

#include "widgets/palette.h"
#include "widgets/timeline/slice_colours.h"

namespace rankscope {

namespace {
constexpr int kLegendMargin = 8;  ///< at both ends of a line
constexpr int kSwatchToWords = 5; ///< from a swatch
constexpr int kLegendGap = 14;    ///< before the next swatch
} // namespace

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fitHeight();
}

void ClassLegend::setClasses(std::bitset<kSliceClassCount> classes) {
    classes_ = classes;
    QStringList labels;
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        if (classes_[c])
            labels << sliceClassLabel(static_cast<SliceClass>(c));
    setAccessibleName(tr("Legend: %1; empty is idle").arg(labels.join(QStringLiteral(", "))));
    fitHeight();
    update();
}

void ClassLegend::setHints(const QStringList& hints) {
    hints_ = hints;
    update();
}

void ClassLegend::setColourBy(ColourBy by) {
    colourBy_ = by;
    fitHeight();
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

std::vector<QRect> ClassLegend::placed(const std::vector<Entry>& entries, int width) const {
    std::vector<QRect> places;
    std::size_t first = 0; // of those that stay together: swatches without words, and the one that has them
    QPoint next(kLegendMargin, 0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        const int box = entry.colour.isValid() ? swatch() : 0;
        const int words = entry.text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(entry.text);
        places.emplace_back(next, QSize(box + (box > 0 && words > 0 ? kSwatchToWords : 0) + words, lineHeight()));
        if (places.back().right() + kLegendMargin >= width && places[first].left() > kLegendMargin) {
            const QPoint back(kLegendMargin - places[first].left(), lineHeight());
            for (std::size_t moved = first; moved <= i; ++moved)
                places[moved].translate(back);
        }
        next = places.back().topRight() + QPoint(words == 0 ? 2 : 1 + kLegendGap, 0);
        if (words > 0)
            first = i + 1;
    }
    return places;
}

std::vector<QRect> ClassLegend::places(int width) const { return placed(entries(), width); }

QSize ClassLegend::sizeHint() const { return {200, lineHeight()}; }

int ClassLegend::heightForWidth(int width) const {
    const std::vector<QRect> all = places(width);
    return all.empty() ? lineHeight() : all.back().bottom() + 1;
}

void ClassLegend::fitHeight() { setFixedHeight(heightForWidth(width())); }

void ClassLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fitHeight();
}

void ClassLegend::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitHeight();
}

void ClassLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, 0, width(), 0);
    const std::vector<Entry> all = entries();
    const std::vector<QRect> at = placed(all, width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRect& place = at[i];
        QRect box(0, 0, swatch(), swatch());
        box.moveTopLeft({place.left(), place.top() + (place.height() - swatch()) / 2});
        if (all[i].colour.isValid())
            painter.fillRect(box, all[i].colour);
        if (all[i].outlined) {
            painter.setPen(palette().color(QPalette::Mid));
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight, all[i].text);
    }

    const QRect last = at.empty() ? QRect(0, 0, kLegendMargin, lineHeight()) : at.back();
    const QRect rest(last.right() + 1 + kLegendGap + 10, last.top(),
                     width() - last.right() - 1 - kLegendGap - 10 - kLegendMargin, last.height());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    QString hint;
    for (const QString& part : hints_) {
        const QString longer = hint.isEmpty() ? part : hint + QStringLiteral(" · ") + part;
        if (fontMetrics().horizontalAdvance(longer) > rest.width())
            break;
        hint = longer;
    }
    painter.drawText(rest, Qt::AlignVCenter | Qt::AlignRight, hint);
}

} // namespace rankscope
