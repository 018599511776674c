// SPDX-License-Identifier: GPL-3.0-or-later
// Matching of calls across ranks: which kernels of several ranks are one call.
//   Ranks 0 and 1 all-reduce 1 MB and then 2 MB, rank 1 begins with the 2 MB: the two of 2 MB are one call, and that of
//   1 MB is rank 0's alone.
#include "core/analysis/collectives/collectives.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/collectives/call_alignment.h"
#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/collectives/communicators.h"
#include "core/analysis/collectives/cut_calls.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/analysis/collectives/unknown_calls.h"
#include "core/base/work_count.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

/// Equal for calls that may be one: sizes count only where all members must agree on them.
std::uint64_t token_of(const CommCall& call, bool point_to_point) {
    std::uint64_t token = point_to_point ? std::uint64_t{99} : static_cast<std::uint64_t>(call.kind);
    if (call.args == nullptr)
        return token;
    const auto mix = [&token](std::uint64_t value) {
        token = (token ^ value) * 0x9E3779B97F4A7C15ULL + (token >> 29U);
    };
    mix(call.args->dtype);
    if (call.kind == CollectiveKind::all_to_all)
        return token; // its sizes may differ from rank to rank
    mix(static_cast<std::uint64_t>(point_to_point ? 0 : call.args->in_elements));
    mix(static_cast<std::uint64_t>(point_to_point ? 0 : call.args->out_elements));
    return token;
}

struct GroupCalls {
    std::uint32_t rank = 0;             ///< index in Run::ranks
    std::vector<std::uint32_t> indices; ///< of its calls in the group
    std::vector<CallKey> keys;
};

struct GroupMatch {
    std::vector<MatchedCall> calls;
    bool ambiguous = false; ///< some members' calls could not be told apart without knowing their clocks
};

/// Clock of rank b minus that of rank a; none when nothing has told it.
using ClockDifference = std::function<std::optional<TimeNs>(std::uint32_t a, std::uint32_t b)>;

GroupMatch match_group(const CollectiveMatching& matching, std::uint32_t group, const std::vector<GroupCalls>& ranks,
                       const ClockDifference& clock) {
    // The rank that saw most calls is what the others are aligned with.
    const auto reference = std::max_element(ranks.begin(), ranks.end(), [](const GroupCalls& a, const GroupCalls& b) {
        return a.indices.size() < b.indices.size();
    });
    GroupMatch result;
    std::vector<MatchedCall>& matched = result.calls;
    for (const std::uint32_t c : reference->indices)
        matched.push_back({group, matching.calls[reference->rank][c].kind, false, {{reference->rank, c}}});
    std::vector<MatchedCall> alone;
    for (const GroupCalls& other : ranks) {
        if (&other == &*reference)
            continue;
        std::vector<bool> used(other.indices.size());
        const CallAlignment alignment = align_calls(reference->keys, other.keys, clock(reference->rank, other.rank));
        result.ambiguous = result.ambiguous || alignment.ambiguous;
        for (const auto& [i, j] : alignment.pairs) {
            matched[i].members.emplace_back(other.rank, other.indices[j]);
            used[j] = true;
        }
        for (std::size_t j = 0; j < used.size(); ++j) {
            if (!used[j]) {
                alone.push_back({group,
                                 matching.calls[other.rank][other.indices[j]].kind,
                                 false,
                                 {{other.rank, other.indices[j]}}});
            }
        }
    }
    for (MatchedCall& call : matched) {
        std::sort(call.members.begin(), call.members.end());
        call.complete = call.members.size() == ranks.size();
    }
    matched.insert(matched.end(), alone.begin(), alone.end());
    return result;
}

/// Calls of one communicator on several streams run side by side, and which starts first may differ from rank to rank
/// (FSDP gathers on one stream and scatters on another): then only those of one kind keep their order.
bool run_side_by_side(const GroupCalls& member) {
    for (std::size_t i = 1; i < member.keys.size(); ++i)
        if (member.keys[i].range.begin < member.keys[i - 1].range.end)
            return true;
    return false;
}

