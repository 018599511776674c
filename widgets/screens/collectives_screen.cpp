// SPDX-License-Identifier: GPL-3.0-or-later
// The Collectives screen.
#include "widgets/screens/collectives_screen.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/command_table.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/collective_call_model.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

CollectivesScreen::CollectivesScreen(QWidget* parent) : AnalysisScreen(parent), model_(new CollectiveCallModel(this)), table_(new QTableView) {
    buildTable();
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 6, 18, 12);
    layout->addWidget(table_, 1);
    setPage(page);
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token& stop) -> Show {
        auto calls = std::make_shared<const CollectiveCalls>(list_collective_calls(analysed->analysis, stop));
        return [this, calls] { setCalls(calls); };
    });
}

void CollectivesScreen::useCommands(CommandTable& table) {
    table.addPlace({u"collectives"_s, tr("Collectives"), this});
    table.addGesture({u"collectives"_s, tr("Enter, double-click"), tr("Show the call in the timeline")});
    table.addGesture({u"collectives"_s, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void CollectivesScreen::buildTable() {
    table_->setModel(model_);
    prepareTable(*table_, tr("Collective calls"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(0, Qt::AscendingOrder);
    table_->horizontalHeader()->setSectionResizeMode(static_cast<int>(CallColumn::word), QHeaderView::Stretch);
    connect(model_, &CollectiveCallModel::orderWanted, this, [this](CallColumn column, bool descending) {
        sortColumn_ = column;
        descending_ = descending;
        reorder();
    });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) { showCall(model_->call(index.row())); });
}

void CollectivesScreen::setCalls(std::shared_ptr<const CollectiveCalls> calls) {
    calls_ = std::move(calls);
    reorder();
    if (calls_->size() == 0)
        showMessage(tr("No collective calls"), tr("No communication kernel of this run was matched between ranks or carries its arguments."));
    else
        showPage();
}

void CollectivesScreen::reorder() {
    if (!calls_)
        return;
    auto order = filter_calls(*calls_, {});
    sort_calls(*calls_, order, sortColumn_, descending_);
    model_->setCalls(calls_, std::make_shared<const std::vector<std::uint32_t>>(std::move(order)));
}

void CollectivesScreen::showCall(std::uint32_t call) {
    const auto& member = calls_->timing(call).members.front();
    Q_EMIT eventActivated(calls_->analysis->run().ranks[member.first]->rank, calls_->analysis->collectives().call(member).event);
}

} // namespace rankscope
