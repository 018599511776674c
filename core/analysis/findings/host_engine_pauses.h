// SPDX-License-Identifier: GPL-3.0-or-later
// Pauses of a serving engine from one step to the next.
//   Example: usually 1 ms passes between two steps of 20 ms; once it is 50 ms: a pause of 49 ms.
#pragma once
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Between two steps of a serving engine the host may wait for requests, which no trace tells.
struct EnginePauses {
    std::vector<std::pair<std::uint32_t, TimeNs>> edges; ///< of the step graph, and what is usual there
    std::set<std::int64_t> before;                       ///< numbers of the steps
    TimeNs longest = 0;                                  ///< without what is usual
    std::uint32_t longest_end = kNoNode;                 ///< node: the end of the step before it
};
EnginePauses pauses_between_steps(const FindingContext& context);
Finding describe_engine_pauses(const FindingContext& context, const EnginePauses& pauses, double cost);

} // namespace rankscope
