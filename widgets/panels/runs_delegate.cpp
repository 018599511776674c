// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a run as two lines.
#include "widgets/panels/runs_delegate.h"

#include <QApplication>
#include <QPainter>

#include "widgets/palette.h"
#include "widgets/panels/runs_model.h"

namespace rankscope {

namespace {

constexpr int kSignColumn = 22;
constexpr int kPadding = 5;
constexpr int kIndentation = 12; ///< of a run below its folder

QPolygonF triangle(const QPointF& middle) {
    return {{middle + QPointF(0, -5.5), middle + QPointF(5.5, 4.5), middle + QPointF(-5.5, 4.5)}};
}

/// Of a run that is not whole: a hollow triangle with a stroke and a dot.
void drawWarning(QPainter& painter, const QPointF& middle, const QColor& colour) {
    painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(triangle(middle));
    painter.drawLine(middle + QPointF(0, -1.6), middle + QPointF(0, 0.9));
    painter.drawPoint(middle + QPointF(0, 2.9));
}

/// Ring: listed; pie: reading; disc: read; triangle: failed. Shapes differ, not only colours.
void drawSign(QPainter& painter, const QPointF& middle, RunState state, double progress, const QPalette& palette) {
    const bool dark = isDark(palette);
    const double radius = 4.5;
    const QRectF circle(middle - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    painter.setPen(Qt::NoPen);
    switch (state) {
    case RunState::listed:
        painter.setPen(QPen(palette.color(QPalette::PlaceholderText), 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(circle);
        break;
    case RunState::loading:
        painter.setPen(QPen(hue(Hue::compute, dark), 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(circle);
        painter.setBrush(hue(Hue::compute, dark));
        painter.drawPie(circle, 90 * 16, -static_cast<int>(progress * 360 * 16));
        break;
    case RunState::loaded:
        painter.setBrush(hue(Hue::good, dark));
        painter.drawEllipse(circle);
        break;
    case RunState::failed:
        painter.setBrush(hue(Hue::marker, dark));
        painter.drawPolygon(triangle(middle));
        break;
    }
}

} // namespace

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    Q_UNUSED(index);
    return {160, 2 * option.fontMetrics.height() + 2 * kPadding + 2};
}

void RunsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem item(option);
    initStyleOption(&item, index);
    const QString name = item.text;
    item.text.clear();
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    if (selected) {
        // A tint instead of the full highlight: the state's sign and the dimmed line stay readable on it.
        QColor tint = item.palette.color(QPalette::Highlight);
        tint.setAlpha(item.state.testFlag(QStyle::State_Active) ? 60 : 36);
        painter->fillRect(item.rect, tint);
        item.state.setFlag(QStyle::State_Selected, false);
    }
    const QStyle* style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QRect area = item.rect.adjusted(4, kPadding, -6, -kPadding);
    const int lineHeight = item.fontMetrics.height() + 1;
    if (index.parent().isValid())
        area.setLeft(area.left() + kIndentation);
    const QVariant state = index.data(RunsModel::stateRole);
    if (state.isValid()) {
        const QPointF middle(area.left() + kSignColumn / 2.0 - 2, area.top() + lineHeight / 2.0);
        if (index.data(RunsModel::lostRole).toString().isEmpty())
            drawSign(*painter, middle, static_cast<RunState>(state.toInt()),
                     index.data(RunsModel::progressRole).toDouble(), item.palette);
        else
            drawWarning(*painter, middle, hue(Hue::marker, isDark(item.palette)));
        area.setLeft(area.left() + kSignColumn);
    }
    QFont font = item.font;
    font.setBold(index.data(RunsModel::openRole).toBool());
    painter->setFont(font);
    painter->setPen(item.palette.color(QPalette::Text));
    painter->drawText(QRect(area.left(), area.top(), area.width(), lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(name, Qt::ElideMiddle, area.width()));
    painter->setFont(item.font);
    painter->setPen(item.palette.color(QPalette::PlaceholderText));
    painter->drawText(
        QRect(area.left(), area.top() + lineHeight, area.width(), lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
        item.fontMetrics.elidedText(index.data(RunsModel::summaryRole).toString(), Qt::ElideRight, area.width()));
    painter->restore();
}

} // namespace rankscope
