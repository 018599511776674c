// SPDX-License-Identifier: GPL-3.0-or-later
// Operators and kernels of two runs: how often, how long, and what the change costs.
#pragma once
#include <vector>

#include <QAbstractTableModel>

#include "core/compare/operator_diff.h"

namespace rankscope {

/// Counts and times are means over the traced ranks, as in OperatorChange, and of one step each where steps are known.
class OperatorChangeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        nameColumn,
        deviceColumn,
        baselineCountColumn,
        testCountColumn,
        baselineTimeColumn,
        testTimeColumn,
        costColumn,
        meanColumn,
        statusColumn,
        columnEnd
    };
    enum Role { sortRole = Qt::UserRole, deviceRole, statusRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setChanges(std::vector<OperatorChange> changes, bool perStep = false);
    [[nodiscard]] const OperatorChange& change(int row) const { return changes_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<OperatorChange> changes_;
    bool perStep_ = false;
    std::vector<int> differences_; ///< of the names, as placesOfDifference() finds them
};

} // namespace rankscope
