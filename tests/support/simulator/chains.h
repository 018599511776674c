// SPDX-License-Identifier: GPL-3.0-or-later
// Which waits a fault truly causes, through how many calls: those that are not there when the same job, with the same
// draws, is executed without it.
#pragma once
#include <cstdint>
#include <vector>

#include "tests/support/simulator/recording.h"
#include "tests/support/simulator/truth.h"

namespace rankscope::machine {

/// A call most of whose waiting the fault causes.
struct WaitChain {
    int transfer = 0;  ///< index in Program::transfers
    int last = 0;      ///< the rank that comes last
    double waited = 0; ///< by all members together, ns
    double added = 0;  ///< of it, what the fault adds
    int depth = 1;     ///< 1: a rank with the fault comes last; 2: who comes last had waited for one; and so on
};

/// A wait belongs to the fault from this share on that it adds to it, and from this length on.
inline constexpr double kMostly = 0.6;
inline constexpr double kShortestChain = 100e3;

/// A wait is not the fault's if the fault adds less than this share of it.
inline constexpr double kHardly = 0.25;

struct FaultWaits {
    std::vector<WaitChain> of_fault;
    std::vector<WaitChain> of_others; ///< the fault adds hardly anything to them; depth 0
};

/// Of the job's first fault, recorded steps only, by when the last member comes. Of a connection that is slow, depth 1
/// are calls whose last member had used it in the call before.
FaultWaits fault_waits(const Job& job, const FaultTruth& fault, const SimulatedJob& with);

/// When the rank's member of the transfer starts, ns on the rank's own clock as recorded; -1 where it has none.
std::int64_t recorded_start(const SimulatedJob& simulated, const Recording& recording, int transfer, int rank);

} // namespace rankscope::machine
