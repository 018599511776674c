// SPDX-License-Identifier: GPL-3.0-or-later
#include "result_columns.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/report/query_output.h"

namespace rankscope::python {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kExact = std::int64_t{1} << 53; ///< a double has every integer up to here

} // namespace

void ResultColumn::add(const QueryValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        add_null();
    else if (const auto* const integer = std::get_if<std::int64_t>(&value))
        add_integer(*integer);
    else if (const auto* const real = std::get_if<double>(&value))
        add_real(*real);
    else if (const auto* const view = std::get_if<std::string_view>(&value))
        add_text(*view);
    else
        add_text(std::get<std::string>(value));
    ++rows;
}

void ResultColumn::add_null() {
    switch (kind) {
    case ResultKind::nothing: break;
    case ResultKind::integer:
        missing.resize(rows, 0);
        missing.push_back(1);
        integers.push_back(0);
        break;
    case ResultKind::real: reals.push_back(kMissing); break;
    case ResultKind::text: codes.push_back(-1); break;
    case ResultKind::mixed: values.emplace_back(); break;
    }
}

void ResultColumn::add_integer(std::int64_t value) {
    if (kind == ResultKind::nothing)
        become(ResultKind::integer);
    if (kind == ResultKind::text || (kind == ResultKind::real && std::abs(value) > kExact))
        become(ResultKind::mixed);
    if (kind == ResultKind::integer) {
        integers.push_back(value);
        if (!missing.empty())
            missing.push_back(0);
    } else if (kind == ResultKind::real) {
        reals.push_back(static_cast<double>(value));
    } else {
        values.emplace_back(value);
    }
}

void ResultColumn::add_real(double value) {
    if (kind == ResultKind::nothing || kind == ResultKind::integer)
        become(ResultKind::real);
    if (kind == ResultKind::text)
        become(ResultKind::mixed);
    if (kind == ResultKind::real)
        reals.push_back(value); // infinity as well, which JSON has no number for
    else
        values.emplace_back(value);
}

void ResultColumn::add_text(std::string_view value) {
    if (kind == ResultKind::nothing)
        become(ResultKind::text);
    if (kind != ResultKind::text)
        become(ResultKind::mixed);
    if (kind == ResultKind::text)
        codes.push_back(code_of(value));
    else
        values.emplace_back(std::string(value));
}

/// The rows so far as values of another kind that holds them; of integers that a double does not hold, mixed.
void ResultColumn::become(ResultKind wanted) {
    if (kind == wanted)
        return;
    if (wanted == ResultKind::real)
        for (const std::int64_t value : integers)
            wanted = std::abs(value) > kExact ? ResultKind::mixed : wanted;
    ResultColumn changed(std::move(name));
    changed.kind = wanted;
    for (std::size_t row = 0; row < rows; ++row) {
        const QueryValue value = value_at(row);
        changed.add(value);
    }
    changed.rows = rows;
    *this = std::move(changed);
}

QueryValue ResultColumn::value_at(std::size_t row) const {
    switch (kind) {
    case ResultKind::nothing: return {};
    case ResultKind::integer: return missing.empty() || missing[row] == 0 ? QueryValue(integers[row]) : QueryValue();
    case ResultKind::real: return std::isnan(reals[row]) ? QueryValue() : QueryValue(reals[row]);
    case ResultKind::text:
        return codes[row] < 0 ? QueryValue() : QueryValue(texts[static_cast<std::size_t>(codes[row])]);
    case ResultKind::mixed: break;
    }
    return values[row];
}

std::int32_t ResultColumn::code_of(std::string_view text) {
    if (!codes.empty() && codes.back() >= 0 && texts[static_cast<std::size_t>(codes.back())] == text)
        return codes.back(); // most words of a table come several times in a row
    if (const auto known = code_of_text_.find(text); known != code_of_text_.end())
        return known->second;
    const auto code = static_cast<std::int32_t>(texts.size());
    texts.emplace_back(text);
    code_of_text_.emplace(text, code);
    return code;
}

void ResultColumns::columns(std::span<const std::string> names) {
    result.clear();
    for (const std::string& name : unique_names(names))
        result.emplace_back(name);
}

bool ResultColumns::row(std::span<const QueryValue> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        result[i].add(values[i]);
    return true;
}

} // namespace rankscope::python
