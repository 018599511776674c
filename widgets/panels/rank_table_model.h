// SPDX-License-Identifier: GPL-3.0-or-later
// One row per rank: the numbers behind the bars. And a selection of any table as tab-separated text.
#pragma once
#include <memory>
#include <optional>

#include <QAbstractTableModel>

#include "widgets/charts/rank_parts.h"
#include "widgets/number_text.h"

#include "core/run/run_analysis.h"

class QItemSelectionModel;

namespace rankscope {

class RankTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        rankColumn,
        deviceColumn,
        iterationColumn,
        totalColumn,
        firstPartColumn,
        kernelsColumn = firstPartColumn + static_cast<int>(kRankPartCount),
        communicationKernelsColumn,
        columnEnd
    };
    static constexpr int kSortRole = Qt::UserRole;     ///< the number itself
    static constexpr int kRankRole = Qt::UserRole + 1; ///< int: the row's rank

    using QAbstractTableModel::QAbstractTableModel;
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    void setPercent(bool percent);
    [[nodiscard]] int rowOfRank(int rank) const; ///< -1: none
    [[nodiscard]] TimeUnit unit() const { return unit_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    struct Row {
        RankShare share;
        QString device;
        std::optional<TimeNs> iteration; ///< mean of its profiler steps
        qint64 kernels = 0;
        qint64 communicationKernels = 0;
    };
    [[nodiscard]] QString text(const Row& row, int column, bool whole) const; ///< whole: for files
    [[nodiscard]] QVariant sortKey(const Row& row, int column) const;

    std::vector<Row> rows_;
    TimeUnit unit_ = TimeUnit::milliseconds;
    bool percent_ = false;
};

/// Header and selected rows of the selection's model, as displayed; cells by tabs, rows by line feeds.
QString selectionAsTsv(const QItemSelectionModel& selection);

} // namespace rankscope
