// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as Python's json module writes it: it has NaN, Infinity and -Infinity, which JSON has not.
#pragma once
#include <array>
#include <istream>
#include <streambuf>
#include <string>

namespace rankscope {

/// Reads another stream, with null for NaN, "inf" for Infinity and "-inf" for -Infinity outside of strings: the words
/// that benchmarks write which avoid them. All else comes as it is.
class PythonJson : public std::streambuf {
public:
    explicit PythonJson(std::istream& source) : source_(source) {}

protected:
    int_type underflow() override;

private:
    void end_word();

    std::istream& source_;
    std::array<char, 1u << 14> block_{};
    std::string text_; ///< what is read next
    std::string word_; ///< letters and minus signs outside of strings, not in text_ yet
    bool in_string_ = false;
    bool escaped_ = false;
};

} // namespace rankscope
