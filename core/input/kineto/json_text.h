// SPDX-License-Identifier: GPL-3.0-or-later
// Values of JSON tokens, read from their text: exact times, integers, strings.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace rankscope {

/// Decimal microseconds ("1694128201435418", "4458676522690.655", "1.5e3", also quoted) as nanoseconds, exactly; digits
/// beyond the nanosecond are rounded to nearest. Empty: not a number, or beyond the range of TimeNs.
std::optional<TimeNs> parse_microseconds(std::string_view token);

/// An integer, also quoted, also written with a fraction of zeros; empty otherwise.
std::optional<std::int64_t> parse_integer(std::string_view token);
/// Any finite number, also quoted.
std::optional<double> parse_number(std::string_view token);

/// The token without blanks around it.
inline std::string_view trimmed(std::string_view token) {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
    while (!token.empty() && blank(token.back()))
        token.remove_suffix(1);
    while (!token.empty() && blank(token.front()))
        token.remove_prefix(1);
    return token;
}
/// The inside of a quoted token, still escaped; other tokens as they are ("pid": 12 and "pid": "12" read alike).
inline std::string_view unquoted(std::string_view token) {
    token = trimmed(token);
    const bool quoted = token.size() >= 2 && token.front() == '"' && token.back() == '"';
    return quoted ? token.substr(1, token.size() - 2) : token;
}
/// How many values a text holds that stands between the objects of an array: runs of anything but commas and blanks.
std::uint64_t scalars_in(std::string_view between);
/// Resolves JSON escapes; a lone surrogate becomes U+FFFD, an unknown escape stands for its letter.
std::string unescaped(std::string_view inside);

/// A copy in which what strict parsers refuse and writers get wrong is made harmless: raw control characters become
/// blanks, bytes that are not UTF-8 become U+FFFD, commas before a closing bracket go.
std::string repaired_json(std::string_view text);

} // namespace rankscope
