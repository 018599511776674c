// SPDX-License-Identifier: GPL-3.0-or-later
// One QCustomPlot plottable that draws all stacked bars.
#include "widgets/charts/stacked_rows.h"
#include "widgets/language.h"

#include <algorithm>
#include <cmath>

namespace rankscope {

namespace {
constexpr double kBarOfRow = 0.72;     ///< share of the row's height that the bar fills
constexpr double kMinLabelHeight = 13; ///< pixels below which a segment carries no number
constexpr int kNoteGap = 10;
} // namespace

std::vector<RowSegment> stackSegments(std::span<const RankShare> shares, std::span<const std::size_t> order,
                                      bool percent, double nanosecondsPerUnit) {
    std::vector<RowSegment> segments;
    for (std::size_t row = 0; row < order.size(); ++row) {
        const RankShare& share = shares[order[row]];
        const double scale =
            percent ? static_cast<double>(std::max<TimeNs>(1, share.total)) / 100.0 : nanosecondsPerUnit;
        TimeNs begin = 0;
        for (const RankPart part : kRankParts) {
            const TimeNs end = begin + share.part(part);
            if (end > begin)
                segments.push_back({static_cast<int>(row), part, static_cast<double>(begin) / scale,
                                    static_cast<double>(end) / scale});
            begin = end;
        }
    }
    return segments;
}

StackedRows::StackedRows(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {
    setAntialiased(false);
}

void StackedRows::setContent(std::vector<RowSegment> segments, std::vector<RowNote> notes, int decimals) {
    segments_ = std::move(segments);
    notes_ = std::move(notes);
    decimals_ = decimals;
}

QRectF StackedRows::segmentRect(const RowSegment& segment) const {
    const QCPAxis* keys = mKeyAxis.data();
    const QCPAxis* values = mValueAxis.data();
    const double left = values->coordToPixel(segment.begin);
    const double right = values->coordToPixel(segment.end);
    const double top = keys->coordToPixel(segment.row - kBarOfRow / 2);
    const double bottom = keys->coordToPixel(segment.row + kBarOfRow / 2);
    return {left, top, right - left, std::max(1.0, bottom - top)};
}

double StackedRows::selectTest(const QPointF&, bool, QVariant*) const { return -1; }

QCPRange StackedRows::getKeyRange(bool& found, QCP::SignDomain) const {
    found = !segments_.empty();
    return found ? QCPRange(-0.5, segments_.back().row + 0.5) : QCPRange();
}

QCPRange StackedRows::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = !segments_.empty();
    double most = 0;
    for (const RowSegment& segment : segments_)
        most = std::max(most, segment.end);
    return {0, most};
}

QRect StackedRows::clipRect() const { return mParentPlot->viewport(); }

void StackedRows::drawSegment(QCPPainter* painter, const RowSegment& segment, const QRectF& rect) const {
    const QColor colour = hue(rankPartHue(segment.part), dark_);
    painter->fillRect(rect, colour);
    if (rect.height() < kMinLabelHeight)
        return;
    const QString text = decimal(QString::number(segment.end - segment.begin, 'f', decimals_));
    if (painter->fontMetrics().horizontalAdvance(text) + 8 > rect.width())
        return;
    painter->setPen(segment.part == RankPart::idle ? mParentPlot->palette().color(QPalette::WindowText)
                                                   : textOn(colour));
    painter->drawText(rect, Qt::AlignCenter, text);
}

void StackedRows::drawNote(QCPPainter* painter, const RowNote& note) const {
    const QCPAxis* keys = mKeyAxis.data();
    const double middle = keys->coordToPixel(note.row);
    const QRect area = keys->axisRect()->rect();
    if (middle < area.top() || middle > area.bottom())
        return;
    const int left = area.right() + kNoteGap;
    QFont font = mParentPlot->font();
    font.setBold(note.strong);
    painter->setFont(font);
    painter->setPen(mParentPlot->palette().color(QPalette::WindowText));
    const QString text =
        painter->fontMetrics().elidedText(note.text, Qt::ElideRight, mParentPlot->viewport().right() - left - 14);
    painter->drawText(QRectF(left + 14, middle - 12, mParentPlot->viewport().right() - left - 14, 24),
                      Qt::AlignLeft | Qt::AlignVCenter, text);
    const QPolygonF arrow({{left + 0.0, middle}, {left + 8.0, middle - 5}, {left + 8.0, middle + 5}});
    painter->setPen(Qt::NoPen);
    painter->setBrush(hue(note.strong ? Hue::marker : Hue::other, dark_));
    painter->setAntialiasing(true);
    painter->drawPolygon(arrow);
    painter->setAntialiasing(false);
}

void StackedRows::draw(QCPPainter* painter) {
    const QRect area = mKeyAxis->axisRect()->rect();
    painter->setFont(mParentPlot->font());
    painter->save();
    painter->setClipRect(area);
    const QCPRange rows = mKeyAxis->range();
    const auto first =
        std::ranges::lower_bound(segments_, static_cast<int>(std::floor(rows.lower)), {}, &RowSegment::row);
    for (auto segment = first; segment != segments_.end() && segment->row <= rows.upper + 1; ++segment)
        drawSegment(painter, *segment, segmentRect(*segment));
    painter->restore();
    for (const RowNote& note : notes_)
        drawNote(painter, note);
}

void StackedRows::drawLegendIcon(QCPPainter*, const QRectF&) const {}

} // namespace rankscope
