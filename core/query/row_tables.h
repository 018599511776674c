// SPDX-License-Identifier: GPL-3.0-or-later
// Tables whose rows are not events: runs, ranks, lanes, collectives, steps, metrics, findings, settings, notices.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "core/query/query_model.h"
#include "core/query/query_table.h"

namespace rankscope {

/// The rows of one table of one model.
class TableRows {
public:
    virtual ~TableRows() = default;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// row < size(). Texts may point into the rows.
    [[nodiscard]] virtual QueryValue value(std::size_t row, std::size_t column) const = 0;
};

struct RowTable {
    QueryTable table;
    std::size_t key_columns = 0; ///< the first columns, integers, by which rows ascend
    std::function<std::unique_ptr<const TableRows>(const QueryModel&)> rows;
};
const std::vector<RowTable>& row_tables();

} // namespace rankscope
