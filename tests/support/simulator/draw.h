// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers that depend on a key only: what one event draws does not change when another event is added or
// removed.
#pragma once
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>

namespace rankscope::machine {

/// One number of several (splitmix64 over them).
inline std::uint64_t mixed(std::initializer_list<std::uint64_t> parts) {
    std::uint64_t state = 0x243f6a8885a308d3U;
    for (const std::uint64_t part : parts) {
        state += part + 0x9e3779b97f4a7c15U;
        state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
        state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
        state ^= state >> 31U;
    }
    return state;
}

/// A sequence of draws from a key. The same on every platform but for the last digits of log and cos.
class Draw {
public:
    Draw(std::initializer_list<std::uint64_t> key) : state_(mixed(key)) {}

    std::uint64_t next() { return state_ = mixed({state_}); }
    double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; } ///< [0, 1)
    double between(double least, double most) { return least + (most - least) * uniform(); }
    int between(int least, int most) {
        return least + static_cast<int>(next() % static_cast<std::uint64_t>(most - least + 1));
    }
    bool chance(double probability) { return uniform() < probability; }
    template <typename T>
    T of(std::initializer_list<T> choices) {
        return *(choices.begin() + between(0, static_cast<int>(choices.size()) - 1));
    }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }
    /// Mean 1.
    double lognormal(double sigma) { return sigma <= 0 ? 1 : std::exp(sigma * normal() - sigma * sigma / 2); }

private:
    std::uint64_t state_;
};

} // namespace rankscope::machine
