// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a query's result, in an order of the user's.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QAbstractTableModel>

#include "core/query/query.h"

namespace rankscope {

class QueryTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setResult(std::shared_ptr<const QueryResult> result); ///< nullptr: no result
    [[nodiscard]] const QueryResult* result() const { return result_.get(); }
    /// Index of the column of that name; nothing: there is none.
    [[nodiscard]] std::optional<int> column(std::string_view name) const;
    /// The number in a cell; nothing: NULL or text.
    [[nodiscard]] std::optional<double> number(int row, int column) const;
    [[nodiscard]] std::optional<std::int64_t> integer(int row, int column) const;
    [[nodiscard]] bool isNumeric(int column) const; ///< some number in it, and no text

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// NULL before numbers, numbers before texts; equal rows stay in their order. Column -1: as the query gave them.
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] const QueryValue& value(int row, int column) const;
    std::shared_ptr<const QueryResult> result_;
    std::vector<std::size_t> order_;
};

} // namespace rankscope
