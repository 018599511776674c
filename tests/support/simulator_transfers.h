// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the simulator's transfers in the step graph of what it recorded.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/chains.h"

namespace rankscope::machine {

/// A member's rank, its start since kBaseTime, and who sends (-1: a collective), because a rank may start to send and
/// to receive at once: index in Waiting::origins.
using JoinedTransfers = std::map<std::tuple<int, std::int64_t, int>, std::size_t>;

inline JoinedTransfers joined_transfers(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const CollectiveMatching& matching = analysis.collectives();
    const StepGraph& graph = analysis.step_graph();
    JoinedTransfers joined;
    for (std::size_t t = 0; t < graph.matched.size(); ++t) {
        const auto& members = matching.matched[graph.matched[t]].members;
        int sender = -1;
        for (const auto& member : members)
            if (matching.call(member).kind == CollectiveKind::send)
                sender = run.ranks[member.first]->rank;
        for (const auto& member : members) {
            const RankTrace& trace = *run.ranks[member.first];
            joined[{trace.rank, trace.events.start[matching.call(member).event] - kBaseTime, sender}] = t;
        }
    }
    return joined;
}

/// Of a wait of the case: index in Waiting::origins; none where the call is not in the step graph.
inline std::optional<std::size_t> joined_transfer(const Case& made, const JoinedTransfers& joined,
                                                  const WaitChain& wait) {
    const Transfer& transfer = made.simulated.program.transfers[static_cast<std::size_t>(wait.transfer)];
    const int sender = transfer.kind == TransferKind::message ? transfer.members.front() : -1;
    const auto found =
        joined.find({wait.last, recorded_start(made.simulated, made.recording, wait.transfer, wait.last), sender});
    return found == joined.end() ? std::nullopt : std::optional(found->second);
}

} // namespace rankscope::machine
