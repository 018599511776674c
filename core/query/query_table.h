// SPDX-License-Identifier: GPL-3.0-or-later
// What a query can read: tables, their columns with units, and the values in them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rankscope {

enum class ColumnType : std::uint8_t { integer, real, text };
std::string_view column_type_word(ColumnType type); ///< "INTEGER", "REAL", "TEXT"

struct QueryColumn {
    std::string_view name;
    ColumnType type = ColumnType::integer;
    std::string_view unit; ///< "ns", "bytes", "GB/s"; empty: a number of things, or none
    std::string_view help; ///< one phrase
    /// Another name that the column had before: queries may use it, but `select *` and lists of columns leave it out.
    bool old = false;
};

struct QueryTable {
    std::string_view name;
    std::string_view help; ///< what a row is
    std::vector<QueryColumn> columns;
};

struct QueryFunction {
    std::string_view form; ///< "percentile(x, percent)"
    std::string_view help;
};

/// NULL, or a value. A string_view points into the run and lives as long as it does.
using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string_view, std::string>;

} // namespace rankscope
