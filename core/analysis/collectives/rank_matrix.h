// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends how much to whom: of messages, and of all-to-alls whose split sizes are recorded. What other collectives
// send between two ranks depends on NCCL's algorithm, which traces do not record.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/collectives/collective_summaries.h"

namespace rankscope {

/// From one rank to another, by messages or by all-to-alls.
struct RankTraffic {
    int source = 0;
    int destination = 0;
    CollectiveKind kind = CollectiveKind::send_recv; ///< or all_to_all
    std::int64_t calls = 0;
    std::int64_t without_size = 0; ///< of calls: those that add no bytes
    std::int64_t bytes = 0;
    std::int64_t timed_calls = 0; ///< messages of which both ends are traced
    std::int64_t timed_bytes = 0; ///< of these
    TimeNs time = 0;              ///< of these: shortest duration of the two ends, summed
};

/// The same between machines (machines.h); nothing: not known which.
struct MachineTraffic {
    std::optional<std::int64_t> source;
    std::optional<std::int64_t> destination;
    std::int64_t calls = 0;
    std::int64_t bytes = 0;
    std::int64_t timed_bytes = 0;
    TimeNs time = 0;
};

struct RankMatrix {
    std::vector<RankTraffic> ranks;       ///< by source, destination, kind
    std::vector<MachineTraffic> machines; ///< by source, destination; those not known first
    std::int64_t without_direction = 0;   ///< messages that do not tell who sends
};

RankMatrix rank_matrix(const Run& run, const CollectiveMatching& matching, const CallTable& table,
                       const std::vector<AllToAllTraffic>& all_to_all, const Machines& machines);

} // namespace rankscope
