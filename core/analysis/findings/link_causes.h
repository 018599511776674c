// SPDX-License-Identifier: GPL-3.0-or-later
// Which slow groups have one cause, such as the network card of a rank.
//   Example: of groups {2, 3}, {3, 4} and {4, 5} the first two are slow: the card of rank 3.
//   Example: messages from rank 0 to rank 1 and from rank 1 to rank 0 are slow: one link.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/findings/link_calls.h"
#include "core/analysis/findings/link_fault.h"

namespace rankscope {

/// One cause is one finding. A rank whose groups are all slow while its partners' other groups are not has a slow card;
/// the two directions between two ranks are one link.
std::vector<SlowLink> join_by_cause(const FindingContext& context, std::map<std::uint32_t, SlowLink> slow,
                                    const std::map<SameCalls, CallsByGroup>& calls);

} // namespace rankscope
