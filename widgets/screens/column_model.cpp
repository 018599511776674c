// SPDX-License-Identifier: GPL-3.0-or-later
// A table whose columns are functions of the row.
#include "widgets/screens/column_model.h"

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/table_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

void ColumnModel::setContents(std::vector<TableColumn> columns, int rows) {
    beginResetModel();
    columns_ = std::move(columns);
    if (inSourceLanguage() || !speaksTranslation()) {
        titlesInFiles_.clear();
        for (const TableColumn& column : columns_)
            titlesInFiles_ << column.title;
    }
    if (titlesInFiles_.size() != std::ssize(columns_))
        titlesInFiles_.clear();
    rows_ = rows;
    differences_.clear();
    endResetModel();
}

int ColumnModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int ColumnModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant ColumnModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const TableColumn& column = columns_[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return column.text(index.row());
    case Qt::ToolTipRole:
        return column.number && !column.whole ? QVariant()
                                              : toolTipText((column.whole ? column.whole : column.text)(index.row()));
    case kDifferenceRole:
        if (differences_.empty()) {
            QStringList texts;
            for (int row = 0; row < rows_; ++row)
                texts << columns_.front().text(row);
            differences_ = placesOfDifference(texts);
        }
        return differences_[static_cast<std::size_t>(index.row())];
    case kWholeTextRole: return column.whole ? QVariant(column.whole(index.row())) : QVariant();
    case kFilterRole:
        return column.whole ? QString(column.text(index.row()) + u'\n' + column.whole(index.row()))
                            : column.text(index.row());
    case Qt::TextAlignmentRole:
        return QVariant((column.number && !column.words ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kSortRole: return column.number ? QVariant(column.number(index.row())) : column.text(index.row());
    default: return {};
    }
}

QVariant ColumnModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn& column = columns_[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case Qt::ToolTipRole: return column.tip;
    case kWholeTextRole: return titlesInFiles_.isEmpty() ? QVariant() : titlesInFiles_[section];
    case Qt::TextAlignmentRole:
        return QVariant((column.number && !column.words ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

ColumnOrder::ColumnOrder(ColumnModel* model) : QSortFilterProxyModel(model) {
    setSourceModel(model);
    setSortRole(ColumnModel::kSortRole);
    setFilterKeyColumn(0);
    setFilterRole(ColumnModel::kFilterRole);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
}

bool ColumnOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool less = QSortFilterProxyModel::lessThan(left, right);
    if (less || QSortFilterProxyModel::lessThan(right, left))
        return less;
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

} // namespace rankscope
