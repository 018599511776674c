// SPDX-License-Identifier: GPL-3.0-or-later
// Draws names that are too long for their column so that what tells one from the others stays in view.
#pragma once
#include <QStyledItemDelegate>

namespace rankscope {

class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// As it is drawn in so many pixels.
    static QString elided(const QModelIndex& index, const QFontMetrics& metrics, int width);
};

} // namespace rankscope
