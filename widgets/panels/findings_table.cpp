// SPDX-License-Identifier: GPL-3.0-or-later
// The findings, one a row.
#include "widgets/panels/findings_table.h"

#include <algorithm>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include "core/analysis/findings/finding_brief.h"
#include "core/analysis/findings/finding_kinds.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/panels/link_delegate.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kShareRole = kLinkRole + 1; ///< of the cost cell: of the step, 0 to 1
constexpr int kFaultRole = kLinkRole + 2; ///< of the cost cell: bool
constexpr int kPadding = 5;

/// Draws what a finding costs as a bar behind its number, and the sentence of an opened row over all columns.
class FindingsDelegate : public LinkDelegate {
public:
    using LinkDelegate::LinkDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (const double share = index.data(kShareRole).toDouble(); share > 0) {
            QRect bar = option.rect.adjusted(2, 2, -2, -2);
            bar.setWidth(std::max(2, qRound(std::min(1.0, share) * bar.width())));
            QColor colour = hue(index.data(kFaultRole).toBool() ? Hue::marker : Hue::idle, isDark(option.palette));
            colour.setAlphaF(0.45F);
            painter->fillRect(bar, colour);
        }
        LinkDelegate::paint(painter, option, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        LinkDelegate::initStyleOption(option, index);
        if (index.parent().isValid())
            option->displayAlignment = Qt::AlignLeft | Qt::AlignTop;
        else
            option->features.setFlag(QStyleOptionViewItem::WrapText, false); // cut at the end, not after a word
    }
};

QString natureWord(const Finding& finding) {
    return finding.hidden     ? FindingsTable::tr("hidden")
           : finding.inherent ? FindingsTable::tr("inherent")
                              : FindingsTable::tr("fault");
}

QString natureExplained(const Finding& finding) {
    return finding.hidden ? FindingsTable::tr("hidden: others hide it, and it costs this only once they are dealt with")
           : finding.inherent ? FindingsTable::tr("inherent: what the program is made of costs it")
                              : FindingsTable::tr("fault of a rank, a link or the host");
}

QString costText(const Finding& finding) {
    if (finding.cost <= 0)
        return u"–"_s;
    const QString time = timeTextOfNs(finding.cost_of_affected);
    const QString steps =
        finding.is_of_some_steps() ? FindingsTable::tr(" × %1").arg(finding.iterations.size()) : QString();
    return (finding.at_most ? u"≤ "_s : finding.at_least ? u"≥ "_s : QString()) + time + steps;
}

} // namespace

