// SPDX-License-Identifier: GPL-3.0-or-later
// What differs in the configuration of two runs, key by key: changed first, then what one side lacks, then what is
// equal.
#pragma once
#include <vector>

#include <QAbstractTableModel>

#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"

namespace rankscope {

class ConfigChangeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { keyColumn, baselineColumn, testColumn, influenceColumn, statusColumn, columnEnd };
    enum Role { equalRole = Qt::UserRole }; ///< bool: the same on both sides

    using QAbstractTableModel::QAbstractTableModel;
    /// changes: the metrics of both; those that moved stand beside the keys that may have to do with it.
    void setConfigs(std::vector<ConfigEntry> entries, const std::vector<MetricChange>& changes = {});
    [[nodiscard]] int differences() const { return differences_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<ConfigEntry> entries_;
    struct Moved {
        MetricPointer metric;
        std::optional<double> percent;
    };
    static QString text(const Moved& moved); ///< "Iteration time +26.5 %"

    std::vector<std::vector<Moved>> moved_; ///< of each entry
    int differences_ = 0;
};

} // namespace rankscope
