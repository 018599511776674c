// SPDX-License-Identifier: GPL-3.0-or-later
// A job that hangs: which rank did not come, told from the Flight Recorder dumps of its ranks (docs/hangs.md).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/trace/flight_recorder.h"

namespace rankscope {

struct Run;

/// The dump of one rank, as find_hang() takes it.
struct RankDump {
    int rank = 0;
    const FlightRecorderDump* dump = nullptr;
};

/// A call of a group, or a message between two of its ranks.
struct HangCall {
    std::string group; ///< its name
    std::string description;
    std::string kind; ///< "all_reduce", "send"
    std::int64_t seq = kNoCall;
    int source = -1; ///< of a message: ranks of the job
    int destination = -1;
    int size = 0;                ///< members of the group
    bool may_be_message = false; ///< a pg_status alone tells of it
    friend bool operator==(const HangCall&, const HangCall&) = default;
};

/// What stands in the way of a call.
enum class HangProblem : std::uint8_t { missing, mismatch, stuck_inside, deadlock, no_dump };

/// A call that a rank made and that is not finished.
struct HangWait {
    HangCall call;
    TimeNs since = 0;         ///< when the rank made the call; 0: not recorded
    std::vector<int> ranks;   ///< who holds it up, as far as is known; ascending
    std::uint32_t frames = 0; ///< index in the stacks of the rank's dump
};

enum class HangVerdict : std::uint8_t {
    culprit,  ///< proved
    possible, ///< nothing proves it, nothing clears it
    deadlock, ///< waits in a circle
    no_dump,  ///< left nothing
    victim,   ///< waits for others
    unconcerned
};

struct HangRank {
    int rank = 0;
    HangVerdict verdict = HangVerdict::unconcerned;
    Message why; ///< one or two sentences; empty for victims
    std::optional<HangCall> last_completed;
    TimeNs last_completed_at = 0;        ///< 0: not recorded
    std::optional<HangCall> last_called; ///< the last call its host made
    TimeNs last_called_at = 0;
    std::vector<HangWait> waits;             ///< its first open calls, the oldest first; at most kListedWaits
    std::size_t open_calls = 0;              ///< all of them
    std::vector<FlightRecorderFrame> frames; ///< of its last call, where recorded; innermost first
};
inline constexpr std::size_t kListedWaits = 32;

/// Members that called the same, at a place where others called something else.
struct HangVariant {
    Message called; ///< "all_reduce [[1024, 8]] BFloat16"
    std::vector<int> ranks;
};
struct HangMismatch {
    HangCall call;
    std::string what;                  ///< "kind", "sizes", "types" or "totals": all send more or less than all receive
    std::vector<HangVariant> variants; ///< the most frequent first
};

/// One rank waits for another in a call of its own.
struct HangLink {
    int waiter = 0;
    int awaited = 0;
    HangCall call;
};

struct Hang {
    std::optional<HangCall> first_stuck; ///< nothing: no call is open
    HangProblem problem = HangProblem::missing;
    std::vector<int> waiting;        ///< in first_stuck; ascending
    std::vector<int> absent;         ///< did not make it, or may not have made it:
    std::vector<int> perhaps_absent; ///< of these, those without a dump that can be read
    TimeNs since = 0;                ///< when the first of them made it
    std::vector<HangRank> ranks;     ///< by verdict, then ascending: those with a dump and those without
    std::vector<int> no_dump;
    std::vector<HangLink> deadlock; ///< the circle, each waits for the next one's waiter
    std::vector<HangMismatch> mismatches;
    std::vector<HangLink> links; ///< who waits for whom, in the oldest open call of each
    std::vector<Message> notes;  ///< what could not be judged
    TimeNs last_time = 0;        ///< the latest of all dumps

    [[nodiscard]] std::vector<const HangRank*> with(HangVerdict verdict) const;
    [[nodiscard]] const HangRank* rank(int number) const; ///< nullptr when not known
};

/// dumps: ascending by rank, each rank once.
Hang find_hang(std::span<const RankDump> dumps);
/// nullptr for a run that has no dumps.
std::shared_ptr<const Hang> find_hang(const Run& run);

/// One sentence: "The job hangs: rank 9 did not come to all_to_all 45265 of group 72 (…); 15 others wait."
Message hang_headline(const Hang& hang);
/// "all_reduce 17 of group 5 (TENSOR_MODEL_PARALLEL_GROUP)", "message 3 from rank 0 to rank 8 in group 6".
Message hang_call_text(const HangCall& call);
/// "ranks 0 to 3, 7 and 9"; "no rank".
Message rank_list_text(std::span<const int> ranks);
std::string_view hang_verdict_word(HangVerdict verdict); ///< "culprit", "possible", ...
std::string_view hang_problem_word(HangProblem problem); ///< "missing", "mismatch", "stuck inside", ...

} // namespace rankscope
