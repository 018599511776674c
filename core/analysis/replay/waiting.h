// SPDX-License-Identifier: GPL-3.0-or-later
// Who is to blame for waiting: the rank that comes last to a call may itself have waited for another one.
//
// The rule is Scalasca's (Böhme et al., "Identifying the root causes of wait states in large-scale parallel
// applications"): a wait is charged to what the last rank did during it, backwards from its arrival; where that was
// itself held up by a call or a message, the walk goes on at the rank that came last there. All in nanoseconds, so that
// sums hold exactly.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/replay/peer_times.h"
#include "core/analysis/replay/step_graph.h"

namespace rankscope {

enum class WaitCause : std::uint8_t {
    computation,
    memory_copy,
    host, ///< between launches, and in their calls
    data_loading,
    garbage_collection,
    allocation,
    launch,          ///< from the launch call to the start on an idle GPU, and between kernels
    synchronisation, ///< from the end of GPU work until the host goes on
    transfer         ///< of another call or message: of its rank that came last
};
inline constexpr std::size_t kWaitCauseCount = static_cast<std::size_t>(WaitCause::transfer) + 1;
std::string_view wait_cause_word(WaitCause cause);

/// What waits are charged to one rank, ns, summed over all who waited.
struct ChargedWaits {
    std::array<TimeNs, kWaitCauseCount> direct{};    ///< it came last itself
    std::array<TimeNs, kWaitCauseCount> passed_on{}; ///< who came last had waited for it
    /// Of the waits at collectives: what this rank took longer than its peers since the members last came together, as
    /// far as it explains the waits; and, of peers that do the same work, all of a wait that no other rank has part in.
    /// What a program is made of (the order of a pipeline, say) is nobody's fault and not in here.
    double late = 0;
};

struct Waiting {
    TimeNs total = 0;                ///< = all that is charged + unexplained
    std::vector<ChargedWaits> ranks; ///< as Run::ranks
    TimeNs unexplained = 0; ///< held up by what is not recorded, or by communication whose partners are not traced
};

/// start, times: as recorded, or of a replay.
Waiting blame_waiting(const StepGraph& graph, const PeerTimes& peers, const CollectiveMatching& matching,
                      std::span<const TimeNs> start, const GraphTimes& times);

} // namespace rankscope
