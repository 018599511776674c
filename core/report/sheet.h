// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a workbook as values: what a sheet says is decided, and tested, apart from how a spreadsheet file is made
// of it.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace rankscope {

/// Nothing, a number, or text. A number that is not finite is written as nothing.
using Cell = std::variant<std::monostate, double, std::string>;

inline Cell number_cell(std::int64_t value) { return static_cast<double>(value); }

enum class NumberStyle { plain, whole, two_decimals, three_decimals };

struct SheetColumn {
    std::string title;
    NumberStyle style = NumberStyle::plain;
    bool colour_scale = false; ///< red at the least, white at 0, green at the most: + must be better
    std::string comment = {};  ///< shown at the header's cell
};

/// A table with a header row. Every row has as many cells as there are columns.
struct Sheet {
    std::string name; ///< at most 31 characters, none of []:*?/\, unique without regard to case
    std::vector<SheetColumn> columns;
    std::vector<std::vector<Cell>> rows;
    bool hidden = false;
    std::string remark; ///< below the table
};

} // namespace rankscope
