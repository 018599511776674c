// SPDX-License-Identifier: GPL-3.0-or-later
// Matching names without regular expressions: the patterns of this field are prefixes and substrings.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace rankscope {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// ASCII letters in lower case; other bytes unchanged.
inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

inline bool contains(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

inline bool contains_any(std::string_view text, std::span<const std::string_view> words) {
    for (const std::string_view word : words)
        if (contains(text, word))
            return true;
    return false;
}

inline bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

inline bool starts_with_any(std::string_view text, std::span<const std::string_view> words) {
    for (const std::string_view word : words)
        if (text.starts_with(word))
            return true;
    return false;
}

} // namespace rankscope
