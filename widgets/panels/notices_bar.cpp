// SPDX-License-Identifier: GPL-3.0-or-later
// Problems as one quiet line above the content.
#include "widgets/panels/notices_bar.h"

#include <algorithm>
#include <chrono>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/panels/elided_label.h"
#include "widgets/table_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kIconColumn = 34;
constexpr int kTallestList = 230;
constexpr int kMostRows = 10; ///< more are scrolled to
constexpr std::chrono::seconds kDoneShown{8};

HiddenNotices countsOf(std::span<const Notice> notices) {
    HiddenNotices counts;
    for (const Notice& notice : notices)
        counts[notice.code.word()] += notice.count;
    return counts;
}

/// file: what is shown of it; path: all of it.
QTreeWidgetItem* newEntry(const QString& message, const QString& file = {}, const QString& path = {},
                          std::int64_t count = 1) {
    auto* item = new QTreeWidgetItem({message, file, count > 1 ? QString::number(count) : QString()});
    item->setData(1, kWholeTextRole, path.isEmpty() ? file : path); // paths of one run differ at their ends
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(0, message);
    item->setToolTip(1, path);
    return item;
}

QTreeWidgetItem* noticeEntry(const Notice& notice, const QString& words, const NoticeRanks& ranks) {
    return newEntry(words, noticeFile(notice, ranks), QString::fromStdString(notice.file), notice.count);
}

/// One line; below it what to do, and the files, where they are several.
QTreeWidgetItem* noticeEntry(const NoticeGroup& group, const NoticeRanks& ranks, const QBrush& quiet) {
    const Notice& first = group.notices.front();
    const bool several = group.notices.size() > 1;
    const QString words = noticeWords(group);
    const QString advice = noticeAdvice(first);
    auto* entry = several ? newEntry(words, noticePlace(group)) : noticeEntry(first, words, ranks);
    const QString tip =
        QStringList{words, coreText(first.code.kind().meaning), advice,
                    u'(' % QString::fromUtf8(first.code.word().data(), std::ssize(first.code.word())) % u')'}
            .join(u'\n');
    entry->setToolTip(0, tip);
    if (!advice.isEmpty()) {
        auto* below = new QTreeWidgetItem(entry, {NoticesBar::tr("What to do: %1").arg(advice)});
        below->setForeground(0, quiet);
        below->setToolTip(0, tip);
        below->setFirstColumnSpanned(true);
    }
    for (const Notice& notice : group.notices)
        if (several)
            entry->addChild(noticeEntry(notice, noticeWords(notice), ranks));
    return entry;
}
} // namespace

NoticesBar::NoticesBar(QWidget* parent)
    : QFrame(parent), line_(new ElidedLabel(this)), toggle_(new QToolButton(this)), close_(new QToolButton(this)),
      list_(new QTreeWidget(this)) {
    setAccessibleName(tr("Notices"));
    toggle_->setAutoRaise(true);
    toggle_->setCheckable(true);
    toggle_->setAccessibleName(tr("Show all notices"));
    close_->setAutoRaise(true);
    close_->setText(u"×"_s);
    close_->setToolTip(tr("Hide until something new turns up"));
    close_->setAccessibleName(tr("Hide notices"));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kIconColumn, 2, 4, 2);
    top->addWidget(line_, 1);
    top->addWidget(toggle_);
    top->addWidget(close_);
    inBothLanguages([this] {
        const QStringList titles{tr("What it means"), tr("File"), tr("Times")};
        list_->setHeaderLabels(titles);
        for (int column = 0; (inSourceLanguage() || !speaksTranslation()) && column < titles.size(); ++column)
            list_->headerItem()->setData(column, kWholeTextRole, titles[column]);
    });
    list_->setRootIsDecorated(false); // each notice is open: its advice is the line below it
    list_->setItemsExpandable(false);
    list_->setUniformRowHeights(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("All notices"));
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    list_->header()->resizeSection(1, 240);
    list_->setMaximumHeight(kTallestList);
    list_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(list_);
    connect(toggle_, &QToolButton::toggled, this, &NoticesBar::setListShown);
    connect(close_, &QToolButton::clicked, this, &NoticesBar::dismiss);
    doneUntil_.setSingleShot(true);
    doneUntil_.setInterval(kDoneShown);
    connect(&doneUntil_, &QTimer::timeout, this, [this] {
        done_.clear();
        refresh();
    });
    hide();
}

void NoticesBar::setNotices(std::span<const Notice> notices, NoticeRanks ranks) {
    all_.assign(notices.begin(), notices.end());
    ranks_ = std::move(ranks);
    chooseNotices();
}

void NoticesBar::setComparedNotices(std::optional<std::vector<Notice>> notices) {
    if (notices == compared_)
        return;
    compared_ = std::move(notices);
    hiddenCompared_.clear();
    chooseNotices();
}

