// SPDX-License-Identifier: GPL-3.0-or-later
// A source of letters, as if it were a compressed file of a tenth of their number.
#pragma once
#include <algorithm>
#include <new>
#include <string>

#include "core/input/byte_source.h"

namespace rankscope {

class LetterSource final : public ByteSource {
public:
    /// fails_at: reading beyond so many letters throws std::bad_alloc.
    explicit LetterSource(std::size_t count, std::size_t fails_at = ~std::size_t{0}) : count_(count), fails_at_(fails_at) { file_bytes_ = count / 10; }

    static char letter(std::size_t i) { return static_cast<char>('a' + i % 26); }
    static std::string text(std::size_t count) {
        std::string letters(count, ' ');
        for (std::size_t i = 0; i < count; ++i)
            letters[i] = letter(i);
        return letters;
    }

    std::size_t read(std::span<char> buffer) override {
        const std::size_t size = std::min(buffer.size(), count_ - read_);
        if (read_ + size > fails_at_)
            throw std::bad_alloc();
        for (std::size_t i = 0; i < size; ++i)
            buffer[i] = letter(read_ + i);
        read_ += size;
        if (size < buffer.size())
            damage_ = "no more letters";
        return size;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return read_ / 10; }

private:
    std::size_t count_;
    std::size_t fails_at_;
    std::size_t read_ = 0;
};

} // namespace rankscope
