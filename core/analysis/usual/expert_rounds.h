// SPDX-License-Identifier: GPL-3.0-or-later
// How unevenly tokens fall on the ranks' experts, told by the sizes of all-to-all calls, and what even ones would
// change.
#pragma once
#include <algorithm>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/kernels_in_place.h"

namespace rankscope {

/// Tokens go to their experts (dispatch), are worked on, and come back (combine): two all-to-all calls of a group in a
/// row of which every member sends in the second what it got in the first.
struct ExpertRound {
    std::uint32_t group = 0;    ///< index in CollectiveMatching::groups
    std::uint32_t dispatch = 0; ///< transfer nodes
    std::uint32_t combine = 0;
    std::vector<std::uint32_t> ranks; ///< index in Run::ranks
    std::vector<double> load;         ///< tokens that each of them gets / their mean
    std::vector<std::uint32_t> work;  ///< GPU nodes between the two, of all members, whose time grows with the tokens
    TimeNs fixed = 0; ///< of each transfer, whatever it moves: what small calls of the same ranks take; 0: not known

    [[nodiscard]] double busiest() const { return *std::ranges::max_element(load); }
    /// What a transfer of that duration takes once the busiest member gets that many times the mean.
    [[nodiscard]] TimeNs transfer_time(TimeNs duration, double most) const;
};

struct ExpertRounds {
    std::vector<ExpertRound> rounds;
    /// Per node: duration times this is what it would take if tokens fell evenly; empty without rounds. Work is taken
    /// to grow in proportion where it does at least half of that, and a transfer, but for its fixed part, with the
    /// tokens of the member that has most.
    std::vector<double> even;
};

ExpertRounds expert_rounds(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                           const KernelsInPlace& in_place);

} // namespace rankscope
