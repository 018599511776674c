// SPDX-License-Identifier: GPL-3.0-or-later
// CSV as cli.md promises it.
#include "core/report/csv.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"

namespace rankscope {
namespace {

bool looks_like_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
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

CsvTable::CsvTable(std::initializer_list<std::string_view> header) {
    for (const std::string_view name : header)
        cell(name);
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
    const std::string safe = (looks_like_formula(raw) ? "'" : "") + valid_utf8(raw);
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
