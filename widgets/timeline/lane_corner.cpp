// SPDX-License-Identifier: GPL-3.0-or-later
// Above the lane headers: the filter, and the way back to what is hidden.
#include "widgets/timeline/lane_corner.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/language.h"

namespace rankscope {

LaneCorner::LaneCorner(QWidget* parent)
    : QWidget(parent), filter_(new QLineEdit(this)), hidden_(new QToolButton(this)) {
    filter_->setPlaceholderText(tr("Filter ranks and lanes"));
    filter_->setAccessibleName(tr("Filter ranks and lanes"));
    filter_->setToolTip(
        tr("Only lanes whose “rank 3 stream 7” has this text; a rank whose “rank 3” has it shows all its lanes"));
    filter_->setClearButtonEnabled(true);
    filter_->installEventFilter(this);
    hidden_->setToolTip(tr("Show all hidden ranks and lanes again"));
    hidden_->setAutoRaise(true);
    hidden_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 1, 4, 2);
    column->setSpacing(1);
    column->addStretch(1);
    column->addWidget(hidden_);
    column->addWidget(filter_);
    setHidden(0);
    connect(filter_, &QLineEdit::textChanged, this, &LaneCorner::filterChanged);
    connect(filter_, &QLineEdit::returnPressed, this, &LaneCorner::left);
    connect(hidden_, &QToolButton::clicked, this, &LaneCorner::showHiddenAsked);
}

void LaneCorner::setHidden(int count) {
    hidden_->setVisible(count > 0);
    hidden_->setText(tr("%1 hidden: show all", nullptr, plural(count)).arg(count));
    hidden_->setAccessibleName(hidden_->text());
}

void LaneCorner::setFilter(const QString& text) {
    if (filter_->text() != text)
        filter_->setText(text);
}

void LaneCorner::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

bool LaneCorner::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        filter_->clear();
        Q_EMIT left();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankscope
