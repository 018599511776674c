// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_table.h"

#include <algorithm>

#include "core/base/text.h"

namespace rankscope {

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

std::string TextTable::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], text_width(row[i]));
    std::string out;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - text_width(row[i]), ' ');
            const bool left = std::ranges::find(left_, i) != left_.end();
            line += "  " + (left ? row[i] + padding : padding + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

} // namespace rankscope
