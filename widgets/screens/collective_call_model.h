// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls as a table; cells are made when they are looked at.
#pragma once
#include <memory>

#include <QAbstractTableModel>

#include "core/views/collective_calls.h"
#include "widgets/number_text.h"

namespace rankscope {

/// Columns are CallColumn. Sorting by a header asks for another order, since filtering and sorting are done in the
/// background.
class CollectiveCallModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// order: the calls shown, row by row.
    void setCalls(std::shared_ptr<const CollectiveCalls> calls,
                  std::shared_ptr<const std::vector<std::uint32_t>> order);
    [[nodiscard]] std::uint32_t call(int row) const { return (*order_)[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(std::uint32_t call) const; ///< -1: not shown

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override {
        Q_EMIT orderWanted(static_cast<CallColumn>(column), order == Qt::DescendingOrder);
    }

Q_SIGNALS:
    void orderWanted(rankscope::CallColumn column, bool descending);

private:
    [[nodiscard]] QString text(std::uint32_t call, CallColumn column, bool whole = false) const; ///< whole: for files
    [[nodiscard]] QString kernelDurations(std::uint32_t call) const;

    std::shared_ptr<const CollectiveCalls> calls_;
    std::shared_ptr<const std::vector<std::uint32_t>> order_;
    TimeUnit startUnit_ = TimeUnit::milliseconds;
    TimeUnit unit_ = TimeUnit::microseconds; ///< of durations
    TimeUnit lagUnit_ = TimeUnit::microseconds;
};

} // namespace rankscope
