// SPDX-License-Identifier: GPL-3.0-or-later
// The members of one collective call, rank by rank, as a table model.
#pragma once
#include <optional>

#include <QAbstractTableModel>

#include "core/views/collective_peers.h"

namespace rankscope {

class PeersModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { rankColumn, lagColumn, startColumn, durationColumn, columnTotal };
    using QAbstractTableModel::QAbstractTableModel;

    void setPeers(std::vector<CollectivePeer> peers);
    [[nodiscard]] const std::vector<CollectivePeer>& peers() const { return peers_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// DisplayRole: as read; UserRole: the number to sort by.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<CollectivePeer> peers_;
};

} // namespace rankscope
