// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of several runs beside each other: the baseline, then every test with its change and what that means.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QAbstractTableModel>
#include <QMetaType>

#include "core/compare/analysed_run.h"
#include "core/compare/metric_comparison.h"
#include "widgets/number_text.h"

namespace rankscope {

/// A metric by rank: for each rank of any run one value per run, baseline first; NaN where it is missing.
struct RankBarValues {
    std::vector<int> ranks;
    std::vector<std::vector<double>> values; ///< [rank][run]
};

/// Columns: metric, unit, values by rank, baseline; then value, change, cost and status of every test.
class MetricChangeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { nameColumn, unitColumn, ranksColumn, baselineColumn, firstTestColumn };
    enum TestColumn { valueColumn, changeColumn, costColumn, statusColumn, testColumnEnd };
    enum Role {
        sortRole = Qt::UserRole, ///< double; changes by their size, statuses worse first; without a cost last
        statusRole,              ///< int: ChangeStatus of the first test; invalid without one
        metricRole,              ///< QString: the metric's id
        ranksRole,               ///< RankBarValues of ranksColumn; invalid where ranks have no values of their own
        unchangedRole            ///< bool: every run has the same value; never of the iteration time
    };

    using QAbstractTableModel::QAbstractTableModel;
    /// Where a test's column stands; tests count from 0.
    static int columnOf(int test, TestColumn column) {
        return int{firstTestColumn} + test * int{testColumnEnd} + int{column};
    }
    /// The first is the baseline. Metrics that no run has are left out. Rows: by what the
    /// change costs, where that is known and not next to nothing; then what moved by per cent; then what did not.
    void setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);

    [[nodiscard]] int unchanged() const; ///< rows with the unchangedRole

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    struct Row {
        MetricPointer metric;
        Message title;                                    ///< what the values are of
        std::vector<MetricResult> results;                ///< one per run
        std::vector<std::optional<JudgedValue>> values;   ///< likewise: of what is compared
        std::vector<std::optional<MetricChange>> changes; ///< one per test
        std::vector<std::optional<double>> costs;         ///< ms of an iteration, likewise
        RankBarValues byRank;
        FittedUnit unit; ///< one for all runs
        [[nodiscard]] bool unchanged() const;
        [[nodiscard]] bool moved() const; ///< in one of the tests, or not known of all runs
        [[nodiscard]] double largestCost() const;
        [[nodiscard]] double largestPercent() const;
    };
    [[nodiscard]] QVariant testText(const Row& row, std::size_t test, TestColumn column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;
    [[nodiscard]] QString ranksTip(const Row& row) const;
    [[nodiscard]] QString toolTip(const Row& row, int column) const;

    QStringList labels_;
    std::vector<Row> rows_;
};

} // namespace rankscope

Q_DECLARE_METATYPE(rankscope::RankBarValues)
