// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank takes longer than its peers, and for what.
//   A copy takes 5 us, on its peers 2 us: 3 us, slower_copies.
#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/usual/peer_times.h"

namespace rankscope {

/// What a rank can take longer for than its peers.
enum class OwnCause : std::uint8_t {
    slower_kernels, ///< computation of the same name
    slower_copies,  ///< copies and sets in the same place
    more_kernels,   ///< GPU work that peers do not have, with its launches
    host_bound,     ///< the host between its launches
    data_loading,
    garbage_collection,
    synchronisation, ///< blocking calls that peers do not have
    allocation,
    late_start ///< its first step starts later: why lies before the recording
};
inline constexpr std::size_t kOwnCauseCount = static_cast<std::size_t>(OwnCause::late_start) + 1;

/// How much longer a node takes than the same work on its peers, ns, and why. 0: no peer has it. Negative: it is
/// faster.
struct OwnExcess {
    OwnCause cause = OwnCause::slower_kernels;
    TimeNs time = 0;
};
OwnExcess own_excess(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node);
/// How much longer the host takes than its peers' before a node that is no launch and no wait, ns. 0: no peer has it.
TimeNs excess_before(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node);
/// Takes the excess of these ranks for the cause out of the times. Of slower kernels that is a factor (as_fast).
void remove_excess(const StepGraph& graph, const PeerTimes& peers, OwnCause cause, const std::vector<bool>& ranks,
                   GraphTimes& times);

} // namespace rankscope
