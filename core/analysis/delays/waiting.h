// SPDX-License-Identifier: GPL-3.0-or-later
// Who is to blame for waiting: the rank that comes last to a call may itself have waited for another one.
//
// The rule is Scalasca's (Böhme et al., "Identifying the root causes of wait states in large-scale parallel
// applications"). Who came last and who waited are compared since they last came together: what the last one spent
// longer at (computing, on the host, in transfers, waiting itself) is to blame, each in proportion. Of what it waited
// longer for, the blame goes to whom it had waited for, and so on. All in nanoseconds, so that sums hold exactly. Of
// waits that are half as long or less without a fault that was told, origins_by_faults() (waits_of_faults.h) tells the
// origin.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

struct UsualTimes; // usual/usual_times.h

enum class WaitCause : std::uint8_t {
    computation,
    memory_copy,
    host, ///< between launches, and in their calls
    data_loading,
    garbage_collection,
    allocation,
    launch,          ///< from the launch call to the start on an idle GPU, and between kernels
    synchronisation, ///< from the end of GPU work until the host goes on
    transfer,        ///< in calls and messages, once all had come
    gap              ///< between pieces of work where no launch is recorded, as of operations: nothing tells why
};
inline constexpr std::size_t kWaitCauseCount = static_cast<std::size_t>(WaitCause::gap) + 1;
std::string_view wait_cause_word(WaitCause cause);
/// What a delay in such a node is called.
WaitCause cause_of_work(NodeKind kind);

/// What waits are charged to one rank, ns, summed over all who waited.
struct ChargedWaits {
    std::array<TimeNs, kWaitCauseCount> direct{};    ///< it came last itself
    std::array<TimeNs, kWaitCauseCount> passed_on{}; ///< who came last had waited for it
};

/// Of one call or message: where the delay started that explains most of the waiting in it.
struct WaitOrigin {
    TimeNs waited = 0;            ///< by all members together, ns
    std::uint32_t last = 0;       ///< the rank that came last
    std::uint32_t rank = kNoNode; ///< where the delay started; kNoNode: no recorded event tells
    WaitCause cause = WaitCause::host;
    std::uint32_t shown_by = kNoNode; ///< node: the longest of that cause on the rank; of a gap what came after it
    TimeRange range;                  ///< of that, aligned
    /// The transfer at which the last rank had waited itself, for the same origin; kNoNode: it is the origin.
    std::uint32_t before = kNoNode;
};

struct Waiting {
    TimeNs total = 0;                ///< = all that is charged + unexplained
    std::vector<ChargedWaits> ranks; ///< as Run::ranks
    TimeNs unexplained = 0; ///< held up by what is not recorded, or by communication whose partners are not traced, or
                            ///< by ranks that are not judged
    std::vector<WaitOrigin> origins; ///< per transfer, as StepGraph::matched

    /// Ranks that the delay went through on its way to this transfer (index in origins): from the one that came last to
    /// the one that had waited for the origin. Empty where the origin came last.
    [[nodiscard]] std::vector<std::uint32_t> victims(const StepGraph& graph, std::size_t transfer) const;
};

/// usual: tells where delays started, and changes no sum.
Waiting blame_waiting(const StepGraph& graph, const UsualTimes& usual);

} // namespace rankscope
