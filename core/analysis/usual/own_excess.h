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

/// What a node takes more than its peers, ns, and what that is put down to; 0 where no peer tells. May be negative.
struct OwnExcess {
    OwnCause cause = OwnCause::slower_kernels;
    TimeNs time = 0;
};
OwnExcess own_excess(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node);
/// What the host takes longer than its peers' before a node that is not a launch or a wait, ns; 0 where no peer tells.
TimeNs excess_before(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node);
/// Takes the excess of these ranks for the cause out of the times. Of slower kernels that is a factor (as_fast).
void remove_excess(const StepGraph& graph, const PeerTimes& peers, OwnCause cause, const std::vector<bool>& ranks,
                   GraphTimes& times);

} // namespace rankscope
