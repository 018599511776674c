// SPDX-License-Identifier: GPL-3.0-or-later
// The members of one collective call, rank by rank.
#include "widgets/panels/peers_model.h"

#include <QFont>

#include "widgets/time_text.h"

namespace rankscope {

void PeersModel::setPeers(std::vector<CollectivePeer> peers) {
    beginResetModel();
    peers_ = std::move(peers);
    endResetModel();
}

int PeersModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(peers_.size());
}

int PeersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant PeersModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const CollectivePeer& peer = peers_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const bool late = peer.last && peer.lag > 0;
    if (role == Qt::FontRole && late) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role != Qt::DisplayRole && role != Qt::UserRole)
        return {};
    const bool shown = role == Qt::DisplayRole;
    switch (index.column()) {
    case rankColumn:
        return shown ? QVariant(late ? tr("%1 (last)").arg(peer.rank) : QString::number(peer.rank))
                     : QVariant(peer.rank);
    case startColumn: return shown ? QVariant(timePointText(peer.start)) : QVariant(static_cast<qlonglong>(peer.start));
    case durationColumn:
        return shown ? QVariant(durationText(peer.duration)) : QVariant(static_cast<qlonglong>(peer.duration));
    default:
        return shown ? QVariant(peer.lag == 0 ? tr("first") : QString(u'+' + durationText(peer.lag)))
                     : QVariant(static_cast<qlonglong>(peer.lag));
    }
}

QVariant PeersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case rankColumn: return tr("Rank");
    case startColumn: return tr("Start");
    case durationColumn: return tr("Duration");
    default: return tr("Lag");
    }
}

} // namespace rankscope
