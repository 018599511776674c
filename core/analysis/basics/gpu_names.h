// SPDX-License-Identifier: GPL-3.0-or-later
// Which GPU a device's name means: "NVIDIA GH200 120GB" is no H200.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

namespace gpu_names_detail {

inline bool is_number(char c) { return c >= '0' && c <= '9'; }

/// Upper case, with one space before each word and behind the last.
inline std::string in_words(std::string_view name) {
    std::string words = " ";
    for (const char c : name) {
        const bool lower = c >= 'a' && c <= 'z';
        if (lower || is_number(c) || (c >= 'A' && c <= 'Z'))
            words += lower ? static_cast<char>(c - 'a' + 'A') : c;
        else if (words.back() != ' ')
            words += ' ';
    }
    if (words.back() != ' ')
        words += ' ';
    return words;
}

} // namespace gpu_names_detail

/// Whether the words of the model stand in a row in the device's name, in upper or lower case. Words are letters and
/// digits: "A100 SXM4" is in "NVIDIA A100-SXM4-80GB".
inline bool names_gpu(std::string_view device_name, std::string_view model) {
    const std::string words = gpu_names_detail::in_words(model);
    return words.size() > 1 && gpu_names_detail::in_words(device_name).find(words) != std::string::npos;
}

/// Likewise, but the last word may be the beginning of one ("A100-SXM"). It ends inside no number: "H20" is not in
/// "NVIDIA H200".
inline bool may_name_gpu(std::string_view device_name, std::string_view typed) {
    std::string words = gpu_names_detail::in_words(typed);
    if (words.size() < 2)
        return false;
    words.pop_back();
    const std::string name = gpu_names_detail::in_words(device_name);
    for (std::size_t at = name.find(words); at != std::string::npos; at = name.find(words, at + 1))
        if (!gpu_names_detail::is_number(words.back()) || !gpu_names_detail::is_number(name[at + words.size()]))
            return true;
    return false;
}

} // namespace rankscope
