// SPDX-License-Identifier: GPL-3.0-or-later
// Of which ranks a change is.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/steps/step_account.h"
#include "core/base/message.h"
#include "core/compare/moved_ranks.h"

namespace rankscope {

/// The ranks by which a sum over ranks changed most, those that did so alike, and by how much; empty where nearly all
/// ranks changed alike, where none did the way the sum did, or where they are not half of it. change: of the sum, ns;
/// value: of a rank, ns.
struct ChangedRanks {
    std::vector<int> ranks; ///< ascending; empty: none
    double gain = 0;        ///< of one of them, ns, the way the sum went
    Message text;           ///< "rank 1 (2.1 ms -> 3.4 ms)"
};
ChangedRanks ranks_changed_most(const StepAccount& before, const StepAccount& after, double change,
                                const std::function<double(const RankSteps&)>& value);

/// Where a change is that of ranks which moved: "only on rank 2 (16.9 ms -> 19.5 ms)". Where they changed by more than
/// all together, others went the other way, and are told. sum: of the change over all ranks, ns.
Message by_moved_ranks(std::span<const MovedRanks> moved, MovedRanks::Part part, double sum);

} // namespace rankscope
