// SPDX-License-Identifier: GPL-3.0-or-later
// How far two ranks' clocks differ, as the ends of their calls tell.
#pragma once
#include <cmath>
#include <optional>
#include <span>

#include "core/analysis/collectives/call_alignment.h"

namespace rankscope {

inline constexpr TimeNs kSynchronousSlack = 200'000; ///< drift and error of the clock difference
inline constexpr TimeNs kClockAgreement = 50'000;    ///< clocks that differ by less agree

/// b's clock minus a's, and how far the ends of matching calls scatter about it.
struct ClockFit {
    TimeNs difference = 0; ///< at the origin
    TimeNs scatter = 0;
    double support = 0;       ///< calls of a that end with one of b
    bool by_sequence = false; ///< recorded sequence numbers bear it out
    double drift = 0;         ///< ns that the difference grows by in each ns
    TimeNs origin = 0;        ///< on a's clock

    [[nodiscard]] TimeNs at(TimeNs time_of_a) const {
        return difference + std::llround(drift * static_cast<double>(time_of_a - origin));
    }
};

/// The difference that lets most calls end together. None when it cannot be told: calls as regular as clockwork look
/// the same a beat later, and only a difference near 0 is likelier than another.
std::optional<ClockFit> fit_clock(std::span<const CallKey> a, std::span<const CallKey> b);

} // namespace rankscope
