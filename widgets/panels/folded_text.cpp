// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/folded_text.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace rankscope {

FoldedText::FoldedText(QWidget* parent) : QWidget(parent), opener_(new QToolButton), body_(new QLabel) {
    opener_->setCheckable(true);
    opener_->setAutoRaise(true);
    opener_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    body_->setWordWrap(true);
    body_->setTextFormat(Qt::PlainText);
    body_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    body_->setContentsMargins(26, 0, 0, 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(opener_);
    column->addWidget(body_);
    connect(opener_, &QToolButton::toggled, this, &FoldedText::open);
    open(false);
}

void FoldedText::setText(const QString& title, const QString& text) {
    opener_->setText(title);
    body_->setAccessibleName(title);
    setVisible(!text.isEmpty());
    if (text == body_->text())
        return;
    body_->setText(text);
    opener_->setChecked(false);
}

QString FoldedText::text() const { return body_->text(); }

void FoldedText::open(bool open) {
    opener_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    body_->setVisible(open);
}

} // namespace rankscope
