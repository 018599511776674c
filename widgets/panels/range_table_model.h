// SPDX-License-Identifier: GPL-3.0-or-later
// One table of the statistics of a range: a row per class, kernel, rank or operator.
#pragma once
#include <memory>

#include <QAbstractTableModel>

#include "core/analysis/search/range_statistics.h"
#include "widgets/number_text.h"

namespace rankscope {

class RangeTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { nameColumn, countColumn, totalColumn, shareColumn, meanColumn, minColumn, maxColumn, columnEnd };
    static constexpr int kSortRole = Qt::UserRole; ///< the number itself

    using QAbstractTableModel::QAbstractTableModel;
    /// statistics: nullptr shows nothing. run: that of the statistics, whose names the rows refer to.
    void setStatistics(std::shared_ptr<const Run> run, std::shared_ptr<const RangeStatistics> statistics);
    void setGrouping(RangeGrouping grouping);
    [[nodiscard]] RangeGrouping grouping() const { return grouping_; }
    [[nodiscard]] const RangeRow* row(int number) const; ///< nullptr: none
    [[nodiscard]] static QString nameOf(const Run& run, RangeGrouping grouping, const RangeRow& row);
    [[nodiscard]] static QString titleOf(RangeGrouping grouping); ///< of the column of names

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] const std::vector<RangeRow>* rows() const;
    [[nodiscard]] QString nameOf(const RangeRow& row) const { return nameOf(*run_, grouping_, row); }
    [[nodiscard]] QString text(const RangeRow& row, int column, bool whole) const; ///< whole: for files
    [[nodiscard]] QVariant sortKey(const RangeRow& row, int column) const;
    [[nodiscard]] double percent(const RangeRow& row) const;
    void chooseUnit();

    std::shared_ptr<const Run> run_;
    std::shared_ptr<const RangeStatistics> statistics_;
    RangeGrouping grouping_ = RangeGrouping::kernel;
    TimeUnit unit_ = TimeUnit::milliseconds;
    TimeUnit eachUnit_ = TimeUnit::microseconds; ///< of single events, which are shorter than sums
};

} // namespace rankscope
