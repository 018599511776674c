// SPDX-License-Identifier: GPL-3.0-or-later
// How long all events with the selected one's name take.
#include "widgets/panels/name_statistics_pane.h"

#include <array>
#include <cmath>

#include <QHeaderView>
#include <QLabel>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/charts/duration_histogram_view.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/panels/whole_table.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"

namespace rankscope {
namespace {

std::array<QString, 7> texts(const Distribution& d) {
    return {groupedNumber(d.count), durationText(d.sum),    durationText(std::llround(d.mean)),
            durationText(d.min),    durationText(d.median), durationText(d.p95),
            durationText(d.max)};
}

} // namespace

NameStatisticsPane::NameStatisticsPane(QWidget* parent)
    : QWidget(parent), model_(new QStandardItemModel(7, 2, this)), table_(new QTableView),
      histogram_(new DurationHistogramView) {
    inBothLanguages([this] {
        setHeadings(*model_, Qt::Vertical,
                    {tr("Count"), tr("Total"), tr("Mean"), tr("Shortest"), tr("Median"), tr("p95"), tr("Longest")});
        setHeadings(*model_, Qt::Horizontal, {tr("This rank"), tr("All ranks")});
    });
    table_->setModel(model_);
    table_->setAccessibleName(tr("Statistics of all events of this name"));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setFocusPolicy(Qt::StrongFocus);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->verticalHeader()->setHighlightSections(false);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 3);
    table_->verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 3);
    table_->setMinimumWidth(fontMetrics().averageCharWidth() * 42);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* title = new QLabel(tr("All of this name"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* panes = new QHBoxLayout;
    panes->addWidget(histogram_, 3);
    panes->addWidget(table_, 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addWidget(title);
    column->addLayout(panes);
    column->addStretch(1);
    table_->setFixedHeight(wholeHeight(*table_));
}

QAbstractItemModel* NameStatisticsPane::model() const { return model_; }

void NameStatisticsPane::setStatistics(const NameStatistics& statistics) {
    const std::array columns{texts(statistics.on_rank), texts(statistics.in_run)};
    for (int column = 0; column < 2; ++column)
        for (int row = 0; row < 7; ++row) {
            auto* item = new QStandardItem(columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)]);
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            model_->setItem(row, column, item);
        }
    histogram_->setStatistics(statistics);
}

void NameStatisticsPane::setWaiting() {
    for (int row = 0; row < model_->rowCount(); ++row)
        for (int column = 0; column < 2; ++column)
            model_->setItem(row, column, new QStandardItem);
    histogram_->setStatistics({});
}

} // namespace rankscope
