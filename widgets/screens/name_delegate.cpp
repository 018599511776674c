// SPDX-License-Identifier: GPL-3.0-or-later
// Draws names so that what tells one from the others stays in view.
#include "widgets/screens/name_delegate.h"

#include <QApplication>

#include "widgets/name_text.h"
#include "widgets/table_text.h"

namespace rankscope {

QString NameDelegate::elided(const QModelIndex& index, const QFontMetrics& metrics, int width) {
    return elidedAround(
        index.data().toString(), index.data(kDifferenceRole).toInt(),
        [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; });
}

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle* style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, item.widget) + 1;
    const QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    item.text = elided(index, item.fontMetrics, room.width() - 2 * margin);
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
}

} // namespace rankscope
