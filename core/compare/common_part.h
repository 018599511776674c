// SPDX-License-Identifier: GPL-3.0-or-later
// The part of two runs that both have: the same ranks of jobs of one size, and the same steps. What only one run
// recorded is no difference between them.
#pragma once
#include <memory>
#include <vector>

#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

struct CommonPart {
    std::shared_ptr<const RunAnalysis> baseline; ///< the run itself where nothing of it is left out
    std::shared_ptr<const RunAnalysis> test;
    bool fewer_ranks = false;       ///< of one of them at least; who waits for those that are left out is not seen
    std::vector<Message> sentences; ///< what is left out, and how much is compared; without capitals and full stops
};

/// Ranks are left out of both runs that one of them does not have, or of which it has too little (left_out_ranks());
/// steps that one of them does not have, unless they have less than half of the steps in common. Of a
/// serving engine all steps count, unless both runs have the same ones by number and name.
CommonPart common_part(std::shared_ptr<const RunAnalysis> baseline, std::shared_ptr<const RunAnalysis> test);

} // namespace rankscope
