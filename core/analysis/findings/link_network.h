// SPDX-License-Identifier: GPL-3.0-or-later
// What groups reach on the network between machines, where no other group tells what is usual.
//   Example: all-reduces of 64 MB between H100 machines reach 20 GB/s, where the network usually carries 50: ratio 2.5,
//   and 60 % of each call is too much.
#pragma once
#include <map>
#include <vector>

#include "core/analysis/findings/link_calls.h"
#include "core/analysis/findings/link_fault.h"

namespace rankscope {

/// A group between machines that nothing can be compared with is measured by what the network carries, at its largest
/// messages. So is a dimension whose groups are all as slow. links: those slow for other reasons; these are added.
void add_below_hardware(const FindingContext& context, const std::map<SameCalls, CallsByGroup>& calls,
                        std::vector<SlowLink>& links);

} // namespace rankscope
