// SPDX-License-Identifier: GPL-3.0-or-later
// From the baseline's step to the test's, part by part.
#include "widgets/compare/change_waterfall.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kMargin = 8;
constexpr int kMostNameShare = 40; ///< % of the width
} // namespace

ChangeWaterfall::ChangeWaterfall(QWidget* parent) : QWidget(parent) { clear(); }

void ChangeWaterfall::clear() {
    rows_.clear();
    hide();
}

void ChangeWaterfall::setChange(const QString& baseline, const QString& test, const ChangeExplanation& change) {
    clear();
    const std::vector<ChangeStep> steps = change_steps(change);
    if (steps.empty())
        return;
    double at = change.baseline_us;
    rows_.push_back({baseline, 0, at, timeTextOfUs(at), true});
    least_us_ = most_us_ = at;
    for (const ChangeStep& step : steps) {
        rows_.push_back(
            {messageText(step.title), at, at + step.difference_us, signedTimeText(1000 * step.difference_us)});
        at += step.difference_us;
        least_us_ = std::min(least_us_, at);
        most_us_ = std::max(most_us_, at);
    }
    rows_.push_back({test, 0, change.test_us, timeTextOfUs(change.test_us), true});
    // The totals do not start at 0: the changes are what is to be seen.
    const double margin = std::max((most_us_ - least_us_) / 4, most_us_ / 100);
    least_us_ = std::max(0.0, least_us_ - margin);
    QStringList words;
    for (const Row& row : rows_)
        words << u"%1 %2"_s.arg(row.name, row.value);
    setAccessibleName(tr("From the baseline's step to the test's: %1").arg(words.join(u", "_s)));
    show();
    updateGeometry();
    update();
}

int ChangeWaterfall::rowHeight() const { return fontMetrics().height() + 4; }

QSize ChangeWaterfall::sizeHint() const {
    return {480, static_cast<int>(rows_.size() + 1) * rowHeight() + 2 * kMargin};
}

QSize ChangeWaterfall::minimumSizeHint() const { return {260, 3 * rowHeight()}; }

int ChangeWaterfall::nameWidth() const {
    int widest = 0;
    for (const Row& row : rows_)
        widest = std::max(widest, fontMetrics().horizontalAdvance(row.name));
    return std::min(widest, width() * kMostNameShare / 100) + 6;
}

QRectF ChangeWaterfall::barOf(std::size_t row) const {
    const double left = kMargin + nameWidth();
    const double room = width() - left - kMargin - fontMetrics().horizontalAdvance(u"+000.00 ms  "_s);
    const auto x = [&](double us) {
        return left + room * std::clamp((us - least_us_) / (most_us_ - least_us_), 0.0, 1.0);
    };
    const double from = x(rows_[row].total ? least_us_ : std::min(rows_[row].from_us, rows_[row].to_us));
    const double to = x(std::max(rows_[row].from_us, rows_[row].to_us));
    // Closer together where there is little room, so that the test's bar is never cut off.
    const double height =
        std::min<double>(rowHeight(), (this->height() - kMargin) / static_cast<double>(rows_.size() + 1));
    return {from, kMargin / 2.0 + height * static_cast<double>(row) + 1, std::max(1.0, to - from), height - 3};
}

void ChangeWaterfall::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool dark = isDark(palette());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        const QRectF bar = barOf(i);
        painter.fillRect(bar, hue(row.total ? Hue::other : row.to_us > row.from_us ? Hue::bad : Hue::good, dark));
        painter.setPen(palette().color(QPalette::WindowText));
        const QRectF name(kMargin, bar.top(), nameWidth() - 6, bar.height());
        painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter,
                         fontMetrics().elidedText(row.name, Qt::ElideRight, static_cast<int>(name.width())));
        painter.drawText(QRectF(bar.right() + 6, bar.top(), width(), bar.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         row.value);
    }
    if (rows_.empty())
        return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRectF last = barOf(rows_.size() - 1);
    painter.drawText(QRectF(kMargin, last.bottom() + 2, width() - 2 * kMargin, last.height() + 2),
                     Qt::AlignRight | Qt::AlignVCenter, tr("The axis does not start at 0."));
}

bool ChangeWaterfall::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const QPoint at = static_cast<QHelpEvent*>(event)->pos();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (const QRectF bar = barOf(i); at.y() >= bar.top() && at.y() <= bar.bottom())
                QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                                   toolTipText(u"%1: %2"_s.arg(rows_[i].name, rows_[i].value)), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace rankscope
