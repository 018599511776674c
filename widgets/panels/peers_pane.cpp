// SPDX-License-Identifier: GPL-3.0-or-later
// The selected collective on all ranks, side by side.
#include "widgets/panels/peers_pane.h"

#include <algorithm>

#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/panels/peers_model.h"
#include "widgets/panels/whole_table.h"
#include "widgets/time_text.h"

namespace rankscope {

PeersPane::PeersPane(QWidget* parent)
    : QWidget(parent), model_(new PeersModel(this)), sorted_(new QSortFilterProxyModel(this)), headline_(new QLabel),
      table_(new QTableView) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(Qt::UserRole);
    table_->setModel(sorted_);
    table_->setAccessibleName(tr("The same collective on all ranks"));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setSortingEnabled(true);
    table_->sortByColumn(PeersModel::rankColumn, Qt::AscendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    table_->verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 5);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::PlainText);
    QFont bold = headline_->font();
    bold.setBold(true);
    headline_->setFont(bold);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addWidget(headline_);
    column->addWidget(table_);
    column->addStretch(1);
    const auto activate = [this](const QModelIndex& index) {
        const CollectivePeer& peer = model_->peers()[static_cast<std::size_t>(sorted_->mapToSource(index).row())];
        Q_EMIT peerChosen({peer.rank, peer.event});
    };
    connect(table_, &QTableView::clicked, this, activate);
    connect(table_, &QTableView::activated, this, activate);
}

QString PeersPane::headline() const { return headline_->text(); }

void PeersPane::setMessage(const QString& message) {
    model_->setPeers({});
    headline_->setText(message);
    table_->hide();
}

void PeersPane::setPeers(const CollectivePeers& peers, int ownRank) {
    model_->setPeers(peers.peers);
    table_->setFixedHeight(wholeHeight(*table_));
    table_->show();
    const auto last = std::ranges::find_if(peers.peers, &CollectivePeer::last);
    const QString who = last->lag == 0
                            ? tr("All arrive together")
                            : tr("Rank %1 is last, %2 after the first").arg(last->rank).arg(durationText(last->lag));
    headline_->setText(peers.complete ? who : tr("%1 (not all members are in the trace)").arg(who));
    const auto own = std::ranges::find(peers.peers, ownRank, &CollectivePeer::rank);
    if (own != peers.peers.end())
        table_->selectRow(sorted_->mapFromSource(model_->index(static_cast<int>(own - peers.peers.begin()), 0)).row());
}

void PeersPane::choose(int rank) {
    const auto peer = std::ranges::find(model_->peers(), rank, &CollectivePeer::rank);
    if (peer != model_->peers().end())
        Q_EMIT table_->clicked(
            sorted_->mapFromSource(model_->index(static_cast<int>(peer - model_->peers().begin()), 0)));
}

} // namespace rankscope
