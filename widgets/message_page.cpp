// SPDX-License-Identifier: GPL-3.0-or-later
// A title, and below it what to do.
#include "widgets/message_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace rankscope {

MessagePage::MessagePage(QWidget* parent) : QWidget(parent), title_(new QLabel), words_(new QLabel) {
    constexpr int kWidestWords = 560;
    QFont font = title_->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::DemiBold);
    title_->setFont(font);
    words_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QWidget;
    column->setMaximumWidth(kWidestWords);
    auto* lines = new QVBoxLayout(column);
    lines->setContentsMargins(0, 0, 0, 0);
    for (QLabel* label : {title_, words_}) {
        label->setAlignment(Qt::AlignCenter);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
        lines->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(column, 100); // all the width that it may have
    row->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->addStretch();
    layout->addLayout(row);
    layout->addStretch();
}

void MessagePage::setMessage(const QString& title, const QString& words) {
    title_->setText(title);
    words_->setText(words);
}

QString MessagePage::title() const { return title_->text(); }

QString MessagePage::message() const {
    return words_->text().isEmpty() ? title_->text() : title_->text() + u'\n' + words_->text();
}

} // namespace rankscope
