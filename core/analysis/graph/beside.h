// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a kernel ran beside communication of its rank: communication takes multiprocessors and memory bandwidth, so
// that only kernels in the same state are compared.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rankscope {

enum class Beside : std::uint8_t {
    nothing,
    partly, ///< what it would take in either state is not known
    wholly
};

/// Fewest kernels of a name from which a ratio of times is taken: of the two states, or of a rank and its peers.
inline constexpr std::size_t kFewestForRatio = 5;

/// share: of its duration beside communication, 0 to 1, as BesideCommunication::shares() has it.
constexpr Beside beside_by_share(float share) {
    constexpr double kWholly = 0.9; // nearly all; or, by the same measure, nearly nothing
    return share >= kWholly ? Beside::wholly : share > 1 - kWholly ? Beside::partly : Beside::nothing;
}

} // namespace rankscope
