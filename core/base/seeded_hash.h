// SPDX-License-Identifier: GPL-3.0-or-later
// Hash maps whose keys come from files. The hash depends on a seed that each process draws, so nobody can write a file
// whose keys all fall into one place. The order of such a map differs from run to run: sort before anything is output.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace rankscope {

struct HashSeed {
    std::uint64_t first;
    std::uint64_t second;
    std::uint64_t third;
};
HashSeed draw_hash_seed();
/// Drawn before any static object that is defined behind this line.
inline const HashSeed kHashSeed = draw_hash_seed();

/// The halves of the product, as one.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Of several numbers, which together are a key.
template <typename... Numbers>
std::uint64_t seeded_hash(Numbers... numbers) {
    std::uint64_t hash = kHashSeed.first;
    ((hash = folded_product(hash ^ static_cast<std::uint64_t>(numbers), kHashSeed.second)), ...);
    return hash;
}

inline std::uint64_t seeded_text_hash(std::string_view text) {
    std::uint64_t hash = kHashSeed.first;
    const std::uint64_t size = text.size();
    std::uint64_t words[2];
    for (; text.size() > sizeof(words); text.remove_prefix(sizeof(words))) {
        std::memcpy(words, text.data(), sizeof(words));
        hash = folded_product(hash ^ words[0], kHashSeed.second ^ words[1]);
    }
    words[0] = words[1] = 0;
    if (!text.empty())
        std::memcpy(words, text.data(), text.size());
    hash = folded_product(hash ^ words[0], kHashSeed.second ^ words[1]);
    // The size comes last: before, a byte of the text could undo it.
    return folded_product(hash ^ size, kHashSeed.third);
}

struct NumberHash {
    template <typename Number>
    std::size_t operator()(Number number) const noexcept {
        return seeded_hash(number);
    }
};

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return seeded_text_hash(text); }
};

template <typename Number, typename Value>
using NumberMap = std::unordered_map<Number, Value, NumberHash>;
template <typename Number>
using NumberSet = std::unordered_set<Number, NumberHash>;
/// Text: std::string, or std::string_view of what outlives the map.
template <typename Text, typename Value>
using TextMap = std::unordered_map<Text, Value, TextHash, std::equal_to<>>;

/// Keys are places in our own tables (EventIndex, NameId …). No file can choose them, so they need no hash, and what
/// lies side by side stays so.
template <typename Place, typename Value>
using PlaceMap = std::unordered_map<Place, Value>;
template <typename Place>
using PlaceSet = std::unordered_set<Place>;

} // namespace rankscope