/// The calls of a member by the stream they run on.
std::map<std::int64_t, GroupCalls> by_stream(const Run& run, const CollectiveMatching& matching,
                                             const GroupCalls& member) {
    std::map<std::int64_t, GroupCalls> streams;
    const RankTrace& rank = *run.ranks[member.rank];
    for (std::size_t i = 0; i < member.indices.size(); ++i) {
        const CommCall& call = matching.calls[member.rank][member.indices[i]];
        GroupCalls& same = streams[rank.lane_of(call.event).stream];
        same.rank = member.rank;
        same.indices.push_back(member.indices[i]);
        same.keys.push_back(member.keys[i]);
    }
    return streams;
}

/// Messages from one rank to another keep their order on each stream, not across streams: in an interleaved pipeline of
/// two ranks activations and gradients go the same way. The streams of both sides belong together by how many messages
/// they carry; where that does not tell, all messages are one part.
std::vector<std::vector<GroupCalls>> message_parts(const Run& run, const CollectiveMatching& matching,
                                                   const std::vector<GroupCalls>& members) {
    if (members.size() != 2)
        return {members};
    std::vector<std::vector<GroupCalls>> sides;
    for (const GroupCalls& member : members) {
        std::vector<GroupCalls>& side = sides.emplace_back();
        for (auto& [stream, calls] : by_stream(run, matching, member))
            side.push_back(std::move(calls));
        std::ranges::stable_sort(side, std::greater<>(), [](const GroupCalls& one) { return one.indices.size(); });
    }
    const std::size_t streams = sides[0].size();
    if (streams < 2 || sides[1].size() != streams)
        return {members};
    const auto count = [&](std::size_t side, std::size_t i) { return static_cast<double>(sides[side][i].keys.size()); };
    std::vector<std::vector<GroupCalls>> parts;
    for (std::size_t i = 0; i < streams; ++i) {
        for (const std::size_t side : {0, 1})
            if (i + 1 < streams && count(side, i) - count(side, i + 1) <= 4 * std::abs(count(0, i) - count(1, i)))
                return {members};
        parts.push_back({sides[0][i], sides[1][i]});
    }
    return parts;
}

std::vector<std::vector<GroupCalls>> parts_in_order(const Run& run, const CollectiveMatching& matching,
                                                    const CommGroup& group, const std::vector<GroupCalls>& members) {
    if (group.point_to_point)
        return message_parts(run, matching, members);
    if (std::ranges::none_of(members, run_side_by_side))
        return {members};
    std::map<CollectiveKind, std::vector<GroupCalls>> parts;
    for (const GroupCalls& member : members)
        for (const std::uint32_t c : member.indices)
            parts[matching.calls[member.rank][c].kind];
    std::vector<std::vector<GroupCalls>> result;
    for (auto& [kind, part] : parts) {
        for (const GroupCalls& member : members) {
            part.push_back({member.rank, {}, {}});
            for (std::size_t i = 0; i < member.indices.size(); ++i) {
                if (matching.calls[member.rank][member.indices[i]].kind == kind) {
                    part.back().indices.push_back(member.indices[i]);
                    part.back().keys.push_back(member.keys[i]);
                }
            }
        }
        result.push_back(std::move(part));
    }
    return result;
}

/// Sets of ranks whose clocks matched calls have compared, or messages as well.
RankSets compared_sets(const CollectiveMatching& matching, std::size_t ranks, bool messages) {
    RankSets sets(ranks);
    for (const MatchedCall& call : matching.matched) {
        const bool message = matching.groups[call.group].point_to_point;
        if (message ? !messages : !synchronises(call.kind))
            continue;
        for (const auto& member : call.members)
            sets.join(call.members.front().first, member.first);
    }
    return sets;
}

