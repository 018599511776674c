// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/json_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

void append_utf8(std::string& out, std::uint32_t code) {
    const auto byte = [&](std::uint32_t b) { out.push_back(static_cast<char>(b)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0 | code >> 6);
        byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        byte(0xE0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3F));
        byte(0x80 | (code & 0x3F));
    } else {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
        byte(0x80 | (code >> 6 & 0x3F));
        byte(0x80 | (code & 0x3F));
    }
}

std::optional<std::uint32_t> hex4(std::string_view text) {
    std::uint32_t code = 0;
    if (text.size() < 4)
        return {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + 4, code, 16);
    if (error != std::errc{} || end != text.data() + 4)
        return {};
    return code;
}

/// Length of the valid UTF-8 sequence at the start of text, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        length = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        length = 4;
    if (length == 0 || text.size() < length)
        return 0;
    if (lead == 0xE0)
        low = 0xA0; // overlong
    if (lead == 0xED)
        high = 0x9F; // surrogates
    if (lead == 0xF0)
        low = 0x90; // overlong
    if (lead == 0xF4)
        high = 0x8F; // beyond U+10FFFF
    if (at(1) < low || at(1) > high)
        return 0;
    for (std::size_t i = 2; i < length; ++i)
        if (at(i) < 0x80 || at(i) > 0xBF)
            return 0;
    return length;
}

/// The value of eight digits, most significant first; nothing when one is no digit.
std::optional<std::uint64_t> eight_digits(const char* text) {
    if constexpr (std::endian::native != std::endian::little)
        return {};
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kZeros = 0x3030303030303030, kSix = 0x0606060606060606;
    if ((word & kHigh) != kZeros || ((word + kSix) & kHigh) != kZeros)
        return {};
    word -= kZeros;
    word = word * 10 + (word >> 8); // pairs, in every second byte
    constexpr std::uint64_t kPairs = 0x000000FF000000FF;
    return ((word & kPairs) * (100 + (1000000ull << 32)) + (word >> 16 & kPairs) * (1 + (10000ull << 32))) >> 32;
}

/// Digits with an optional fraction and no exponent; the common case, exact and fast.
std::optional<TimeNs> parse_plain_microseconds(std::string_view digits) {
    const bool negative = digits.starts_with('-');
    std::size_t i = negative ? 1 : 0;
    const std::size_t first = i;
    std::uint64_t whole = 0;
    if (digits.size() >= i + 8)
        if (const auto value = eight_digits(digits.data() + i)) {
            whole = *value;
            i += 8;
        }
    for (; i < digits.size() && is_digit(digits[i]); ++i) {
        if (i - first > 15)
            return {}; // more than 10^16 us is beyond TimeNs
        whole = whole * 10 + static_cast<std::uint64_t>(digits[i] - '0');
    }
    if (i == first || whole > static_cast<std::uint64_t>(std::numeric_limits<TimeNs>::max() / 1000 - 1))
        return {};
    std::uint64_t ns = whole * 1000;
    if (i < digits.size() && digits[i] == '.') {
        std::uint64_t unit = 100;
        for (++i; i < digits.size() && is_digit(digits[i]); ++i, unit /= 10) {
            if (unit == 0) {
                ns += digits[i] >= '5';
                while (i < digits.size() && is_digit(digits[i]))
                    ++i;
                break;
            }
            ns += static_cast<std::uint64_t>(digits[i] - '0') * unit;
        }
    }
    if (i != digits.size())
        return {};
    const auto value = static_cast<TimeNs>(ns);
    return negative ? -value : value;
}

} // namespace

std::optional<TimeNs> parse_microseconds(std::string_view token) {
    token = unquoted(token);
    if (const auto plain = parse_plain_microseconds(token))
        return plain;
    // An exponent, or nothing that is a number.
    if (token.find_first_of("eE") == std::string_view::npos)
        return {};
    // From a copy: of what starts like "nan" libstdc++ looks for the end of the text, which would be that of the block,
    // or beyond it.
    const std::string own(token);
    long double value = 0;
    const auto [end, error] = std::from_chars(own.data(), own.data() + own.size(), value);
    if (error != std::errc{} || end != own.data() + own.size() || !(std::abs(value) < 9e15L))
        return {};
    return static_cast<TimeNs>(std::llround(value * 1000));
}

std::optional<std::int64_t> parse_integer(std::string_view token) {
    token = unquoted(token);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc{})
        return {};
    std::string_view rest(end, token.size() - static_cast<std::size_t>(end - token.data()));
    if (rest.starts_with('.'))
        rest = rest.substr(std::min(rest.find_first_not_of('0', 1), rest.size()));
    if (!rest.empty())
        return {};
    return value;
}

std::optional<double> parse_number(std::string_view token) {
    token = unquoted(token);
    double value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc{} || end != token.data() + token.size() || !std::isfinite(value))
        return {};
    return value;
}

std::uint64_t scalars_in(std::string_view between) {
    std::uint64_t count = 0;
    bool within = false;
    bool in_string = false;
    for (std::size_t i = 0; i < between.size(); ++i) {
        const char c = between[i];
        if (c == ',' && !in_string) {
            within = false;
            continue;
        }
        if (!within && static_cast<unsigned char>(c) > ' ') {
            within = true;
            ++count;
        }
        if (c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
    }
    return count;
}

std::string unescaped(std::string_view inside) {
    std::string out;
    out.reserve(inside.size());
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (inside[i] != '\\' || i + 1 == inside.size()) {
            out.push_back(inside[i]);
            continue;
        }
        const char letter = inside[++i];
        switch (letter) {
        case 'b': out.push_back('\b'); continue;
        case 'f': out.push_back('\f'); continue;
        case 'n': out.push_back('\n'); continue;
        case 'r': out.push_back('\r'); continue;
        case 't': out.push_back('\t'); continue;
        case 'u': break;
        default: out.push_back(letter); continue;
        }
        const auto code = hex4(inside.substr(i + 1));
        if (!code) {
            out.append(kReplacement);
            continue;
        }
        i += 4;
        if (*code >= 0xD800 && *code < 0xDC00 && inside.substr(i + 1, 2) == "\\u") {
            const auto low = hex4(inside.substr(i + 3));
            if (low && *low >= 0xDC00 && *low < 0xE000) {
                append_utf8(out, 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
                i += 6;
                continue;
            }
        }
        if (*code >= 0xD800 && *code < 0xE000)
            out.append(kReplacement);
        else
            append_utf8(out, *code);
    }
    return out;
}

std::string repaired_json(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool in_string = false;
    std::size_t pending_comma = std::string::npos; // place in out of a comma that only blanks have followed
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char c = text.front();
        if (length == 0)
            out.append(kReplacement);
        else if (static_cast<unsigned char>(c) < 0x20)
            out.push_back(' ');
        else
            out.append(text.substr(0, length));
        const bool blank = static_cast<unsigned char>(c) <= 0x20;
        if (in_string) {
            if (c == '\\' && text.size() > 1 && (text[1] == '"' || text[1] == '\\')) {
                out.push_back(text[1]);
                text.remove_prefix(2);
                continue;
            }
            in_string = c != '"';
        } else if (c == ',') {
            pending_comma = out.size() - 1;
        } else if (!blank) {
            if ((c == '}' || c == ']') && pending_comma != std::string::npos)
                out[pending_comma] = ' ';
            pending_comma = std::string::npos;
            in_string = c == '"';
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

} // namespace rankscope
