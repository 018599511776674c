// SPDX-License-Identifier: GPL-3.0-or-later
// 64 characters at a time: a bit mask per kind of character, quotes turned into "inside a string" by a prefix xor, and
// brackets outside strings counted; only where the array's level can be reached are they looked at one by one.
#include "core/input/json_scan.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The same code twice, the second time for processors that count bits in one instruction; chosen when the program
// starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define RANKSCOPE_FOR_NEWER_PROCESSORS_TOO __attribute__((target_clones("avx2", "default")))
#else
#define RANKSCOPE_FOR_NEWER_PROCESSORS_TOO
#endif

namespace rankscope {
namespace {

struct Masks {
    std::uint64_t quote = 0;
    std::uint64_t backslash = 0;
    std::uint64_t open = 0;
    std::uint64_t close = 0;
};

#if defined(__SSE2__)
inline Masks masks_of(const char* text) {
    Masks masks;
    const __m128i lower = _mm_set1_epi8(0x20); // '[' | 0x20 = '{' and ']' | 0x20 = '}'
    for (int i = 0; i < 4; ++i) {
        const __m128i chars = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
        const __m128i folded = _mm_or_si128(chars, lower);
        const auto bits = [&](__m128i value, char wanted) {
            const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(value, _mm_set1_epi8(wanted)));
            return static_cast<std::uint64_t>(static_cast<std::uint32_t>(mask)) << (16 * i);
        };
        masks.quote |= bits(chars, '"');
        masks.backslash |= bits(chars, '\\');
        masks.open |= bits(folded, '{');
        masks.close |= bits(folded, '}');
    }
    return masks;
}
#else
inline Masks masks_of(const char* text) {
    Masks masks;
    for (int i = 0; i < 64; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        const char c = text[i];
        masks.quote |= c == '"' ? bit : 0;
        masks.backslash |= c == '\\' ? bit : 0;
        masks.open |= (c | 0x20) == '{' ? bit : 0;
        masks.close |= (c | 0x20) == '}' ? bit : 0;
    }
    return masks;
}
#endif

/// Bits of the characters that a backslash before them escapes.
inline std::uint64_t escaped_characters(std::uint64_t backslash, bool& carry) {
    std::uint64_t escaped = carry ? 1 : 0;
    backslash &= ~escaped;
    carry = false;
    while (backslash != 0) {
        const int at = std::countr_zero(backslash);
        if (at == 63) {
            carry = true;
            break;
        }
        escaped |= std::uint64_t{2} << at;
        backslash &= ~(std::uint64_t{3} << at);
    }
    return escaped;
}

/// Bit i: xor of bits 0..i.
inline std::uint64_t prefix_xor(std::uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

} // namespace

RANKSCOPE_FOR_NEWER_PROCESSORS_TOO
ArrayScanner::Found ArrayScanner::scan(std::span<const char> text) {
    Found found;
    for (std::size_t base = 0; base < text.size(); base += 64) {
        const char* chunk = text.data() + base;
        char padded[64];
        const std::size_t length = text.size() - base;
        if (length < 64) {
            std::memset(padded, ' ', sizeof padded);
            std::memcpy(padded, chunk, length);
            chunk = padded;
        }
        const Masks masks = masks_of(chunk);
        bool escape_next = escaped_;
        const std::uint64_t escaped = escaped_characters(masks.backslash, escape_next);
        const std::uint64_t inside = prefix_xor(masks.quote & ~escaped) ^ (in_string_ ? ~std::uint64_t{0} : 0);
        std::uint64_t open = masks.open & ~inside;
        std::uint64_t close = masks.close & ~inside;

        if (depth_ - std::popcount(close) > 0) {
            depth_ += std::popcount(open) - std::popcount(close);
        } else {
            for (std::uint64_t both = open | close; both != 0; both &= both - 1) {
                const int at = std::countr_zero(both);
                if ((open >> at & 1) != 0) {
                    ++depth_;
                    continue;
                }
                if (--depth_ == 0)
                    found.elements_end = base + static_cast<std::size_t>(at) + 1;
                if (depth_ < 0) {
                    found.array_closed = true;
                    found.closed_at = base + static_cast<std::size_t>(at);
                    return found;
                }
            }
        }
        // A short last chunk ends at its own last character, not at the padding.
        const std::size_t last = length < 64 ? length - 1 : 63;
        in_string_ = (inside >> last & 1) != 0;
        escaped_ = length < 64 ? (escaped >> length & 1) != 0 : escape_next;
    }
    return found;
}

} // namespace rankscope
