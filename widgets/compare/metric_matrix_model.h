// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of several runs beside each other, each against the first.
#pragma once
#include <QAbstractTableModel>

#include "core/compare/metric_comparison.h"
#include "core/report/analysed_run.h"

namespace rankscope {

/// Columns: metric, unit, the first run's value; then value, change in percent and status of each other run.
class MetricMatrixModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { metricColumn, unitColumn, firstValueColumn, columnsBeforeTests };
    enum TestColumn { valueOfTest, changeOfTest, statusOfTest, columnsOfTest };
    static constexpr int kSortRole = Qt::UserRole;       ///< the number itself; for changes its size
    static constexpr int kStatusRole = Qt::UserRole + 1; ///< QStringList: status words of all tests of the row

    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(const std::vector<AnalysedRun>& runs);
    [[nodiscard]] const Metric* metricOf(int row) const { return rows_[static_cast<std::size_t>(row)].metric; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Place {
        std::size_t run = 0;
        int column = valueOfTest;
    };
    [[nodiscard]] static Place placeOf(int column);
    [[nodiscard]] QVariant cell(const MetricRow& row, Place place, bool forSorting) const;

    std::vector<MetricRow> rows_;
    QStringList labels_;
};

} // namespace rankscope
