// SPDX-License-Identifier: GPL-3.0-or-later
// Aligned columns for a terminal.
#pragma once
#include <string>
#include <vector>

namespace rankscope {

/// Cells in columns as wide as their widest cell. The first column, and those given to align_left(), are text.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header);
    void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    void align_left(std::size_t column) { left_.push_back(column); }
    [[nodiscard]] bool empty() const { return rows_.size() <= 1; }
    /// Every line starts with two blanks and ends without any.
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_; ///< the header first
    std::vector<std::size_t> left_{0};
};

} // namespace rankscope
