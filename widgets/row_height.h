// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of lists and trees, as high as those of tables.
#pragma once
#include <algorithm>

#include <QAbstractItemView>
#include <QStyledItemDelegate>

namespace rankscope {

inline int rowHeightOf(const QFontMetrics& metrics) { return metrics.height() + 6; }

/// Qt gives rows of a tree no space between the lines.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), std::max(size.height(), rowHeightOf(option.fontMetrics))};
    }
};

} // namespace rankscope
