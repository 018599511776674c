// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/python_json.h"

#include <string_view>

namespace rankscope {
namespace {

constexpr std::string_view kLongestWord = "-Infinity";

bool is_of_word(char c) { return c == '-' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

} // namespace

void PythonJson::end_word() {
    if (word_ == "NaN")
        text_ += "null";
    else if (word_ == "Infinity")
        text_ += "\"inf\"";
    else if (word_ == "-Infinity")
        text_ += "\"-inf\"";
    else
        text_ += word_;
    word_.clear();
}

PythonJson::int_type PythonJson::underflow() {
    text_.clear();
    while (text_.empty() && source_) {
        source_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
        for (const char c : std::string_view(block_.data(), static_cast<std::size_t>(source_.gcount()))) {
            if (in_string_) {
                in_string_ = escaped_ || c != '"';
                escaped_ = !escaped_ && c == '\\';
            } else if (is_of_word(c) && word_.size() < kLongestWord.size()) {
                word_ += c;
                continue;
            } else {
                end_word();
                in_string_ = c == '"';
            }
            text_ += c;
        }
    }
    if (text_.empty())
        end_word();
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return text_.empty() ? traits_type::eof() : traits_type::to_int_type(text_.front());
}

} // namespace rankscope
