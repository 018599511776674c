// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of key and value as a table model.
#include "widgets/panels/details_model.h"
#include "widgets/tool_tip_text.h"

#include <utility>

#include <QFont>

namespace rankscope {

void DetailsModel::setRows(std::vector<DetailRow> rows) {
    beginResetModel();
    all_ = std::move(rows);
    rows_ = filtered(all_);
    endResetModel();
}

void DetailsModel::append(std::vector<DetailRow> rows) {
    all_.insert(all_.end(), rows.begin(), rows.end());
    const std::vector<DetailRow> shown = filtered(rows);
    if (shown.empty())
        return;
    const auto first = static_cast<int>(rows_.size());
    beginInsertRows({}, first, first + static_cast<int>(shown.size()) - 1);
    rows_.insert(rows_.end(), shown.begin(), shown.end());
    endInsertRows();
}

void DetailsModel::setFilter(const QString& text) {
    if (text == filter_)
        return;
    beginResetModel();
    filter_ = text;
    rows_ = filtered(all_);
    endResetModel();
}

std::vector<DetailRow> DetailsModel::filtered(const std::vector<DetailRow>& rows) const {
    if (filter_.isEmpty())
        return rows;
    std::vector<DetailRow> kept;
    const DetailRow* heading = nullptr;
    for (const DetailRow& row : rows) {
        if (row.heading) {
            heading = &row;
            continue;
        }
        if (!row.key.contains(filter_, Qt::CaseInsensitive) && !row.value.contains(filter_, Qt::CaseInsensitive))
            continue;
        if (heading != nullptr)
            kept.push_back(*std::exchange(heading, nullptr));
        kept.push_back(row);
    }
    return kept;
}

int DetailsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DetailsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant DetailsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const DetailRow& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return index.column() == 0 ? row.key : row.value;
    if (role == Qt::ToolTipRole && !row.value.isEmpty())
        return toolTipText(row.value);
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
