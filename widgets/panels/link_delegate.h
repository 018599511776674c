// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of trees that lead somewhere: their cells with the link role look and behave as links.
#pragma once
#include <QAbstractItemView>
#include <QApplication>

#include "widgets/row_height.h"

namespace rankscope {

/// Of a cell that leads somewhere: QString, where to.
inline constexpr int kLinkRole = Qt::UserRole + 0x110;
/// Of a cell that matters less: bool. A colour of its own would not follow the theme.
inline constexpr int kDimRole = kLinkRole + 0x10;

class LinkDelegate : public RowDelegate {
    Q_OBJECT
public:
    enum class Colour { link, text }; ///< text: of sentences, which are read before they are followed
    /// The delegate of the view, with the cursor of a link over its links.
    explicit LinkDelegate(QAbstractItemView* view, Colour colour = Colour::link) : RowDelegate(view), colour_(colour) {
        view->setMouseTracking(true);
        view->setItemDelegate(this);
        connect(view, &QAbstractItemView::entered, this, [view](const QModelIndex& index) {
            view->viewport()->setCursor(index.data(kLinkRole).toString().isEmpty() ? Qt::ArrowCursor
                                                                                   : Qt::PointingHandCursor);
        });
        connect(view, &QAbstractItemView::viewportEntered, view->viewport(), &QWidget::unsetCursor);
        connect(view, &QAbstractItemView::clicked, this, &LinkDelegate::follow);
        connect(view, &QAbstractItemView::activated, this,
                [this](const QModelIndex& index) { follow(index.siblingAtColumn(0)); });
    }

Q_SIGNALS:
    void followed(const QString& where); ///< by a click on the link, or Enter on its row

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        RowDelegate::initStyleOption(option, index);
        if (index.data(kDimRole).toBool())
            option->palette.setBrush(QPalette::Text, option->palette.placeholderText());
        if (index.data(kLinkRole).toString().isEmpty())
            return;
        if (colour_ == Colour::link)
            option->palette.setColor(QPalette::Text, option->palette.color(QPalette::Link));
        option->font.setUnderline(option->state.testFlag(QStyle::State_MouseOver));
    }

private:
    void follow(const QModelIndex& index) {
        if (const QString where = index.data(kLinkRole).toString(); !where.isEmpty())
            Q_EMIT followed(where);
    }
    Colour colour_;
};

} // namespace rankscope
