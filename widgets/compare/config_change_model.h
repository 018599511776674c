// SPDX-License-Identifier: GPL-3.0-or-later
// What differs in the configuration of two runs, key by key: changed first, then what one side lacks, then what is
// equal; of each the hardware first, then the size of the job, then the program. The many keys of a GPU are one row.
#pragma once
#include <vector>

#include <QAbstractItemModel>

#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"

namespace rankscope {

/// Rows are keys. The row of the GPU, where there is one, has the keys of the GPU below it.
class ConfigChangeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { keyColumn, baselineColumn, testColumn, influenceColumn, statusColumn, columnEnd };
    enum Role { equalRole = Qt::UserRole }; ///< bool: the same on both sides

    using QAbstractItemModel::QAbstractItemModel;
    /// changes: the metrics of both; those that moved stand beside the keys that may have to do with it.
    void setConfigs(const std::vector<ConfigEntry>& entries, const std::vector<MetricChange>& changes = {});
    [[nodiscard]] int differences() const { return differences_; } ///< the GPU counts once

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    struct Row {
        ConfigEntry entry; ///< of the GPU: what it is in short
        std::vector<const MetricChange*> moved;
        std::vector<Row> parts = {}; ///< of the GPU: its keys
        [[nodiscard]] bool equal() const;
        [[nodiscard]] int place() const; ///< changed, then only in one, then equal
    };
    [[nodiscard]] const Row& rowAt(const QModelIndex& index) const;
    [[nodiscard]] static QString influence(const Row& row, const QString& separator);
    [[nodiscard]] static QString status(const Row& row);

    std::vector<MetricChange> changes_;
    std::vector<Row> rows_;
    int differences_ = 0;
};

} // namespace rankscope
