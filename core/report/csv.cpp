// SPDX-License-Identifier: GPL-3.0-or-later
// CSV as cli.md promises it.
#include "core/report/csv.h"

#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/base/text.h"

namespace rankscope {
namespace {

bool takes_first(std::string_view& text, std::span<const std::string_view> words) {
    for (const std::string_view word : words)
        if (text.starts_with(word)) {
            text.remove_prefix(word.size());
            return true;
        }
    return false;
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + '"';
}

} // namespace

bool looks_like_formula(std::string_view text) {
    if (!text.empty() && std::string_view("\t\r\n").find(text.front()) != std::string_view::npos)
        return true;
    static constexpr std::array<std::string_view, 15> kBlanks{" ",      "\t",     "\r",     "\n",     "\v",
                                                              "\f",     "\u0085", "\u00A0", "\u200B", "\u2009",
                                                              "\u202F", "\u2003", "\u2002", "\u3000", "\uFEFF"};
    static constexpr std::array<std::string_view, 8> kSigns{"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    while (takes_first(text, kBlanks)) {
    }
    return takes_first(text, kSigns);
}

std::string spreadsheet_text(std::string_view raw) {
    std::string safe = (looks_like_formula(raw) ? "'" : "") + table_safe(raw);
    if (safe.size() <= kMostOfACell)
        return safe;
    std::size_t units = 0;
    std::size_t kept = 0; // bytes that leave room for "…"
    for (std::size_t i = 0; i < safe.size(); ++i) {
        const auto byte = static_cast<unsigned char>(safe[i]);
        if ((byte & 0xC0U) == 0x80U)
            continue;
        if (units < kMostOfACell)
            kept = i;
        units += byte >= 0xF0 ? 2 : 1;
    }
    return units <= kMostOfACell ? safe : safe.substr(0, kept) + "…";
}

CsvTable::CsvTable(std::initializer_list<std::string_view> header) {
    for (const std::string_view name : header)
        cell(name);
    end_row();
}

CsvTable::CsvTable(std::span<const std::string> header) {
    for (const std::string& name : header)
        text(name);
    end_row();
}

CsvTable& CsvTable::cell(std::string_view plain) {
    if (row_started_)
        content_ += ',';
    row_started_ = true;
    content_ += plain;
    return *this;
}

CsvTable& CsvTable::text(std::string_view raw) {
    const std::string safe = spreadsheet_text(raw);
    return cell(safe.find_first_of(",\"\r\n") == std::string::npos ? safe : in_quotes(safe));
}

CsvTable& CsvTable::integer(std::int64_t value) { return cell(std::to_string(value)); }

CsvTable& CsvTable::number(double value) { return std::isfinite(value) ? cell(number_text(value)) : empty(); }

CsvTable& CsvTable::decimals(double value, int digits) {
    return std::isfinite(value) ? cell(fmt::format("{:.{}f}", value, digits)) : empty();
}

CsvTable& CsvTable::microseconds(TimeNs ns) { return cell(microseconds_text(ns)); }

void CsvTable::end_row() {
    content_ += "\r\n";
    row_started_ = false;
}

} // namespace rankscope
