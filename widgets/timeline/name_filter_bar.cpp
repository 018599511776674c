// SPDX-License-Identifier: GPL-3.0-or-later
// The line that says that some names are hidden.
#include "widgets/timeline/name_filter_bar.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include "widgets/name_text.h"
#include "widgets/panels/elided_label.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

namespace {
constexpr qsizetype kListed = 12; ///< names in the tooltip
} // namespace

NameFilterBar::NameFilterBar(QWidget* parent)
    : QWidget(parent), text_(new ElidedLabel(this)), showAll_(new QPushButton(tr("Show all names"), this)) {
    setAccessibleName(tr("Filter of names"));
    text_->setTextFormat(Qt::PlainText);
    showAll_->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(text_, 1);
    row->addWidget(showAll_);
    connect(showAll_, &QPushButton::clicked, this, &NameFilterBar::showAllAsked);
    hide();
}

void NameFilterBar::setFilter(const SliceNameFilter& filter) {
    setVisible(filter.isOn());
    const QString hidden = tr("Names hidden: %1").arg(filter.hidden.size());
    if (filter.only.empty())
        text_->setText(hidden);
    else if (filter.hidden.empty())
        text_->setText(tr("Only one name is shown: %1").arg(shortNameText(filter.only)));
    else
        text_->setText(tr("Only one name is shown: %1").arg(shortNameText(filter.only)) + QStringLiteral(" · ") +
                       hidden);
    QStringList names;
    if (!filter.only.empty())
        names << nameText(filter.only);
    for (const std::string& name : filter.hidden)
        if (names.size() < kListed)
            names << tr("hidden: %1").arg(nameText(name));
    text_->setToolTip(toolTipText(names.join(u'\n')));
}

QString NameFilterBar::text() const { return text_->text(); }

void NameFilterBar::paintEvent(QPaintEvent*) {
    QColor ground = palette().color(QPalette::Highlight); // nobody should forget that something is hidden
    ground.setAlphaF(0.25F);
    QPainter(this).fillRect(rect(), ground);
}

} // namespace rankscope
