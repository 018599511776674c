// SPDX-License-Identifier: GPL-3.0-or-later
// What steps take longer than the usual ones: which part of the step grew, and on which ranks.
//   Example: steps of 100, 100, 100, 110, 110 and 110 ms: growth 10 ms, cost 10 * 3 / 6 = 5 ms a step.
//   Example: of 4 ranks, rank 2 alone computes 9 ms longer then: it grew alone.
#pragma once
#include <set>
#include <span>
#include <vector>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/findings/step_series.h"

namespace rankscope {

/// What all steps together take longer than the usual one, over their number, ns.
double cost_of_level(const RaisedLevel& level, std::span<const double> values);

struct GrownPart {
    TimeNs StepParts::*field;
    FindingCause cause = FindingCause::none;
    Text<1> words;     ///< with a place for the time
    double growth = 0; ///< ns a step, mean over the ranks that are looked at

    /// Other ranks have a part in it.
    [[nodiscard]] bool with_others() const {
        return field == &StepParts::wait || field == &StepParts::bubble || field == &StepParts::transfer;
    }
};

/// Ranks (indices) that themselves take longer, each by half of what a step does (growth, ns), while no other does by
/// half of the least of them; at most half of all ranks, because what most do is what the program does. Empty: none
/// stand out.
std::set<std::size_t> ranks_that_grew(const FindingContext& context, const SeriesOfSteps& series,
                                      const RaisedLevel& level, double growth);
/// The parts that grew, most first. ranks: those that grew alone; empty: all.
std::vector<GrownPart> parts_that_grew(const FindingContext& context, const SeriesOfSteps& series,
                                       const RaisedLevel& level, const std::set<std::size_t>& ranks);

} // namespace rankscope
