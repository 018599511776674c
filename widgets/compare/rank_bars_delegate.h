// SPDX-License-Identifier: GPL-3.0-or-later
// Small multiples in a table: a metric's value of every rank, baseline and tests beside each other.
#pragma once
#include <QStyledItemDelegate>

namespace rankscope {

/// Draws MetricChangeModel::ranksRole. One bar a rank and run, from 0 to the largest of all; many ranks share a bar by
/// their largest.
class RankBarsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace rankscope
