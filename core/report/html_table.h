// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of report.html.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// Cells are escaped here, and nowhere before. Columns whose title starts with '#' hold numbers: aligned right, without
/// the '#'.
class HtmlTable {
public:
    explicit HtmlTable(std::vector<std::string> titles);
    HtmlTable& cell(std::string_view text);
    HtmlTable& cell(std::string_view text, std::string_view css);     ///< in a badge of that class
    HtmlTable& link(std::string_view text, std::string_view address); ///< a relative address, escaped here
    void end_row();
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    /// more: rows that were left out; said below the table.
    [[nodiscard]] std::string html(std::size_t more = 0) const;

private:
    std::vector<std::string> titles_;
    std::string row_;
    std::string rows_;
    std::size_t column_ = 0;
};

} // namespace rankscope
