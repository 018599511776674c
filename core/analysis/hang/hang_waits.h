// SPDX-License-Identifier: GPL-3.0-or-later
// The open calls of all dumps, matched across ranks: who has made each, who has finished it, who did not come.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/hang/hang_evidence.h"

namespace rankscope {

/// Equal in name, description and members.
struct HangGroup {
    std::string name;
    std::string description;
    std::vector<int> members; ///< ranks of the job in the order of their places
    bool members_told = true; ///< false: only those that called something are known
};

/// A member's part in an open call.
struct HangPart {
    enum class State : std::uint8_t {
        waiting,
        started,
        finished,
        absent,
        no_dump,
        made ///< others have finished it: it made it too, and whether it finished it is not known
    };
    int rank = 0;
    State state = State::absent;
    bool proved = true;     ///< of absent and finished
    std::uint32_t call = 0; ///< index in the dump's calls, where has_call
    bool has_call = false;
};

/// A call or message that at least one rank made and has not finished.
struct OpenCall {
    std::uint32_t group = 0; ///< index in HangWaits::groups
    std::int64_t seq = 0;
    bool message = false;
    int source = -1; ///< of a message: ranks of the job
    int destination = -1;
    TimeNs since = 0; ///< the first time it was made; 0: not recorded
    std::vector<HangPart> parts;
};

/// How far a rank got in a group, as its pg_status says, where some rank has not finished what it called last there and
/// its dump does not hold that call.
struct HangStatus {
    int rank = 0;
    std::string name; ///< of the group, or what is known of it
    std::string description;
    std::int64_t called = kNoCall;
    std::int64_t finished = kNoCall; ///< kNoCall: none
    bool counts_calls = false;       ///< of all members; else it may count messages, each of two of them
    [[nodiscard]] bool is_open() const { return called > finished; }
};

struct HangWaits {
    std::vector<RankDump> dumps;
    std::vector<HangGroup> groups;
    std::vector<OpenCall> calls;
    /// Of each dump its open calls in the order in which the host made them; messages of one batch have one place.
    struct Queued {
        std::uint32_t call = 0;  ///< index in calls
        std::uint32_t entry = 0; ///< index in the dump's calls
        std::uint32_t place = 0; ///< ascending
    };
    std::vector<std::vector<Queued>> queues;
    std::vector<int> no_dump; ///< members of groups that left none
    /// Of each dump: it has an open call that its buffer no longer holds.
    std::vector<char> lost_open_call;
    std::vector<HangStatus> open_by_status; ///< by group, then rank
    std::vector<int> unmatched;             ///< ranks with open entries, none of which is in calls
    /// Of each dump: groups, and their last collective that the rank has finished as its status says.
    std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> completed;

    [[nodiscard]] std::size_t dump_of(int rank) const; ///< dumps.size(): none
    [[nodiscard]] bool has_dump(int rank) const { return dump_of(rank) < dumps.size(); }
    [[nodiscard]] const FlightRecorderDump& dump(int rank) const; ///< of a rank that has one
    [[nodiscard]] const FlightRecorderCall& entry(const HangPart& part) const;
    [[nodiscard]] const std::string& kind_of(const HangPart& part) const; ///< "all_reduce"; of a part that has_call
    /// call: index in calls.
    [[nodiscard]] HangCall call_of(std::uint32_t call) const;
    [[nodiscard]] std::vector<int> ranks_in(std::uint32_t call, std::initializer_list<HangPart::State> states) const;
    [[nodiscard]] std::vector<int> waiting_in(std::uint32_t call) const; ///< made it and have not finished it
    /// Whether some rank called or finished anything after this one's call ran out of time: then the others may have
    /// finished it only after this one gave up.
    [[nodiscard]] bool others_went_on(std::uint32_t call, int rank) const;
};

/// Of each dump: it says when calls began on the GPU.
std::vector<char> dumps_with_starts(const HangWaits& waits);

/// A collective that waits for all its members is finished by none before all have made it, also those whose dumps do
/// not tell: these become HangPart::State::made.
void tell_what_all_made(HangWaits& waits);

HangWaits match_open_calls(std::span<const RankDump> dumps, const HangEvidence& evidence);

} // namespace rankscope
