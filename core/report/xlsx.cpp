// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets as an Office Open XML workbook, by libxlsxwriter.
#include "core/report/xlsx.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <xlsxwriter.h>

#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/base/whole_file.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

/// Of a sheet, without the header and the lines below the table: what is missing, a blank line and the remark.
constexpr std::size_t kMostRows = 1'048'576 - 4;
constexpr std::size_t kMostColumns = 16'384;
constexpr std::size_t kMostText = 8000; ///< characters; Excel takes 32 767 bytes
constexpr std::size_t kMostTitle = 200;
constexpr std::size_t kWidest = 48;
constexpr std::size_t kMostColumnsOfAPage = 14;

/// libxlsxwriter takes char* where it only reads.
char* readable(const std::string& text) { return const_cast<char*>(text.c_str()); }

std::string cell_text(const std::string& text, std::size_t most = kMostText) {
    return shortened(xml_characters(text), most);
}

/// Cut, and made different where the columns of a table would be called the same.
std::vector<std::string> titles_of(const Sheet& sheet) {
    std::vector<std::string> titles;
    std::set<std::string> taken;
    for (const SheetColumn& column : std::span(sheet.columns).first(std::min(sheet.columns.size(), kMostColumns))) {
        const std::string wanted = cell_text(column.title, kMostTitle);
        std::string title = wanted;
        for (int copy = 2; !taken.insert(lower_case(title)).second; ++copy)
            title = fmt::format("{} ({})", wanted, copy);
        titles.push_back(std::move(title));
    }
    return titles;
}

class Workbook {
public:
    explicit Workbook(const std::filesystem::path& path) : book_(workbook_new(path.c_str())) {
        lxw_doc_properties properties{};
        properties.created = 946684800; // a fixed time: same sheets, same bytes
        workbook_set_properties(book_, &properties);
        bold_ = workbook_add_format(book_);
        format_set_bold(bold_); // in the colours of the table's style, which LibreOffice does not draw
        format_set_font_color(bold_, LXW_COLOR_WHITE);
        format_set_bg_color(bold_, 0x4472C4);
        format_set_align(bold_, LXW_ALIGN_VERTICAL_CENTER);
        text_ = workbook_add_format(book_);
        format_set_indent(text_, 1);
        remark_ = workbook_add_format(book_);
        format_set_italic(remark_);
        constexpr std::array<const char*, 4> kNumberFormats{"General", "0", "0.00", "0.000"};
        for (std::size_t i = 0; i < kNumberFormats.size(); ++i) {
            numbers_[i] = workbook_add_format(book_);
            format_set_num_format(numbers_[i], kNumberFormats[i]);
        }
    }
    ~Workbook() {
        if (book_ != nullptr)
            lxw_workbook_free(book_);
    }
    Workbook(const Workbook&) = delete;
    Workbook& operator=(const Workbook&) = delete;

    /// Frees the workbook too.
    lxw_error close() { return workbook_close(std::exchange(book_, nullptr)); }

    lxw_error add(const Sheet& sheet) {
        lxw_worksheet* page = workbook_add_worksheet(book_, xml_characters(sheet.name).c_str());
        if (page == nullptr)
            return LXW_ERROR_PARAMETER_VALIDATION;
        const std::vector<std::string> titles = titles_of(sheet);
        const std::size_t rows = std::min(sheet.rows.size(), kMostRows);
        lxw_error error = write_table(page, sheet, titles, rows);
        for (std::size_t c = 0; c < titles.size() && error == LXW_NO_ERROR; ++c)
            error = finish_column(page, sheet, titles, c, rows);
        lxw_row_t below = static_cast<lxw_row_t>(rows) + 1;
        if (const std::string missing = left_out(sheet, rows); !missing.empty() && error == LXW_NO_ERROR)
            error = worksheet_write_string(page, below++, 0, missing.c_str(), remark_);
        if (!sheet.remark.empty() && error == LXW_NO_ERROR)
            error = worksheet_write_string(page, below + 1, 0, cell_text(sheet.remark).c_str(), remark_);
        worksheet_freeze_panes(page, 1, 0);
        worksheet_set_landscape(page);
        if (titles.size() <= kMostColumnsOfAPage) // more would be too small to read
            worksheet_fit_to_pages(page, 1, 0);
        worksheet_repeat_rows(page, 0, 0);
        if (sheet.hidden)
            worksheet_hide(page);
        return error;
    }

private:
    /// What does not fit into a sheet, in words; nothing where all does.
    static std::string left_out(const Sheet& sheet, std::size_t rows) {
        const std::size_t more_rows = sheet.rows.size() - rows;
        const std::size_t more_columns = sheet.columns.size() - std::min(sheet.columns.size(), kMostColumns);
        const std::string of_rows = more_rows > 0 ? fmt::format("{} more rows", more_rows) : "";
        const std::string of_columns = more_columns > 0 ? fmt::format("{} more columns", more_columns) : "";
        if (of_rows.empty() && of_columns.empty())
            return {};
        return fmt::format("{}{}{} do not fit into a sheet", of_rows,
                           of_rows.empty() || of_columns.empty() ? "" : " and ", of_columns);
    }

