// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a run as two lines, its name and what is known of it, with a sign for its state.
#pragma once
#include <QStyledItemDelegate>

namespace rankscope {

class RunsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace rankscope
