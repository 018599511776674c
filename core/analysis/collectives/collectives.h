// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls of a run: what each rank ran, and which of them are the same call on several ranks
// (metrics.md, "Collective matching").
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/selection/selection.h"
#include "core/trace/collective_kind.h"

namespace rankscope {

/// A communication kernel of a rank. group: index in CollectiveMatching::groups.
struct CommCall {
    EventIndex event = kNoEvent;
    TimeRange range; ///< the whole kernel, on the rank's own clock
    CollectiveKind kind = CollectiveKind::other;
    const CollectiveArgs* args = nullptr; ///< nullptr when the trace has none
    std::uint32_t group = 0;
    std::uint32_t stretch = 0; ///< GpuSlice::stretch
};

/// A communicator: from the arguments, or, without any, one per stream that carries communication.
struct CommGroup {
    std::string name; ///< "0", "mesh_tp"; "stream 7" when guessed from the stream
    std::string description;
    std::vector<int> ranks;      ///< members; those seen with it when the trace does not say
    bool recorded = false;       ///< from arguments
    bool point_to_point = false; ///< calls from one rank to one other
    std::vector<int> within;     ///< of point_to_point: members of the recorded group that both belong to

    /// What sentences call it: its description, or its name where nobody described it (PyTorch writes "undefined").
    [[nodiscard]] const std::string& label() const {
        return description.empty() || description == "undefined" ? name : description;
    }
};

/// One call on several ranks. members: (index in Run::ranks, index in CollectiveMatching::calls of that rank).
struct MatchedCall {
    std::uint32_t group = 0;
    CollectiveKind kind = CollectiveKind::other;
    bool complete = false; ///< seen on every traced member of the group, and on two at least
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members;
};

/// A member of a call (collective_timing.h). range: of its kernel on the aligned clock, from its arrival to its end.
struct TimedMember {
    std::uint32_t rank = 0; ///< index in Run::ranks
    std::uint32_t call = 0; ///< index in CollectiveMatching::calls of that rank
    TimeRange range;
};

struct CollectiveMatching {
    std::vector<CommGroup> groups;
    std::vector<std::vector<CommCall>> calls; ///< per rank, in order of start
    std::vector<MatchedCall> matched;         ///< of groups with two traced members or more; by earliest start
    std::int64_t partial = 0;                 ///< of those, calls missing on a traced member

    [[nodiscard]] const CommCall& call(std::pair<std::uint32_t, std::uint32_t> member) const {
        return calls[member.first][member.second];
    }
    [[nodiscard]] const CommCall& call(const TimedMember& member) const { return calls[member.rank][member.call]; }
};

/// work: per rank, as in Run::ranks.
CollectiveMatching match_collectives(const Run& run, std::span<const std::span<const GpuSlice>> work);

/// Per group: all its members are traced, with their communication. Where one is not, nobody knows when it arrived, so
/// neither a transfer nor a bandwidth is known: the calls of the others may hold waits for it.
std::vector<bool> fully_traced(const Run& run, const CollectiveMatching& matching);
/// Whether some call is of a group that is not.
bool has_untraced_members(const Run& run, const CollectiveMatching& matching);

/// All-reduce, reduce-scatter, all-gather, all-to-all, barrier: no member ends before all have started, so all end
/// together and their ends tell clocks apart.
bool synchronises(CollectiveKind kind);

} // namespace rankscope
