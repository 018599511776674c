// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of several ranges beside each other, and what they differ by.
#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include <QAbstractTableModel>

#include "core/analysis/search/range_statistics.h"
#include "widgets/number_text.h"

namespace rankscope {

struct ComparedRange {
    std::shared_ptr<const RangeStatistics> statistics;
    TimeNs idle = 0; ///< without any GPU work, summed over the ranks that have some in the run
};
/// nullptr as statistics: cancelled.
ComparedRange comparedRange(const RunClasses& classes, TimeRange range, const std::stop_token& cancel);

/// A row per class, kernel, rank or operator; with classes also the duration and idle time. Columns: name, the time in
/// each range, and what each but the first differs from the first.
class RangeComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int nameColumn = 0;

    using QAbstractTableModel::QAbstractTableModel;
    void setRanges(std::shared_ptr<const Run> run, std::vector<ComparedRange> ranges);
    void setGrouping(RangeGrouping grouping);
    /// The longest event of the row in the column's range, else in any; kNoEvent: none.
    [[nodiscard]] EventPlace longest(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString name;  ///< whole
        QString shown; ///< short
        std::vector<TimeNs> times;
        std::vector<EventPlace> longest;
    };
    void build();
    [[nodiscard]] TimeNs value(const Row& row, int column) const;
    [[nodiscard]] bool isDifference(int column) const { return column > static_cast<int>(ranges_.size()); }

    std::shared_ptr<const Run> run_;
    std::vector<ComparedRange> ranges_;
    RangeGrouping grouping_ = RangeGrouping::kernel;
    std::vector<Row> rows_;
    TimeUnit unit_ = TimeUnit::milliseconds;
};

} // namespace rankscope