void NoticesBar::setHiddenNotices(HiddenNotices hidden) {
    if (hidden == hidden_)
        return;
    hidden_ = std::move(hidden);
    chooseNotices();
    Q_EMIT hiddenNoticesChanged();
}

void NoticesBar::chooseNotices() {
    const HiddenNotices now = countsOf(noticesOnScreen());
    const HiddenNotices& hiddenOnes = compared_ ? hiddenCompared_ : hidden_;
    std::vector<Notice> shown;
    for (const Notice& notice : noticesOnScreen())
        if (const auto hidden = hiddenOnes.find(notice.code.word());
            hidden == hiddenOnes.end() || hidden->second != now.at(notice.code.word()))
            shown.push_back(notice);
    groups_ = noticeGroups(shown, ranks_, compared_.has_value());
    refresh();
}

void NoticesBar::showError(const QString& message) {
    errors_.removeAll(message);
    errors_.prepend(message);
    done_.clear();
    refresh();
}

void NoticesBar::clearErrors() {
    errors_.clear();
    refresh();
}

void NoticesBar::showDone(const QString& message) {
    done_ = message;
    doneUntil_.start();
    refresh();
}

/// What was done hides the others while it is shown: it goes alone.
void NoticesBar::dismiss() {
    if (done_.isEmpty()) {
        errors_.clear();
        if (compared_) {
            hiddenCompared_ = countsOf(*compared_);
            chooseNotices();
        } else {
            setHiddenNotices(countsOf(all_));
        }
    }
    done_.clear();
    refresh();
}

int NoticesBar::entryCount() const { return static_cast<int>(errors_.size()) + static_cast<int>(groups_.size()); }
QString NoticesBar::line() const { return line_->text(); }
bool NoticesBar::listShown() const { return !list_->isHidden(); }

void NoticesBar::setListShown(bool shown) {
    list_->setVisible(shown);
    toggle_->setChecked(shown);
    toggle_->setText(shown               ? tr("Hide list")
                     : entryCount() == 1 ? tr("Show notice")
                                         : tr("Show all %1").arg(entryCount()));
}

void NoticesBar::refresh() {
    list_->clear();
    for (const QString& error : errors_)
        list_->addTopLevelItem(newEntry(error));
    int rows = static_cast<int>(errors_.size());
    for (const NoticeGroup& group : groups_) {
        QTreeWidgetItem* const entry = noticeEntry(group, ranks_, palette().placeholderText());
        list_->addTopLevelItem(entry);
        rows += 1 + entry->childCount();
    }
    list_->expandAll();
    list_->setFixedHeight(std::min(kTallestList, (std::min(rows, kMostRows) + 1) * (fontMetrics().height() + 8) + 8));
    QString first;
    if (!done_.isEmpty())
        first = done_;
    else if (!errors_.isEmpty())
        first = errors_.first();
    else if (!groups_.empty())
        first = noticeLine(groups_.front());
    line_->setText(first);
    line_->setToolTip(first);
    setAccessibleDescription(first);
    // The line says all of one error, not of a notice, which has a file and a meaning.
    toggle_->setVisible(entryCount() > 1 || !groups_.empty());
    setListShown(listShown() && entryCount() > 1);
    setVisible(entryCount() > 0 || !done_.isEmpty());
    update();
}

void NoticesBar::mousePressEvent(QMouseEvent* event) {
    if (toggle_->isHidden() || event->button() != Qt::LeftButton)
        return;
    setListShown(!listShown());
}

void NoticesBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = isDark(palette());
    const bool failed = !errors_.isEmpty() && done_.isEmpty();
    const QColor sign = hue(failed ? Hue::marker : Hue::communication, dark);
    QColor tint = sign;
    tint.setAlpha(dark ? 36 : 28);
    QColor line = sign;
    line.setAlpha(110);
    painter.setPen(line);
    painter.setBrush(tint);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);

    // A triangle for an error, a disc for a notice: told apart by shape as well.
    const QPointF middle(kIconColumn / 2.0 + 1, line_->geometry().center().y() + 0.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(sign);
    if (failed)
        painter.drawPolygon(QPolygonF({middle + QPointF(0, -8), middle + QPointF(9, 7), middle + QPointF(-9, 7)}));
    else
        painter.drawEllipse(middle, 8, 8);
    painter.setBrush(textOn(sign));
    const QPointF stem = failed ? QPointF(0, 1) : QPointF(0, 0);
    painter.drawRoundedRect(QRectF(middle + stem + QPointF(-1.1, failed ? -5.0 : -1.5), QSizeF(2.2, 6)), 1, 1);
    painter.drawEllipse(middle + (failed ? QPointF(0, 4.4) : QPointF(0, -4.2)), 1.3, 1.3);
}

} // namespace rankscope
