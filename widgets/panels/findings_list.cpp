// SPDX-License-Identifier: GPL-3.0-or-later
// The findings in words.
#include "widgets/panels/findings_list.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QResizeEvent>
#include <QScrollBar>

#include "core/analysis/findings/finding_kinds.h"
#include "widgets/language.h"
#include "widgets/panels/link_delegate.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPadding = 5;

QString sentence(const Finding& finding) {
    const QString title = messageText(finding.title);
    const int percent = qRound(100 * finding.confidence);
    return finding.inherent ? FindingsList::tr("%1 (inherent in the program, confidence %2 %)").arg(title).arg(percent)
                            : FindingsList::tr("%1 (confidence %2 %)").arg(title).arg(percent);
}
} // namespace

FindingsList::FindingsList(QWidget* parent) : QListWidget(parent) {
    setAccessibleName(tr("Findings"));
    setWordWrap(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideNone);
    setAlternatingRowColors(true);
    setTabKeyNavigation(false);
    new LinkDelegate(this, LinkDelegate::Colour::text);
    connect(this, &QListWidget::itemActivated, this, &FindingsList::activate);
    connect(this, &QListWidget::itemClicked, this, &FindingsList::activate);
}

void FindingsList::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    analysis_ = std::move(analysis);
    clear();
    for (const Finding& finding : analysis_->findings().list) {
        auto* item = new QListWidgetItem(u"%1.  %2"_s.arg(count() + 1).arg(sentence(finding)), this);
        QStringList tip;
        if (const FindingKind* kind = finding_kind(finding.code, finding.cause))
            tip << coreText(kind->meaning) << coreText(kind->what_to_do);
        tip << (finding.events.empty()
                    ? tr("Confidence %1 %").arg(qRound(100 * finding.confidence))
                    : tr("Confidence %1 %. Click: show it in the timeline").arg(qRound(100 * finding.confidence)));
        item->setToolTip(toolTipText(tip.join(u'\n')));
        if (!finding.events.empty())
            item->setData(kLinkRole, QString::fromUtf8(code_word(finding.code)));
    }
    setVisible(count() > 0);
    fitHeight();
}

void FindingsList::resizeEvent(QResizeEvent* event) {
    QListWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fitHeight();
}

/// As high as its sentences, so that the page scrolls and not the list.
void FindingsList::fitHeight() {
    int height = 0;
    for (int row = 0; row < count(); ++row) {
        const QRect box = fontMetrics().boundingRect(QRect(0, 0, qMax(200, viewport()->width() - 4 * kPadding), 10000),
                                                     Qt::TextWordWrap, item(row)->text());
        item(row)->setSizeHint({0, box.height() + 2 * kPadding});
        height += box.height() + 2 * kPadding;
    }
    setFixedHeight(height + 2);
}

QString FindingsList::changeOf(const QListWidgetItem* item) const {
    return item == nullptr ? QString()
                           : rankscope::changeOf(analysis_->findings().list[static_cast<std::size_t>(row(item))],
                                                 analysis_->collectives().groups);
}

void FindingsList::contextMenuEvent(QContextMenuEvent* event) {
    QListWidgetItem* item = event->reason() == QContextMenuEvent::Mouse ? itemAt(event->pos()) : currentItem();
    if (item == nullptr)
        return;
    setCurrentItem(item);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Show it in the &timeline")), &QAction::triggered, this,
            [this] { activate(currentItem()); });
    const QString change = changeOf(item);
    connect(menu->addAction(tr("&What if this were fixed?")), &QAction::triggered, this,
            [this, change] { Q_EMIT whatIfAsked(change); });
    menu->actions().back()->setEnabled(!change.isEmpty());
    connect(menu->addAction(tr("&Copy")), &QAction::triggered, this, [this] { copy(); });
    menu->popup(event->globalPos());
}

void FindingsList::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (const QString change = event->key() == Qt::Key_W ? changeOf(currentItem()) : QString(); !change.isEmpty())
        Q_EMIT whatIfAsked(change);
    else
        QListWidget::keyPressEvent(event);
}

void FindingsList::copy() const {
    if (const QListWidgetItem* item = currentItem())
        QGuiApplication::clipboard()->setText(item->text());
}

void FindingsList::activate(const QListWidgetItem* item) {
    const Finding& finding = analysis_->findings().list[static_cast<std::size_t>(row(item))];
    if (finding.events.empty())
        return;
    const FindingEvent& shown = finding.events.front();
    Q_EMIT findingActivated(analysis_->run().ranks[shown.rank]->rank, shown.event, shown.range);
}

} // namespace rankscope