    lxw_error write_cell(lxw_worksheet* page, lxw_row_t row, lxw_col_t column, const Cell& cell, NumberStyle style) {
        if (const auto* text = std::get_if<std::string>(&cell))
            return worksheet_write_string(page, row, column, cell_text(*text).c_str(), text_);
        const auto* number = std::get_if<double>(&cell);
        if (number == nullptr || !std::isfinite(*number))
            return LXW_NO_ERROR;
        return worksheet_write_number(page, row, column, *number, numbers_[static_cast<std::size_t>(style)]);
    }

    lxw_error write_table(lxw_worksheet* page, const Sheet& sheet, const std::vector<std::string>& titles,
                          std::size_t rows) {
        std::vector<lxw_table_column> columns(titles.size());
        std::vector<lxw_table_column*> pointers;
        for (std::size_t c = 0; c < titles.size(); ++c) {
            columns[c].header = readable(titles[c]);
            columns[c].header_format = bold_;
            pointers.push_back(&columns[c]);
        }
        pointers.push_back(nullptr);
        lxw_table_options options{};
        options.style_type = LXW_TABLE_STYLE_TYPE_MEDIUM;
        options.style_type_number = 2;
        options.columns = pointers.data();
        // A table needs a row, even when it has nothing to say.
        if (const lxw_error error =
                worksheet_add_table(page, 0, 0, static_cast<lxw_row_t>(std::max<std::size_t>(rows, 1)),
                                    static_cast<lxw_col_t>(titles.size() - 1), &options);
            error != LXW_NO_ERROR)
            return error;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < titles.size(); ++c)
                if (const lxw_error error = write_cell(page, static_cast<lxw_row_t>(r + 1), static_cast<lxw_col_t>(c),
                                                       sheet.rows[r][c], sheet.columns[c].style);
                    error != LXW_NO_ERROR)
                    return error;
        return LXW_NO_ERROR;
    }

    lxw_error finish_column(lxw_worksheet* page, const Sheet& sheet, const std::vector<std::string>& titles,
                            std::size_t c, std::size_t rows) {
        const auto column = static_cast<lxw_col_t>(c);
        std::size_t width = text_width(titles[c]) + 3; // room for the filter's button
        for (std::size_t r = 0; r < std::min<std::size_t>(rows, 1000); ++r)
            if (const auto* text = std::get_if<std::string>(&sheet.rows[r][c]))
                width = std::max(width, text_width(*text) + 3);
        lxw_error error = worksheet_set_column(
            page, column, column, static_cast<double>(std::clamp<std::size_t>(width, 10, kWidest)), nullptr);
        if (!sheet.columns[c].comment.empty() && error == LXW_NO_ERROR)
            error = worksheet_write_comment(page, 0, column, cell_text(sheet.columns[c].comment).c_str());
        if (sheet.columns[c].colour_scale && rows > 0 && error == LXW_NO_ERROR) {
            lxw_conditional_format scale{};
            scale.type = LXW_CONDITIONAL_3_COLOR_SCALE;
            scale.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_MINIMUM;
            scale.mid_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER;
            scale.max_rule_type = LXW_CONDITIONAL_RULE_TYPE_MAXIMUM;
            scale.min_color = 0xF8696B;
            scale.mid_color = 0xFFFFFF;
            scale.max_color = 0x63BE7B;
            error = worksheet_conditional_format_range(page, 1, column, static_cast<lxw_row_t>(rows), column, &scale);
        }
        return error;
    }

    lxw_workbook* book_;
    lxw_format* bold_ = nullptr;
    lxw_format* remark_ = nullptr;
    lxw_format* text_ = nullptr;
    std::array<lxw_format*, 4> numbers_{};
};

} // namespace

Result<void> write_workbook(const std::filesystem::path& path, std::span<const Sheet> sheets) {
    return write_whole_file(
        path,
        [&](const std::filesystem::path& temporary) -> Result<void> {
            Workbook book(temporary);
            lxw_error error = LXW_NO_ERROR;
            for (const Sheet& sheet : sheets)
                if (error == LXW_NO_ERROR)
                    error = book.add(sheet);
            if (error == LXW_NO_ERROR)
                error = book.close();
            if (error != LXW_NO_ERROR)
                return tl::unexpected<Error>(
                    Error{Error::Code::output, "cannot write %1: %2"_text(path.string(), lxw_strerror(error))});
            return {};
        });
}

} // namespace rankscope
