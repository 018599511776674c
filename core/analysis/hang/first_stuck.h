// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the calls at the root of a hang is told first.
#pragma once
#include <cstdint>
#include <optional>

#include "core/analysis/hang/hang_waits.h"

namespace rankscope {

class FirstStuck {
public:
    /// Writes the call into hang: first_stuck, problem, waiting, absent, perhaps_absent, since.
    FirstStuck(const HangWaits& waits, Hang& hang) : waits_(waits), hang_(hang) {}

    /// Collectives first: messages are often posted long before anybody waits for them. Then the oldest.
    [[nodiscard]] bool comes_first(std::uint32_t call, std::uint32_t other) const;
    /// A call at the root of the hang. One that proves a culprit is told before a deadlock, and both before others.
    void blame(std::uint32_t call, HangProblem problem, bool proves_culprit = false);

private:
    const HangWaits& waits_;
    Hang& hang_;
    std::optional<std::uint32_t> call_;
    int weight_ = 0; ///< of what is told now; the lowest is told
};

} // namespace rankscope
