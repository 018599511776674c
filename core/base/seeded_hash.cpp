// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/seeded_hash.h"

#include <chrono>
#include <exception>
#include <random>

namespace rankscope {

HashSeed draw_hash_seed() {
    const auto odd = [](std::uint64_t number) { return number | 1U; }; // no product loses a bit
    try {
        std::random_device chance;
        const auto draw = [&] { return std::uint64_t{chance()} << 32 | chance(); };
        return {draw(), odd(draw()), odd(draw())};
    } catch (const std::exception&) { // a system without a source of chance
        std::mt19937_64 numbers(
            static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
        return {numbers(), odd(numbers()), odd(numbers())};
    }
}

} // namespace rankscope