FindingsTable::FindingsTable(QWidget* parent) : QTreeWidget(parent) {
    setAccessibleName(tr("Findings"));
    setProperty("ownMenu", true);
    setColumnCount(columnEnd);
    inBothLanguages([this] {
        const QStringList headings{tr("No."),  tr("Cost a step"), tr("Who"),       tr("What"),
                                   tr("When"), tr("Nature"),      tr("Confidence")};
        for (int column = 0; column < columnEnd; ++column)
            if (inSourceLanguage() || !speaksTranslation())
                headerItem()->setData(column, kWholeTextRole, headings[column]);
        setHeaderLabels(headings);
    });
    const auto explain = [this](Column column, const QString& text) {
        headerItem()->setToolTip(column, toolTipText(text));
    };
    explain(
        costColumn,
        tr("What a step that has it would be shorter without it; × 2: there are 2 such steps. The bar is its share of "
           "such a step."));
    explain(whenColumn, tr("In which steps; nothing: in all of them"));
    explain(natureColumn, tr("fault: of a rank, a link or the host. inherent: what the program is made of costs it. "
                             "hidden: others hide it, so that it costs that only once they are dealt with."));
    explain(confidenceColumn, tr("How sure it is, by how many steps and calls show it"));
    setWordWrap(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setIndentation(16);
    setExpandsOnDoubleClick(false); // a click leads to the timeline
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(whatColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(costColumn, QHeaderView::Fixed);
    header()->resizeSection(costColumn, 2 * fontMetrics().horizontalAdvance(u"≤ 000.0 ms "_s)); // a bar and its number
    header()->setMinimumSectionSize(40);
    connect(new FindingsDelegate(this, LinkDelegate::Colour::text), &LinkDelegate::followed, this,
            &FindingsTable::activate);
    connect(this, &QTreeWidget::expanded, this, &FindingsTable::fitHeight);
    connect(this, &QTreeWidget::collapsed, this, &FindingsTable::fitHeight);
}

void FindingsTable::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    analysis_ = std::move(analysis);
    clear();
    const std::vector<Finding>& list = analysis_->findings().list;
    headerItem()->setText(costColumn, analysis_->findings().of_steps ? tr("Cost a step") : tr("Cost"));
    for (const Finding& finding : list)
        addRow(finding);
    setColumnHidden(whenColumn, std::ranges::all_of(list, [](const Finding& f) { return f.when.empty(); }));
    setVisible(count() > 0);
    fitHeight();
}

QStringList FindingsTable::cellsOf(const Finding& finding, int number) const {
    return {QString::number(number),
            costText(finding),
            messageText(who_words(analysis_->run(), finding)),
            messageText(what_words(finding)),
            messageText(finding.when).trimmed(),
            natureWord(finding),
            percentText(qRound(100 * finding.confidence))};
}

void FindingsTable::addRow(const Finding& finding) {
    const Findings& all = analysis_->findings();
    auto* row = new QTreeWidgetItem(this, cellsOf(finding, count() + 1));
    {
        const SourceLanguage ofFiles;
        const QStringList cells = cellsOf(finding, count());
        for (int column = 0; column < columnEnd; ++column)
            row->setData(column, kWholeTextRole, cells[column]);
    }
    row->setTextAlignment(costColumn, Qt::AlignRight | Qt::AlignVCenter);
    row->setTextAlignment(confidenceColumn, Qt::AlignRight | Qt::AlignVCenter);
    row->setData(costColumn, kShareRole, all.step_time > 0 ? finding.cost_of_affected / all.step_time : 0);
    row->setData(costColumn, kFaultRole, !finding.inherent);
    if (all.step_time > 0) // what the bar shows
        row->setData(costColumn, Qt::AccessibleDescriptionRole,
                     tr("%1 of a step").arg(percentText(100 * finding.cost_of_affected / all.step_time)));
    row->setData(natureColumn, Qt::AccessibleDescriptionRole, natureExplained(finding));
    if (finding.inherent || finding.hidden)
        row->setData(natureColumn, kDimRole, true);
    QString told = messageText(finding.title);
    QString tip = told;
    if (const FindingKind* kind = finding_kind(finding.code, finding.cause))
        told += u'\n' % tr("What to do: %1").arg(coreText(kind->what_to_do));
    if (!finding.events.empty())
        tip += u'\n' % tr("Click: show it in the timeline");
    for (int column = 0; column < columnEnd; ++column) {
        row->setToolTip(column, toolTipText(tip));
        if (!finding.events.empty())
            row->setData(column, kLinkRole, QString::number(count() - 1));
    }
    auto* sentence = new QTreeWidgetItem(row, {told});
    sentence->setData(numberColumn, kWholeTextRole, QString::fromStdString(english(finding.title)));
    sentence->setFirstColumnSpanned(true);
}

QString FindingsTable::sentence(int row) const { return topLevelItem(row)->child(0)->text(0); }

void FindingsTable::resizeEvent(QResizeEvent* event) {
    QTreeWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fitHeight();
}

/// As high as its rows, so that the page scrolls and not the table.
void FindingsTable::fitHeight() {
    const int line = rowHeightOf(fontMetrics());
    int height = header()->sizeHint().height();
    for (int i = 0; i < count(); ++i) {
        QTreeWidgetItem* row = topLevelItem(i);
        row->setSizeHint(numberColumn, {0, line});
        height += line;
        const int width = std::max(200, viewport()->width() - 2 * indentation() - 4 * kPadding);
        const QRect box =
            fontMetrics().boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, row->child(0)->text(0));
        row->child(0)->setSizeHint(numberColumn, {0, box.height() + 2 * kPadding});
        if (row->isExpanded())
            height += box.height() + 2 * kPadding;
    }
    setFixedHeight(height + 2);
}

const Finding* FindingsTable::currentFinding() const {
    QTreeWidgetItem* const item = currentItem();
    if (item == nullptr)
        return nullptr;
    const int row = indexOfTopLevelItem(item->parent() == nullptr ? item : item->parent());
    return &analysis_->findings().list[static_cast<std::size_t>(row)];
}

QString FindingsTable::changeOfCurrent() const {
    const Finding* finding = currentFinding();
    return finding == nullptr ? QString() : changeOf(*finding, analysis_->collectives().groups);
}

void FindingsTable::contextMenuEvent(QContextMenuEvent* event) {
    QTreeWidgetItem* item = event->reason() == QContextMenuEvent::Mouse ? itemAt(event->pos()) : currentItem();
    if (item == nullptr)
        return;
    setCurrentItem(item);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const qsizetype row = currentFinding() - analysis_->findings().list.data();
    connect(menu->addAction(tr("Show it in the &timeline")), &QAction::triggered, this,
            [this, row] { activate(QString::number(row)); });
    menu->actions().back()->setEnabled(!currentFinding()->events.empty());
    const QString change = changeOfCurrent();
    connect(menu->addAction(tr("&What if this were fixed?")), &QAction::triggered, this,
            [this, change] { Q_EMIT whatIfAsked(change); });
    menu->actions().back()->setEnabled(!change.isEmpty());
    connect(menu->addAction(tr("&Copy")), &QAction::triggered, this, [this] { copy(); });
    menu->addSeparator();
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

void FindingsTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (const QString change = event->key() == Qt::Key_W ? changeOfCurrent() : QString(); !change.isEmpty())
        Q_EMIT whatIfAsked(change);
    else
        QTreeWidget::keyPressEvent(event);
}

void FindingsTable::copy() const {
    if (const Finding* finding = currentFinding())
        QGuiApplication::clipboard()->setText(messageText(finding->title));
}

void FindingsTable::activate(const QString& row) {
    const Finding& finding = analysis_->findings().list[row.toUInt()];
    if (finding.events.empty())
        return;
    const FindingEvent& shown = finding.events.front();
    Q_EMIT findingActivated(analysis_->run().ranks[shown.rank]->rank, shown.event, shown.shown());
}

} // namespace rankscope
