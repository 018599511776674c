// SPDX-License-Identifier: GPL-3.0-or-later
// One table of the statistics of a range.
#include "widgets/panels/range_table_model.h"

#include <algorithm>
#include <cmath>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/table_text.h"
#include "widgets/timeline/slice_class.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void RangeTableModel::setStatistics(std::shared_ptr<const Run> run, std::shared_ptr<const RangeStatistics> statistics) {
    beginResetModel();
    run_ = std::move(run);
    statistics_ = std::move(statistics);
    chooseUnit();
    endResetModel();
}

void RangeTableModel::setGrouping(RangeGrouping grouping) {
    if (grouping == grouping_)
        return;
    beginResetModel();
    grouping_ = grouping;
    chooseUnit();
    endResetModel();
}

void RangeTableModel::chooseUnit() {
    // One unit for the column; the table is sorted, so its first row has the largest total.
    const std::vector<RangeRow>* all = rows();
    unit_ = timeUnitFor(all == nullptr || all->empty() ? 0 : all->front().total);
    std::vector<TimeNs> means;
    if (all != nullptr)
        for (const RangeRow& row : *all)
            means.push_back(std::llround(row.mean()));
    eachUnit_ = timeUnitForEach(std::move(means));
}

const std::vector<RangeRow>* RangeTableModel::rows() const {
    return statistics_ ? &statistics_->table(grouping_) : nullptr;
}

const RangeRow* RangeTableModel::row(int number) const {
    const std::vector<RangeRow>* all = rows();
    return all != nullptr && number >= 0 && static_cast<std::size_t>(number) < all->size()
               ? &(*all)[static_cast<std::size_t>(number)]
               : nullptr;
}

int RangeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || rows() == nullptr ? 0 : static_cast<int>(rows()->size());
}
int RangeTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnEnd; }

QString RangeTableModel::nameOf(const Run& run, RangeGrouping grouping, const RangeRow& row) {
    switch (grouping) {
    case RangeGrouping::kernel_class: return sliceClassLabel(sliceClassOf(row.kernel_class));
    case RangeGrouping::rank: return tr("rank %1").arg(run.ranks[row.rank]->rank);
    case RangeGrouping::kernel:
    case RangeGrouping::op: break;
    }
    if (row.name.empty())
        return tr("(no operator known)");
    return QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size()));
}

QString RangeTableModel::titleOf(RangeGrouping grouping) {
    switch (grouping) {
    case RangeGrouping::kernel_class: return tr("Class");
    case RangeGrouping::kernel: return tr("Kernel");
    case RangeGrouping::rank: return tr("Rank");
    case RangeGrouping::op: return tr("Operator");
    }
    return {};
}

double RangeTableModel::percent(const RangeRow& row) const {
    return statistics_->total == 0 ? 0
                                   : 100.0 * static_cast<double>(row.total) / static_cast<double>(statistics_->total);
}

QString RangeTableModel::text(const RangeRow& row, int column, bool whole) const {
    const auto small = [&](double ns) {
        return whole ? decimal(QString::number(ns * inUnit(1, eachUnit_), 'f', 3))
                     : timeNumber(std::llround(ns), eachUnit_);
    };
    switch (column) {
    case nameColumn:
        return !whole && grouping_ == RangeGrouping::kernel && !row.name.empty() ? shortNameText(row.name)
                                                                                 : nameOf(row);
    case countColumn: return QString::number(row.count);
    case totalColumn: return whole ? wholeTimeNumber(row.total, unit_) : timeNumber(row.total, unit_);
    case shareColumn: return fourDigits(percent(row), whole ? 2 : 1);
    case meanColumn: return small(row.mean());
    case minColumn: return small(static_cast<double>(row.min));
    case maxColumn: return small(static_cast<double>(row.max));
    default: return {};
    }
}

QVariant RangeTableModel::sortKey(const RangeRow& row, int column) const {
    switch (column) {
    case nameColumn:
        return grouping_ == RangeGrouping::rank ? QVariant(run_->ranks[row.rank]->rank) : QVariant(nameOf(row));
    case countColumn: return static_cast<qlonglong>(row.count);
    case totalColumn:
    case shareColumn: return static_cast<qlonglong>(row.total);
    case meanColumn: return row.mean();
    case minColumn: return static_cast<qlonglong>(row.min);
    case maxColumn: return static_cast<qlonglong>(row.max);
    default: return {};
    }
}

QVariant RangeTableModel::data(const QModelIndex& index, int role) const {
    const RangeRow* found = checkIndex(index, CheckIndexOption::IndexIsValid) ? row(index.row()) : nullptr;
    if (found == nullptr)
        return {};
    const bool isName = index.column() == nameColumn;
    switch (role) {
    case Qt::DisplayRole: return text(*found, index.column(), false);
    case kWholeTextRole: return text(*found, index.column(), true);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(isName ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    // Names come from the trace: never read them as HTML.
    case Qt::ToolTipRole: return isName ? QVariant(toolTipText(nameOf(*found))) : text(*found, index.column(), true);
    case kSortRole: return sortKey(*found, index.column());
    default: return {};
    }
}

QVariant RangeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section == nameColumn ? Qt::AlignLeft | Qt::AlignVCenter
                                                         : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == shareColumn)
        return tr("Of the summed time of all GPU events in the range");
    if (role != Qt::DisplayRole)
        return {};
    const QString single = u" ("_s % timeUnitLabel(eachUnit_) % u')';
    switch (section) {
    case nameColumn: return titleOf(grouping_);
    case countColumn: return tr("Count");
    case totalColumn: return QString(tr("Total") % u" ("_s % timeUnitLabel(unit_) % u')');
    case shareColumn: return tr("Share (%)");
    case meanColumn: return QString(tr("Mean") % single);
    case minColumn: return QString(tr("Min") % single);
    case maxColumn: return QString(tr("Max") % single);
    default: return {};
    }
}

} // namespace rankscope
