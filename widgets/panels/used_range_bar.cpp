// SPDX-License-Identifier: GPL-3.0-or-later
// One quiet line while a range is used in all screens.
#include "widgets/panels/used_range_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/time_text.h"

namespace rankscope {

UsedRangeBar::UsedRangeBar(ViewState* state, QWidget* parent)
    : QFrame(parent), state_(state), line_(new QLabel), stepOut_(new QPushButton(tr("Step out"))) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Range used in all screens"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 3, 4, 3);
    row->addWidget(line_, 1);
    auto* all = new QPushButton(tr("Whole run"));
    stepOut_->setToolTip(tr("Return to the range before, or to the whole run"));
    all->setToolTip(tr("Forget all ranges"));
    row->addWidget(stepOut_);
    row->addWidget(all);
    connect(stepOut_, &QPushButton::clicked, state_, &ViewState::stepOutOfRange);
    connect(all, &QPushButton::clicked, state_, &ViewState::useWholeRun);
    connect(state_, &ViewState::usedRangesChanged, this, &UsedRangeBar::refresh);
    connect(state_, &ViewState::runChanged, this, &UsedRangeBar::refresh);
    refresh();
}

QString UsedRangeBar::line() const { return line_->text(); }

void UsedRangeBar::refresh() {
    const auto& used = state_->usedRanges();
    setVisible(!used.empty() && state_->run() != nullptr);
    if (used.empty() || !state_->run())
        return line_->clear();
    const TimeRange span = state_->run()->span;
    const TimeUnit unit = timeUnitFor(span.length());
    QString text =
        tr("Range %1–%2 of %3 %4 used everywhere but in Compare")
            .arg(timeNumber(used.back().begin - span.begin, unit), timeNumber(used.back().end - span.begin, unit),
                 timeNumber(span.length(), unit), timeUnitLabel(unit));
    if (used.size() > 1)
        text = tr("%1 (inside %2 wider)", nullptr, plural(std::ssize(used) - 1)).arg(text).arg(used.size() - 1);
    line_->setText(text);
    stepOut_->setVisible(used.size() > 1);
}

} // namespace rankscope
