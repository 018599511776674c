// SPDX-License-Identifier: GPL-3.0-or-later
// What is inferred is held to what was counted: no cost beyond what the facts allow, and no word of "no fault" where
// they show one.
#pragma once
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Cuts a cost to the most that its cause can cost, and says so in Finding::at_most.
void hold_to_bound(const FindingContext& context, Finding& finding);

/// Facts that forbid to say that no rank has a fault.
struct RanksDiffer {
    Message sentence;  ///< the fact, and what it costs at most; empty: the ranks do not differ
    bool told = false; ///< a finding that costs 1 % of a step says why they differ: the sentence is not needed
    [[nodiscard]] bool any() const { return told || !sentence.empty(); }
};
RanksDiffer ranks_differ(const FindingInputs& inputs, const std::vector<Finding>& list, const Message& step);

} // namespace rankscope
