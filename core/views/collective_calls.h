// SPDX-License-Identifier: GPL-3.0-or-later
// The matched collective calls of a run as a table: what each was, and which of them a filter leaves in which order.
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

/// Loops over calls look at their stop token once for this many calls.
inline constexpr std::size_t kCallsBetweenStops = 4096;

/// What a call was, beside its CollectiveTiming. word: index in CollectiveCalls::words.
struct ListedCall {
    std::uint32_t word = 0;
    NameId dtype = 0;
    ParallelDimension dimension = ParallelDimension::unknown;
    std::uint32_t transfer = kNoNode; ///< index in Waiting::origins; kNoNode: nobody is known to have waited
};

struct CollectiveCalls {
    std::shared_ptr<const RunAnalysis> analysis;
    std::vector<ListedCall> calls;  ///< as CallTable::whole
    std::vector<std::string> words; ///< as recorded ("allreduce"), else the kind's; ascending

    [[nodiscard]] std::size_t size() const { return calls.size(); }
    [[nodiscard]] const CollectiveTiming& timing(std::size_t call) const {
        return analysis->call_table().all[analysis->call_table().whole[call]];
    }
    [[nodiscard]] const CommGroup& group(std::size_t call) const {
        return analysis->collectives().groups[timing(call).group];
    }
};
/// Nothing is known of it but that a rank ran a kernel of a communication library.
bool is_unknown_call(const CollectiveTiming& timing);
/// One rank arrived last: others are recorded, and not all came at the same time.
bool is_last_rank_known(const CollectiveTiming& timing);
/// Where the delay started for which members of the call waited; nullptr where nobody did, or nothing recorded tells.
const WaitOrigin* origin_of_waits(const CollectiveCalls& calls, std::uint32_t call);
/// Stopped: without calls.
CollectiveCalls list_collective_calls(std::shared_ptr<const RunAnalysis> analysis, const std::stop_token& stop = {});

/// What is not set lets everything through.
struct CallFilter {
    std::optional<CollectiveKind> kind;
    std::optional<ParallelDimension> dimension;
    std::optional<std::uint32_t> group; ///< index in CollectiveMatching::groups
    bool messages = true;               ///< also calls between two ranks: sends and receives
    std::string text;    ///< in the word, the group's name or description, or the dtype; whatever the case
    bool unknown = true; ///< also kernels of unknown kind that no other rank joined
    friend bool operator==(const CallFilter&, const CallFilter&) = default;
};
/// Indices of calls, ascending: by first arrival.
std::vector<std::uint32_t> filter_calls(const CollectiveCalls& calls, const CallFilter& filter,
                                        const std::stop_token& stop = {});

enum class CallColumn : std::uint8_t {
    number,
    start,
    word,
    kind,
    group,
    dimension,
    dtype,
    bytes,
    busbw,
    duration,
    lag,
    last_rank,
    origin,
    ranks
};
inline constexpr std::size_t kCallColumnCount = static_cast<std::size_t>(CallColumn::ranks) + 1;
/// Calls that are equal in the column stay as they stand; what is unknown comes last either way.
void sort_calls(const CollectiveCalls& calls, std::vector<std::uint32_t>& order, CallColumn column, bool descending);

/// "mesh_dp", or the group's name, or "stream 7".
std::string group_title(const CommGroup& group);

} // namespace rankscope
