// SPDX-License-Identifier: GPL-3.0-or-later
// Random cases: a program, its habits, and a fault or none, all from one number.
#pragma once
#include <cstdint>
#include <string>

#include "tests/support/simulator/recording.h"
#include "tests/support/simulator/truth.h"

namespace rankscope::machine {

struct Case {
    std::string name; ///< "f12" or "h12"
    Job job;
    Recording recording;
    SimulatedJob simulated;
    Truth truth;
    std::string error; ///< why it could not be made
    [[nodiscard]] std::string description() const;
    [[nodiscard]] std::vector<std::string> habits() const; ///< of the program, the machine and the recording
};

/// Faults below this share of a step are drawn again: nobody needs to be told of them.
inline constexpr double kLeastShare = 0.02;

/// drawn: a quarter of the pipelines computes microbatches of unequal length.
enum class Microbatches : std::uint8_t { drawn, equal };

Case make_case(std::uint64_t seed, bool healthy, Microbatches microbatches = Microbatches::drawn);

} // namespace rankscope::machine
