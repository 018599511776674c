// SPDX-License-Identifier: GPL-3.0-or-later
// What is inferred is held to what was counted: no cost beyond what the facts allow, and no word of "no fault" where
// they show one.
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// The most that a cause can cost, ns a step: of the host, the idle time of the GPUs that it can explain; of a link,
/// what the step would be shorter if its communication took no time. None: its replay only takes away what it tells.
std::optional<double> most_it_can_cost(const FindingContext& context, const Finding& finding);
/// Cuts costs to what they can be at most, and leaves out what is nothing then. Returns the places in the list, as
/// left, of those that were cut.
std::vector<std::size_t> bound_costs(const FindingContext& context, std::vector<Finding>& list);

/// Facts that forbid to say that no rank has a fault.
struct RanksDiffer {
    Message sentence;  ///< the fact, and what it costs at most; empty: the ranks do not differ
    bool told = false; ///< a finding that costs 1 % of a step says why they differ: the sentence is not needed
    [[nodiscard]] bool any() const { return told || !sentence.empty(); }
};
RanksDiffer ranks_differ(const FindingInputs& inputs, const std::vector<Finding>& list, const Message& step);

} // namespace rankscope
