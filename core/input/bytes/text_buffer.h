// SPDX-License-Identifier: GPL-3.0-or-later
// A text of megabytes that is read into. A std::string clears what it grows by, which took up to as long as
// decompressing into it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace rankscope {

/// Grows without clearing; moving keeps the characters in their place.
class TextBuffer {
public:
    /// There is memory for so many more behind the end: for a bracket, and what a parser reads too far.
    static constexpr std::size_t kRoomBehind = 128;

    TextBuffer() = default;
    TextBuffer(TextBuffer&& other) noexcept
        : text_(std::move(other.text_)), size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    TextBuffer& operator=(TextBuffer&& other) noexcept {
        text_ = std::move(other.text_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }

    [[nodiscard]] char* data() const { return text_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::string_view view() const { return {text_.get(), size_}; }

    /// So many more characters, of which nothing is known until they are written. Throws std::bad_alloc.
    std::span<char> grow(std::size_t count) {
        if (count > capacity_ - size_) {
            const std::size_t capacity = std::max(size_ + count, 2 * capacity_);
            auto text = std::make_unique_for_overwrite<char[]>(capacity + kRoomBehind);
            std::copy_n(text_.get(), size_, text.get());
            text_ = std::move(text);
            capacity_ = capacity;
        }
        size_ += count;
        return {text_.get() + size_ - count, count};
    }
    void append(std::string_view text) { std::ranges::copy(text, grow(text.size()).begin()); }
    void push_back(char c) { grow(1)[0] = c; }
    /// size: not above what it has.
    void cut(std::size_t size) { size_ = size; }

private:
    std::unique_ptr<char[]> text_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace rankscope
