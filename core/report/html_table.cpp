// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of report.html.
#include "core/report/html_table.h"

#include <fmt/format.h>

#include "core/report/markup.h"

namespace rankscope {

HtmlTable::HtmlTable(std::vector<std::string> titles) : titles_(std::move(titles)) {}

HtmlTable& HtmlTable::cell(std::string_view text) {
    const bool number = column_ < titles_.size() && titles_[column_].starts_with('#');
    row_ += fmt::format("<td{}>{}</td>", number ? " class=\"n\"" : "", escaped_markup(text));
    ++column_;
    return *this;
}

HtmlTable& HtmlTable::cell(std::string_view text, std::string_view css) {
    row_ += text.empty() ? "<td></td>"
                         : fmt::format("<td><span class=\"badge {}\">{}</span></td>", css, escaped_markup(text));
    ++column_;
    return *this;
}

HtmlTable& HtmlTable::link(std::string_view text, std::string_view address) {
    row_ += fmt::format("<td><a href=\"{}\">{}</a></td>", escaped_markup(address), escaped_markup(text));
    ++column_;
    return *this;
}

void HtmlTable::end_row() {
    rows_ += "<tr>" + row_ + "</tr>\n";
    row_.clear();
    column_ = 0;
}

std::string HtmlTable::html(std::size_t more) const {
    std::string head;
    for (const std::string& title : titles_)
        head += title.starts_with('#') ? fmt::format("<th class=\"n\">{}</th>", escaped_markup(title.substr(1)))
                                       : fmt::format("<th>{}</th>", escaped_markup(title));
    return fmt::format("<div class=\"scroll\"><table><thead><tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n{}",
                       head, rows_,
                       more > 0 ? fmt::format("<p class=\"dim\">and {} more: see the CSV files</p>\n", more) : "");
}

} // namespace rankscope
