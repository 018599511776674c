// SPDX-License-Identifier: GPL-3.0-or-later
// CSV as cli.md promises it: RFC 4180, UTF-8, header row, "." decimals, text cells that no spreadsheet takes for a
// formula.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/time.h"

namespace rankscope {

/// Of a cell, in UTF-16 as spreadsheets count.
inline constexpr std::size_t kMostOfACell = 32'767;
/// Spreadsheets pass over blanks before a formula, and some take the wide signs of East Asian keyboards for the usual.
bool looks_like_formula(std::string_view text);
/// The text as a cell may hold it: an apostrophe before what looks like a formula, U+FFFD for what can steer a
/// terminal, at most kMostOfACell, ending in "…" when it was cut.
std::string spreadsheet_text(std::string_view raw);

/// Builds one table cell by cell. A text cell that starts with = + - @ (or their wide forms), be it behind blanks, or
/// with a tab or a line end, gets a leading apostrophe, which spreadsheets take for "this is text"; what can steer a
/// terminal is replaced, and what no spreadsheet takes into a cell is cut. Numbers are never touched.
class CsvTable {
public:
    explicit CsvTable(std::initializer_list<std::string_view> header);
    explicit CsvTable(std::span<const std::string> header); ///< names from outside, made safe like text cells

    CsvTable& text(std::string_view cell);
    CsvTable& integer(std::int64_t value);
    CsvTable& number(double value);               ///< empty when not finite
    CsvTable& decimals(double value, int digits); ///< so many behind the point; empty when not finite
    CsvTable& microseconds(TimeNs ns);            ///< exact, three decimals
    CsvTable& empty() { return cell({}); }
    void end_row();

    [[nodiscard]] const std::string& content() const { return content_; }
    /// What was added since the last time; the table goes on behind it.
    [[nodiscard]] std::string take() { return std::exchange(content_, {}); }

private:
    CsvTable& cell(std::string_view plain);

    std::string content_;
    bool row_started_ = false;
};

} // namespace rankscope
