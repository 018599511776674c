// SPDX-License-Identifier: GPL-3.0-or-later
// 64 characters at a time: a bit mask per kind of character, quotes turned into "inside a string" by a prefix xor, and
// brackets outside strings counted; only where the array's level can be reached are they looked at one by one.
#include "core/input/kineto/json_scan.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// The same code twice, the second time for processors that look at 32 characters at once; chosen when the program
// starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define RANKSCOPE_FOR_NEWER_PROCESSORS __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))
#define RANKSCOPE_IN_ITS_CALLER __attribute__((always_inline)) inline
#else
#define RANKSCOPE_IN_ITS_CALLER inline
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

/// Bit i: xor of bits 0..i.
inline std::uint64_t prefix_xor(std::uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

struct Portable {
    static Masks masks(const char* text) { return masks_of(text); }
    static std::uint64_t prefix(std::uint64_t bits) { return prefix_xor(bits); }
};

#if defined(RANKSCOPE_FOR_NEWER_PROCESSORS)
struct Newer {
    RANKSCOPE_FOR_NEWER_PROCESSORS static inline Masks masks(const char* text) {
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32));
        const __m256i lower = _mm256_set1_epi8(0x20);
        const __m256i low_folded = _mm256_or_si256(low, lower), high_folded = _mm256_or_si256(high, lower);
        const auto half = [](__m256i value, __m256i wanted) RANKSCOPE_FOR_NEWER_PROCESSORS {
            return static_cast<std::uint64_t>(
                static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(value, wanted))));
        };
        const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'), open = _mm256_set1_epi8('{'),
                      close = _mm256_set1_epi8('}');
        return {half(low, quote) | half(high, quote) << 32, half(low, backslash) | half(high, backslash) << 32,
                half(low_folded, open) | half(high_folded, open) << 32,
                half(low_folded, close) | half(high_folded, close) << 32};
    }
    /// A product without carries by all ones.
    RANKSCOPE_FOR_NEWER_PROCESSORS static inline std::uint64_t prefix(std::uint64_t bits) {
        const __m128i product =
            _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8('\xFF'), 0);
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
    }
};
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

template <typename Chunk>
RANKSCOPE_IN_ITS_CALLER ArrayScanner::Found scan_as(ArrayScanner::State& kept, std::span<const char> text) {
    ArrayScanner::Found found;
    ArrayScanner::State state = kept; // in registers
    for (std::size_t base = 0; base < text.size(); base += 64) {
        const char* chunk = text.data() + base;
        char padded[64];
        const std::size_t length = text.size() - base;
        if (length < 64) {
            std::memset(padded, ' ', sizeof padded);
            std::memcpy(padded, chunk, length);
            chunk = padded;
        }
        const Masks masks = Chunk::masks(chunk);
        bool escape_next = state.escaped;
        const std::uint64_t escaped = escaped_characters(masks.backslash, escape_next);
        const std::uint64_t inside = Chunk::prefix(masks.quote & ~escaped) ^ (state.in_string ? ~std::uint64_t{0} : 0);
        std::uint64_t open = masks.open & ~inside;
        std::uint64_t close = masks.close & ~inside;

        if (state.depth - std::popcount(close) > 0) {
            state.depth += std::popcount(open) - std::popcount(close);
        } else {
            for (std::uint64_t both = open | close; both != 0; both &= both - 1) {
                const int at = std::countr_zero(both);
                if ((open >> at & 1) != 0) {
                    ++state.depth;
                    continue;
                }
                if (--state.depth == 0) {
                    found.elements_end = base + static_cast<std::size_t>(at) + 1;
                    ++found.elements;
                }
                if (state.depth < 0) {
                    found.array_closed = true;
                    found.closed_at = base + static_cast<std::size_t>(at);
                    return found;
                }
            }
        }
        // A short last chunk ends at its own last character, not at the padding.
        const std::size_t last = length < 64 ? length - 1 : 63;
        state.in_string = (inside >> last & 1) != 0;
        state.escaped = length < 64 ? (escaped >> length & 1) != 0 : escape_next;
    }
    kept = state;
    return found;
}

#if defined(RANKSCOPE_FOR_NEWER_PROCESSORS)
RANKSCOPE_FOR_NEWER_PROCESSORS ArrayScanner::Found scan_newer(ArrayScanner::State& state, std::span<const char> text) {
    return scan_as<Newer>(state, text);
}
#endif

} // namespace

ArrayScanner::Found ArrayScanner::scan(std::span<const char> text) {
#if defined(RANKSCOPE_FOR_NEWER_PROCESSORS)
    static const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
                              __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                              __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
    if (newer)
        return scan_newer(state_, text);
#endif
    return scan_portably(text);
}

ArrayScanner::Found ArrayScanner::scan_portably(std::span<const char> text) { return scan_as<Portable>(state_, text); }

} // namespace rankscope
