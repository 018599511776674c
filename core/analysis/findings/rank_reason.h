// SPDX-License-Identifier: GPL-3.0-or-later
// Why a rank is slower than its peers, as a clause of a finding's title.
//   slower_copies, 3 ms a step, 2.5 times the bytes: "its memory copies move 2.50× the bytes of its peers' and take
//   3 ms a step longer".
#pragma once
#include <cstdint>
#include <set>

#include "core/analysis/findings/kernel_ratio.h"
#include "core/analysis/findings/rank_excess.h"

namespace rankscope {

/// What a rank takes longer for one cause.
struct RankReason {
    std::uint32_t rank = 0;
    const RankExcess& excess;
    std::set<std::int64_t> only_in; ///< numbers of the steps in which it is there; empty: all
    KernelRatio kernels{};          ///< in these steps; of slower kernels only
};

/// Adds facts and the event that it names to the finding. It is about the steps in which the excess is there.
Message reason_words(const FindingContext& context, OwnCause cause, const RankReason& own, Finding& finding);

} // namespace rankscope
