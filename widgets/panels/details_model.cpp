// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of key and value as a table model.
#include "widgets/panels/details_model.h"

#include <QFont>

namespace rankscope {

void DetailsModel::setRows(std::vector<DetailRow> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

void DetailsModel::append(std::vector<DetailRow> rows) {
    if (rows.empty())
        return;
    const auto first = static_cast<int>(rows_.size());
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    rows_.insert(rows_.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    endInsertRows();
}

int DetailsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }

int DetailsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant DetailsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const DetailRow& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return index.column() == 0 ? row.key : row.value;
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | (row.heading ? Qt::AlignBottom : Qt::AlignTop));
    if (role == Qt::FontRole && row.heading) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant DetailsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Key") : tr("Value");
}

} // namespace rankscope
