// SPDX-License-Identifier: GPL-3.0-or-later
// What first uses of a library cost the hosts: the library is loaded then, once.
//   Example: an operation takes 300 ms where the recording has it first and 10 ms later. A node that covers 150 ms of
//   it costs 150 * 290 / 300 = 145 ms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/findings/first_use.h"
#include "core/analysis/findings/host_fault.h"

namespace rankscope {

/// Where a rank first uses a library: its nodes, and the time that a later use does not take.
struct FirstUses {
    HostTimes host;
    std::vector<TimeNs> of_node;                           ///< of each node but transfers
    std::vector<std::pair<std::uint32_t, TimeNs>> of_edge; ///< launches: what the call itself takes longer
    std::size_t count = 0;
    std::uint32_t rank = 0; ///< of the longest
    FirstUse longest{};
};
/// busy: of busy_times().
FirstUses first_uses_of_hosts(const FindingContext& context, const std::vector<IntervalSet>& busy);
HostFault first_use_fault(const FindingContext& context, const FirstUses& uses);

} // namespace rankscope
