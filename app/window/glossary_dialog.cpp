// SPDX-License-Identifier: GPL-3.0-or-later
// What the words of the window mean.
#include "app/window/glossary_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/metrics/catalogue.h"
#include "core/views/glossary.h"
#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

enum GlossaryColumn { termColumn, meaningColumn };

constexpr int kRowAir = 6;

void add(QTreeWidgetItem& section, const QString& term, const QString& meaning) {
    auto* item = new QTreeWidgetItem(&section, {term, meaning});
    item->setTextAlignment(termColumn, Qt::AlignTop);
}

} // namespace

GlossaryDialog::GlossaryDialog(QWidget* parent) : QDialog(parent), filter_(new QLineEdit), list_(new QTreeWidget) {
    setWindowTitle(tr("Glossary"));
    resize(900, 640);
    filter_->setPlaceholderText(tr("Find a word"));
    filter_->setAccessibleName(tr("Find a word"));
    filter_->setClearButtonEnabled(true);
    list_->setAccessibleName(tr("Glossary"));
    list_->setHeaderLabels({tr("Word"), tr("What it means")});
    list_->setRootIsDecorated(false);
    list_->setItemsExpandable(false);
    list_->setWordWrap(true);
    list_->setUniformRowHeights(false);
    list_->setAllColumnsShowFocus(true);
    const auto section = [this](const QString& title) -> QTreeWidgetItem& {
        auto* top = new QTreeWidgetItem(list_, {title});
        QFont bold = top->font(0);
        bold.setBold(true);
        top->setFont(0, bold);
        top->setFlags(Qt::ItemIsEnabled);
        return *top;
    };
    QTreeWidgetItem& words = section(tr("Words"));
    for (const GlossaryTerm& term : kGlossary)
        add(words, coreText(term.term), coreText(term.meaning));
    words.sortChildren(termColumn, Qt::AscendingOrder);
    QTreeWidgetItem& metrics = section(tr("Metrics"));
    for (const MetricPointer& metric : metric_catalogue())
        add(metrics, coreText(metric->title), coreText(metric->definition));
    metrics.sortChildren(termColumn, Qt::AscendingOrder);
    list_->expandAll();
    list_->header()->setSectionResizeMode(termColumn, QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(true);
    list_->setCurrentItem(words.child(0));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filter_);
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
    connect(filter_, &QLineEdit::textChanged, this, &GlossaryDialog::applyFilter);
    connect(list_->header(), &QHeaderView::sectionResized, this, &GlossaryDialog::fitRows);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    filter_->setFocus();
}

/// A meaning takes as many lines as it needs.
void GlossaryDialog::fitRows() {
    const int width = list_->header()->sectionSize(meaningColumn) - 2 * kRowAir;
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
        for (int j = 0; j < list_->topLevelItem(i)->childCount(); ++j) {
            QTreeWidgetItem* const item = list_->topLevelItem(i)->child(j);
            const QRect text =
                list_->fontMetrics().boundingRect(QRect(0, 0, width, 0), Qt::TextWordWrap, item->text(meaningColumn));
            item->setSizeHint(meaningColumn, QSize(0, text.height() + kRowAir));
        }
}

void GlossaryDialog::applyFilter(const QString& wanted) {
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* top = list_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < top->childCount(); ++j) {
            QTreeWidgetItem* item = top->child(j);
            const bool matches = item->text(termColumn).contains(wanted, Qt::CaseInsensitive) ||
                                 item->text(meaningColumn).contains(wanted, Qt::CaseInsensitive);
            item->setHidden(!matches);
            any |= matches;
        }
        top->setHidden(!any);
    }
}

} // namespace rankscope
