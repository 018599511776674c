// SPDX-License-Identifier: GPL-3.0-or-later
// What tables of rows are made of: columns as functions of a row, and the values in them.
#pragma once
#include <cmath>
#include <concepts>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/query/row_tables.h"

namespace rankscope::query_rows {

using enum ColumnType;

template <typename Row>
struct RowColumn {
    QueryColumn column;
    std::function<QueryValue(const QueryModel&, const Row&)> value;
};

template <typename Row>
class RowsOf : public TableRows {
public:
    RowsOf(const QueryModel& model, std::vector<Row> rows, const std::vector<RowColumn<Row>>& columns)
        : model_(model), rows_(std::move(rows)), columns_(columns) {}
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }
    [[nodiscard]] QueryValue value(std::size_t row, std::size_t column) const override {
        return columns_[column].value(model_, rows_[row]);
    }

private:
    const QueryModel& model_;
    std::vector<Row> rows_;
    std::vector<RowColumn<Row>> columns_;
};

template <typename Row>
RowTable row_table_of(std::string_view name, std::string_view help, std::size_t key_columns,
                      std::vector<RowColumn<Row>> columns, std::vector<Row> (*rows)(const QueryModel&)) {
    RowTable table;
    table.table.name = name;
    table.table.help = help;
    for (const RowColumn<Row>& column : columns)
        table.table.columns.push_back(column.column);
    table.key_columns = key_columns;
    table.rows = [columns = std::move(columns), rows](const QueryModel& model) {
        return std::make_unique<const RowsOf<Row>>(model, rows(model), columns);
    };
    return table;
}

/// The name that a column had before, for queries that use it.
template <typename Row>
RowColumn<Row> old_name(std::string_view name, RowColumn<Row> column) {
    column.column.name = name;
    column.column.old = true;
    return column;
}

/// rank: index in QueryModel::ranks().
inline const RankTrace& trace_of(const QueryModel& model, std::size_t rank) { return *model.ranks()[rank].trace; }
inline const RunAnalysis& analysis_of(const QueryModel& model, std::size_t rank) {
    return *model.runs()[model.ranks()[rank].run].analysis;
}

inline QueryValue known(std::int64_t value) { return value == kUnknown ? QueryValue() : QueryValue(value); }
inline QueryValue finite(double value) { return std::isfinite(value) ? QueryValue(value) : QueryValue(); }
QueryValue whole(std::integral auto value) { return static_cast<std::int64_t>(value); }
inline QueryValue filled(std::string_view text) { return text.empty() ? QueryValue() : QueryValue(text); }

inline const QueryColumn kRun{"run", integer, "", "number of the run, in the order given, from 0"};
inline const QueryColumn kRank{"rank", integer, "", "rank"};

} // namespace rankscope::query_rows
