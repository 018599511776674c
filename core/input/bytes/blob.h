// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and texts one after the other: the small parts of a digest. What is read is checked against what is left.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace rankscope {

class BlobWriter {
public:
    BlobWriter& number(std::int64_t value) {
        for (int i = 0; i < 8; ++i)
            text_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
        return *this;
    }
    BlobWriter& real(double value) { return number(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value))); }
    BlobWriter& text(std::string_view value) {
        number(static_cast<std::int64_t>(value.size()));
        text_ += value;
        return *this;
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

/// Beyond the end, and after anything impossible, everything is 0 or empty and good() is false.
class BlobReader {
public:
    explicit BlobReader(std::string_view text) : text_(text) {}

    std::int64_t number() {
        if (text_.size() < 8)
            return fail();
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>(text_[static_cast<std::size_t>(i)]))
                     << (8 * i);
        text_.remove_prefix(8);
        return static_cast<std::int64_t>(value);
    }
    double real() { return std::bit_cast<double>(static_cast<std::uint64_t>(number())); }
    std::string text() {
        const std::int64_t size = number();
        if (size < 0 || static_cast<std::uint64_t>(size) > text_.size())
            return fail(), std::string();
        std::string value(text_.substr(0, static_cast<std::size_t>(size)));
        text_.remove_prefix(value.size());
        return value;
    }
    /// A number of entries that take at least so many bytes each, so that no more is promised than can follow.
    std::size_t count(std::size_t bytes_each = 8) {
        const std::int64_t value = number();
        if (value < 0 || static_cast<std::uint64_t>(value) > text_.size() / bytes_each)
            return static_cast<std::size_t>(fail());
        return static_cast<std::size_t>(value);
    }
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return text_.empty(); }

private:
    std::int64_t fail() {
        good_ = false;
        text_ = {};
        return 0;
    }
    std::string_view text_;
    bool good_ = true;
};

} // namespace rankscope
