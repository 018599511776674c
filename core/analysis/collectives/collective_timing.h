// SPDX-License-Identifier: GPL-3.0-or-later
// The table of collective calls and their members: when each came and went, how much they moved and how fast
// (metrics.md, "comm_bandwidth"). Whoever asks for arrivals, waits or transfers of calls reads it here.
#pragma once
#include <ranges>
#include <vector>

#include "core/analysis/collectives/clock_alignment.h"

namespace rankscope {

/// A call, in aligned time. Where only one member of the group is traced, alone is set and latency holds its wait too:
/// bandwidths are lower bounds then.
struct CollectiveTiming {
    static constexpr std::uint32_t kNotMatched = ~std::uint32_t{0};

    std::uint32_t matched = kNotMatched; ///< index in CollectiveMatching::matched
    std::uint32_t group = 0;
    CollectiveKind kind = CollectiveKind::other;
    bool uneven = false; ///< all_to_allv: members may send different amounts
    bool alone = false;
    bool complete = false;            ///< as in MatchedCall
    std::vector<TimedMember> members; ///< in the order of MatchedCall::members: by rank
    TimeNs start = 0;                 ///< first arrival
    TimeNs latency = 0;               ///< shortest duration of a member
    TimeNs longest = 0;               ///< longest duration of a member
    TimeNs start_skew = 0;            ///< last arrival - first arrival
    TimeNs last_apart = 0;            ///< last arrival - the one before it
    TimeNs end_skew = 0;              ///< last end - first end
    TimeNs wall = 0;                  ///< last end - first arrival
    double mean_wait = 0;             ///< of the members for the last to arrive, ns
    std::uint32_t first_rank = 0;     ///< index in Run::ranks; among equals the highest, as TraceLens has it
    std::uint32_t last_rank = 0;      ///< among equals the lowest
    std::int64_t group_size = 0;      ///< 0 when unknown
    std::int64_t bytes = kUnknown;    ///< full message; uneven: mean over members; only of a whole call, as the others
    double algbw = 0;                 ///< 10^9 bytes a second; NaN when not known
    double busbw = 0;

    /// Every traced member ran it, so that its times and its bandwidth are those of the call.
    [[nodiscard]] bool whole() const { return complete || alone; }
    [[nodiscard]] TimeNs last_arrival() const { return start + start_skew; }
};

struct CallTable {
    std::vector<CollectiveTiming> all; ///< CollectiveMatching::matched in its order, then those alone
    std::vector<std::uint32_t> whole;  ///< places in all of whole calls, by first arrival

    [[nodiscard]] auto whole_calls() const {
        return whole | std::views::transform([this](std::uint32_t i) -> const CollectiveTiming& { return all[i]; });
    }
};
CallTable time_collectives(const Run& run, const CollectiveMatching& matching, const ClockAlignment& clock);

/// Bytes of the whole message of a call: what it sends, or, for an all-gather, what it receives; kUnknown without
/// sizes.
std::int64_t message_bytes(const Run& run, const CommCall& call);
/// "all_to_allv" and the like.
bool is_uneven(const Run& run, const CommCall& call);
/// Bytes on the wire per byte of the message, as nccl-tests counts them: all-reduce 2(n-1)/n ...; else 1.
double bus_factor(CollectiveKind kind, std::int64_t group_size);

} // namespace rankscope
