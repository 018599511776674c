// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the distinct texts of a block: an open-addressing table of views.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "core/base/seeded_hash.h"

namespace rankscope {

/// Most are of a few characters, for which calling memcmp() costs more than comparing.
inline bool same_text(std::string_view a, std::string_view b) {
    const auto same_word = [&]<typename Word>(Word, std::size_t at) {
        Word of_a, of_b;
        std::memcpy(&of_a, a.data() + at, sizeof(Word));
        std::memcpy(&of_b, b.data() + at, sizeof(Word));
        return of_a == of_b;
    };
    const std::size_t size = a.size();
    if (size != b.size())
        return false;
    if (size > 32)
        return std::memcmp(a.data(), b.data(), size) == 0;
    if (size >= 8) {
        for (std::size_t at = 0; at + 8 < size; at += 8)
            if (!same_word(std::uint64_t{}, at))
                return false;
        return same_word(std::uint64_t{}, size - 8);
    }
    if (size >= 4)
        return same_word(std::uint32_t{}, 0) && same_word(std::uint32_t{}, size - 4);
    for (std::size_t at = 0; at < size; ++at)
        if (a[at] != b[at])
            return false;
    return true;
}

/// Numbers texts in order of first appearance.
class TextNumbers {
public:
    /// Index of the text; is_new tells whether it got its number just now.
    std::uint32_t number(std::string_view text, bool& is_new) {
        const auto hash = static_cast<std::uint32_t>(seeded_text_hash(text));
        std::size_t at = hash & (slots_.size() - 1);
        for (; slots_[at].number != kFree; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].hash == hash && same_text(slots_[at].text, text)) {
                is_new = false;
                return slots_[at].number;
            }
        slots_[at] = {text, hash, count_};
        is_new = true;
        if (++count_ * 2 > slots_.size())
            grow();
        return count_ - 1;
    }

private:
    static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    struct Slot {
        std::string_view text;
        std::uint32_t hash = 0;
        std::uint32_t number = kFree;
    };
    void grow() {
        std::vector<Slot> larger(slots_.size() * 2);
        for (const Slot& slot : slots_) {
            if (slot.number == kFree)
                continue;
            std::size_t at = slot.hash & (larger.size() - 1);
            while (larger[at].number != kFree)
                at = (at + 1) & (larger.size() - 1);
            larger[at] = slot;
        }
        slots_ = std::move(larger);
    }
    std::vector<Slot> slots_ = std::vector<Slot>(512);
    std::uint32_t count_ = 0;
};

} // namespace rankscope