/// The calls of every group by rank: traced members only, also those without a single call in it. A rank without any
/// communication was recorded without it.
std::vector<std::vector<GroupCalls>> calls_by_group(const Run& run, const CollectiveMatching& matching) {
    // Without times a call was placed at the same time on all its members: where it starts says which it is.
    const bool times = recorded(run).times;
    std::vector<std::vector<GroupCalls>> result(matching.groups.size());
    for (std::size_t g = 0; g < result.size(); ++g) {
        for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
            const std::vector<int>& members = matching.groups[g].ranks;
            if (!matching.calls[r].empty() &&
                std::find(members.begin(), members.end(), run.ranks[r]->rank) != members.end())
                result[g].push_back({r, {}, {}});
        }
    }
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        const WorkSteps steps(*run.ranks[r]);
        const bool marked = !has_engine_steps(*run.ranks[r]); // those are counted from 1 in each file
        for (std::uint32_t c = 0; c < matching.calls[r].size(); ++c) {
            const CommCall& call = matching.calls[r][c];
            // Calls of a stream may be of several groups: in which order these come, steps do not tell.
            const ProfilerStep* const step =
                marked && matching.groups[call.group].recorded ? steps.of(call.event) : nullptr;
            const bool point_to_point = matching.groups[call.group].point_to_point;
            std::vector<GroupCalls>& members = result[call.group];
            const auto entry =
                std::lower_bound(members.begin(), members.end(), r,
                                 [](const GroupCalls& member, std::uint32_t rank) { return member.rank < rank; });
            if (entry != members.end() && entry->rank == r) {
                entry->indices.push_back(c);
                entry->keys.push_back({token_of(call, point_to_point),
                                       times ? call.range : TimeRange{call.range.begin, call.range.begin + 1},
                                       !point_to_point && synchronises(call.kind),
                                       run.ranks[r]->collective_sequence_of(call.event),
                                       !point_to_point                     ? MessageEnd::none
                                       : call.kind == CollectiveKind::send ? MessageEnd::send
                                       : call.kind == CollectiveKind::recv ? MessageEnd::receive
                                                                           : MessageEnd::none,
                                       step == nullptr ? -1 : step->number});
            }
        }
    }
    return result;
}

/// As many calls on either side, and not all of them matched: whose clocks nothing else compares may seem to receive
/// before they send.
bool is_torn(const std::vector<GroupCalls>& members, const GroupMatch& match) {
    return members.size() == 2 && members.front().keys.size() == members.back().keys.size() &&
           std::ranges::any_of(
               match.calls, [](const MatchedCall& call) { return !call.complete; });
}

std::ptrdiff_t complete_calls(const GroupMatch& match) {
    return std::ranges::count_if(match.calls, &MatchedCall::complete);
}

} // namespace

std::vector<bool> fully_traced(const Run& run, const CollectiveMatching& matching) {
    std::set<int> traced;
    for (std::size_t r = 0; r < run.ranks.size(); ++r)
        if (!matching.calls[r].empty())
            traced.insert(run.ranks[r]->rank);
    std::vector<bool> result;
    for (const CommGroup& group : matching.groups)
        result.push_back(std::ranges::all_of(group.ranks, [&](int rank) { return traced.contains(rank); }) &&
                         (group.recorded || run.world_size <= std::ssize(run.ranks)));
    for (const std::vector<CommCall>& calls : matching.calls)
        for (const CommCall& call : calls)
            if (const CommGroup& group = matching.groups[call.group];
                call.args != nullptr && !group.point_to_point && call.args->group_size > std::ssize(group.ranks))
                result[call.group] = false;
    return result;
}

bool has_untraced_members(const Run& run, const CollectiveMatching& matching) {
    const std::vector<bool> traced = fully_traced(run, matching);
    return std::ranges::any_of(matching.calls, [&](const std::vector<CommCall>& calls) {
        return std::ranges::any_of(calls, [&](const CommCall& call) { return !traced[call.group]; });
    });
}

bool synchronises(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::all_reduce:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::barrier: return true;
    default: return false;
    }
}

std::vector<bool> cut_calls(const CollectiveMatching& matching, std::span<const TimeRange> windows) {
    std::vector<bool> cut;
    for (const MatchedCall& call : matching.matched)
        cut.push_back(std::ranges::any_of(call.members, [&](const auto& member) {
            const TimeRange& own = matching.call(member).range;
            const TimeRange& range = windows[member.first];
            return own.begin < range.begin || own.end > range.end;
        }));
    return cut;
}

