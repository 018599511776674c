// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/query_table_model.h"

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {
namespace {

/// -1, 0, 1 as SQLite orders values.
int compared(const QueryValue& a, const QueryValue& b) {
    const auto kind = [](const QueryValue& value) {
        return std::holds_alternative<std::monostate>(value) ? 0 : std::holds_alternative<std::string>(value) ? 2 : 1;
    };
    if (kind(a) != kind(b))
        return kind(a) < kind(b) ? -1 : 1;
    const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
    if (kind(a) == 2)
        return sign(std::get<std::string>(a), std::get<std::string>(b));
    const auto* left = std::get_if<std::int64_t>(&a);
    const auto* right = std::get_if<std::int64_t>(&b);
    if (left != nullptr && right != nullptr)
        return sign(*left, *right);
    const auto real = [](const QueryValue& value) {
        const auto* whole = std::get_if<std::int64_t>(&value);
        const auto* number = std::get_if<double>(&value);
        return whole != nullptr ? static_cast<double>(*whole) : number != nullptr ? *number : 0.0;
    };
    return sign(real(a), real(b));
}

} // namespace

void QueryTableModel::setResult(std::shared_ptr<const QueryResult> result) {
    beginResetModel();
    result_ = std::move(result);
    order_.resize(result_ ? result_->rows.size() : 0);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    endResetModel();
}

std::optional<int> QueryTableModel::column(std::string_view name) const {
    if (!result_)
        return {};
    const auto found = std::ranges::find(result_->columns, name);
    return found == result_->columns.end() ? std::nullopt
                                           : std::optional(static_cast<int>(found - result_->columns.begin()));
}

const QueryValue& QueryTableModel::value(int row, int column) const {
    return result_->rows[order_[static_cast<std::size_t>(row)]][static_cast<std::size_t>(column)];
}

std::optional<double> QueryTableModel::number(int row, int column) const {
    const QueryValue& cell = value(row, column);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&cell))
        return *real;
    return {};
}

std::optional<std::int64_t> QueryTableModel::integer(int row, int column) const {
    const auto* whole = std::get_if<std::int64_t>(&value(row, column));
    return whole == nullptr ? std::nullopt : std::optional(*whole);
}

bool QueryTableModel::isNumeric(int column) const {
    bool any = false;
    for (int row = 0; row < rowCount(); ++row) {
        if (std::holds_alternative<std::string>(value(row, column)))
            return false;
        any = any || number(row, column).has_value();
    }
    return any;
}

int QueryTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int QueryTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !result_ ? 0 : static_cast<int>(result_->columns.size());
}

QVariant QueryTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const QueryValue& cell = value(index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant(std::holds_alternative<std::string>(cell) ? Qt::AlignLeft | Qt::AlignVCenter
                                                                  : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return QString::number(*whole);
    if (const auto* real = std::get_if<double>(&cell))
        return QString::fromStdString(number_text(*real));
    if (const auto* text = std::get_if<std::string>(&cell)) {
        const QString shown = QString::fromStdString(table_safe(*text));
        return role == Qt::ToolTipRole ? toolTipText(shown) : shown;
    }
    return {};
}

QVariant QueryTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section >= columnCount())
        return {};
    return QString::fromStdString(table_safe(result_->columns[static_cast<std::size_t>(section)]));
}

void QueryTableModel::sort(int column, Qt::SortOrder order) {
    if (column >= columnCount())
        return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> kept;
    for (const QModelIndex& index : before)
        kept.push_back(order_[static_cast<std::size_t>(index.row())]);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (column >= 0)
        std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
            const auto at = static_cast<std::size_t>(column);
            const int sign = compared(result_->rows[a][at], result_->rows[b][at]);
            return order == Qt::AscendingOrder ? sign < 0 : sign > 0;
        });
    std::vector<int> place(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
        place[order_[i]] = static_cast<int>(i);
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(place[kept[static_cast<std::size_t>(i)]], before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace rankscope