CollectiveMatching match_collectives(const Run& run, std::span<const std::span<const GpuSlice>> work) {
    count_work("match_collectives");
    CollectiveMatching matching;
    matching.calls = per_rank<std::vector<CommCall>>(
        run, [&](const RankTrace& rank, std::size_t r) { return calls_of(rank, work[r]); });
    assign_communicators(run, matching);

    const std::vector<std::vector<GroupCalls>> by_group = calls_by_group(run, matching);
    std::vector<GroupMatch> found(by_group.size());
    bool unlike_stages = false;
    const auto match = [&](std::size_t g, const ClockDifference& clock) {
        found[g] = {};
        if (by_group[g].size() < 2)
            return;
        for (const auto& part : parts_in_order(run, matching, matching.groups[g], by_group[g])) {
            GroupMatch of_part = match_group(matching, static_cast<std::uint32_t>(g), part, clock);
            std::ranges::move(of_part.calls, std::back_inserter(found[g].calls));
            found[g].ambiguous = found[g].ambiguous || of_part.ambiguous;
        }
        if (!matching.groups[g].point_to_point)
            part_unknown_calls(matching, matching.groups[g], unlike_stages, found[g].calls);
    };
    std::vector<bool> torn(found.size()); // messages between two ranks
    const auto collect = [&](bool with_torn = true) {
        matching.matched.clear();
        for (std::size_t g = 0; g < found.size(); ++g)
            if (with_torn || !torn[g])
                matching.matched.insert(matching.matched.end(), found[g].calls.begin(), found[g].calls.end());
    };
    tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t g) {
        match(g, [](std::uint32_t, std::uint32_t) { return std::optional<TimeNs>{}; });
    });
    for (std::size_t g = 0; g < found.size(); ++g)
        unlike_stages = unlike_stages || has_messages(matching.groups[g], found[g].calls);
    for (std::size_t g = 0; unlike_stages && g < found.size(); ++g)
        if (!matching.groups[g].point_to_point)
            part_unknown_calls(matching, matching.groups[g], true, found[g].calls);
    collect();
    if (std::any_of(found.begin(), found.end(), [](const GroupMatch& group) { return group.ambiguous; })) {
        // What the other groups tell about the clocks decides.
        const ClockAlignment clock = align_clocks(matching, run.ranks.size(), Align::collectives);
        const RankSets sets = compared_sets(matching, run.ranks.size(), false);
        for (std::size_t g = 0; g < found.size(); ++g) {
            if (found[g].ambiguous) {
                match(
                    g,
                    [&](std::uint32_t a, std::uint32_t b) {
                        return sets.joined(a, b) ? std::optional(clock.offset[b] - clock.offset[a]) : std::nullopt;
                    });
            }
        }
        collect();
    }
    for (std::size_t g = 0; g < found.size(); ++g)
        torn[g] = matching.groups[g].point_to_point && is_torn(by_group[g], found[g]);
    if (std::ranges::find(torn, true) != torn.end()) {
        // What other messages tell about the clocks decides.
        collect(false);
        const std::vector<TimeNs> offsets =
            offsets_by_messages(matching, align_clocks(matching, run.ranks.size(), Align::collectives));
        const RankSets sets = compared_sets(matching, run.ranks.size(), true);
        for (std::size_t g = 0; g < found.size(); ++g) {
            if (!torn[g] || !sets.joined(by_group[g].front().rank, by_group[g].back().rank))
                continue;
            GroupMatch before = std::move(found[g]);
            match(g, [&](std::uint32_t a, std::uint32_t b) { return std::optional(offsets[b] - offsets[a]); });
            if (complete_calls(found[g]) <= complete_calls(before))
                found[g] = std::move(before);
        }
        collect();
    }
    matching.partial = std::count_if(
        matching.matched.begin(), matching.matched.end(), [](const MatchedCall& c) { return !c.complete; });
    const auto start = [&](const MatchedCall& call) { return matching.call(call.members.front()).range.begin; };
    std::stable_sort(matching.matched.begin(), matching.matched.end(),
                     [&](const MatchedCall& a, const MatchedCall& b) { return start(a) < start(b); });
    return matching;
}

} // namespace rankscope
