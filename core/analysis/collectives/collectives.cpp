// SPDX-License-Identifier: GPL-3.0-or-later
// Grouping of communication kernels by communicator, and their matching across ranks.
#include "core/analysis/collectives/collectives.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/collectives/call_alignment.h"
#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/collectives/cut_calls.h"
#include "core/analysis/collectives/message_partners.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/analysis/selection/selection.h"
#include "core/base/statistics.h"
#include "core/base/text_match.h"
#include "core/base/work_count.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

/// Groups in order of first use, so that numbering does not depend on threads.
class Groups {
public:
    std::uint32_t find_or_add(const std::string& key, const CommGroup& group) {
        const auto [found, added] = by_key_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
        if (added)
            groups_.push_back(group);
        return found->second;
    }
    [[nodiscard]] const CommGroup& at(std::uint32_t group) const { return groups_[group]; }
    [[nodiscard]] bool empty() const { return groups_.empty(); }
    std::vector<CommGroup> take() { return std::move(groups_); }

private:
    std::map<std::string, std::uint32_t> by_key_;
    std::vector<CommGroup> groups_;
};

/// The rank's groups, their members filled in from the header's list where an event elides them.
std::vector<ProcessGroup> full_groups(const RankTrace& rank) {
    std::map<std::string_view, const std::vector<int>*> members; // by name
    for (const ProcessGroup& known : rank.process_groups)
        if (!known.ranks.empty())
            members.try_emplace(known.name, &known.ranks);
    std::vector<ProcessGroup> groups = rank.process_groups;
    for (ProcessGroup& group : groups)
        if (const auto known = members.find(group.name); group.ranks.empty() && known != members.end())
            group.ranks = *known->second;
    return groups;
}

std::string ranks_key(const std::vector<int>& ranks) {
    std::string key;
    for (const int rank : ranks)
        key += std::to_string(rank) + ',';
    return key;
}

/// A peer is given as a global rank, or as a position in the group.
int global_peer(const ProcessGroup& group, int peer) {
    const bool is_member = std::find(group.ranks.begin(), group.ranks.end(), peer) != group.ranks.end();
    return is_member || peer < 0 || static_cast<std::size_t>(peer) >= group.ranks.size()
               ? peer
               : group.ranks[static_cast<std::size_t>(peer)];
}

/// Sender and receiver of a single send or receive; {-1, -1} when they are not recorded. In a group of two the peer is
/// the other one.
std::pair<int, int> peers(const RankTrace& rank, const CommCall& call, const ProcessGroup& group) {
    const bool single = call.kind == CollectiveKind::send || call.kind == CollectiveKind::recv;
    if (single && group.ranks.size() == 2 && call.args->destination_rank < 0 && call.args->source_rank < 0) {
        const int other = group.ranks[0] == rank.rank ? group.ranks[1] : group.ranks[0];
        return call.kind == CollectiveKind::send ? std::pair{rank.rank, other} : std::pair{other, rank.rank};
    }
    if (call.kind == CollectiveKind::send && call.args->destination_rank >= 0)
        return {rank.rank, global_peer(group, call.args->destination_rank)};
    if (call.kind == CollectiveKind::recv && call.args->source_rank >= 0)
        return {global_peer(group, call.args->source_rank), rank.rank};
    return {-1, -1};
}

std::string group_key(const CommGroup& group) {
    return group.name + '|' + (group.ranks.empty() ? group.description : ranks_key(group.ranks));
}

/// The messages from one member of the group to another.
std::uint32_t message_group(Groups& groups, CommGroup group, int sender, int receiver) {
    std::string key = group_key(group);
    group.point_to_point = true;
    group.within = std::exchange(group.ranks, {sender, receiver});
    group.name += " " + std::to_string(sender) + "->" + std::to_string(receiver);
    key += "|p2p " + group.name;
    return groups.find_or_add(key, group);
}

std::uint32_t recorded_group(Groups& groups, const RankTrace& rank, const CommCall& call, const ProcessGroup& group) {
    const CommGroup entry{group.name, group.description, group.ranks, true, false, {}};
    const auto [sender, receiver] = peers(rank, call, group);
    if (sender >= 0)
        return message_group(groups, entry, sender, receiver);
    // Groups of several jobs may have one name where no members are listed.
    return groups.find_or_add(group_key(entry) + (rank.job > 0 ? "|job " + std::to_string(rank.job) : ""), entry);
}

std::vector<CommCall> calls_of(const RankTrace& rank, std::span<const GpuSlice> work) {
    std::vector<CommCall> calls;
    for (const GpuSlice& slice : work) {
        if (slice.kernel_class == KernelClass::communication) {
            calls.push_back({slice.event, rank.events.range(slice.event), collective_kind_of(rank, slice.event),
                             rank.collective_of(slice.event), kNoGroup, slice.stretch});
        }
    }
    return calls;
}

void assign_recorded_groups(const Run& run, CollectiveMatching& matching, Groups& groups) {
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        const std::vector<ProcessGroup> full = full_groups(rank);
        for (CommCall& call : matching.calls[r])
            if (call.args != nullptr && call.args->group >= 0)
                call.group = recorded_group(groups, rank, call, full[static_cast<std::size_t>(call.args->group)]);
    }
}

/// PyTorch before 2.5 records no peer of a message, which a group of more than two leaves open.
bool lacks_its_peer(const CommGroup& group, CollectiveKind kind) {
    return group.recorded && !group.point_to_point && group.ranks.size() > 2 && is_message(kind);
}

/// When messages end tells the other end of those that do not name it. In a group of which a member is not traced the
/// best match may still be the wrong one.
void join_messages_by_ends(const Run& run, CollectiveMatching& matching, Groups& groups) {
    using Key = std::tuple<std::uint32_t, bool, std::int64_t>; // rank, sends, stream
    std::map<std::uint32_t, std::map<Key, MessageStream>> by_group;
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r)
        for (std::uint32_t c = 0; c < matching.calls[r].size(); ++c) {
            const CommCall& call = matching.calls[r][c];
            const bool sends = call.kind == CollectiveKind::send;
            if (call.group == kNoGroup || !lacks_its_peer(groups.at(call.group), call.kind) ||
                !(sends || call.kind == CollectiveKind::recv))
                continue;
            const Key key{r, sends, run.ranks[r]->lane_of(call.event).stream};
            by_group[call.group].try_emplace(key, MessageStream{r, sends, {}}).first->second.calls.push_back(c);
        }
    std::set<int> traced;
    for (const auto& rank : run.ranks)
        traced.insert(rank->rank);
    for (const auto& [group, by_key] : by_group) {
        if (!std::ranges::all_of(groups.at(group).ranks, [&](int rank) { return traced.contains(rank); }))
            continue;
        const std::vector<MessageStream> streams = [&] {
            const auto values = by_key | std::views::values;
            return std::vector<MessageStream>(values.begin(), values.end());
        }();
        for (const auto& [sends, receives] : message_partners(matching, streams)) {
            const auto rank_of = [&](std::size_t stream) { return run.ranks[streams[stream].rank]->rank; };
            const std::uint32_t pair = message_group(groups, groups.at(group), rank_of(sends), rank_of(receives));
            for (const std::size_t stream : {sends, receives})
                for (const std::uint32_t c : streams[stream].calls)
                    matching.calls[streams[stream].rank][c].group = pair;
        }
    }
}

/// Where other calls of a rank name their groups, those that the recording has no launch of were launched before it:
/// which group's they are, and who else took part, is not known.
void set_earlier_calls_apart(const Run& run, CollectiveMatching& matching, Groups& groups) {
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        std::vector<CommCall>& calls = matching.calls[r];
        if (std::ranges::all_of(calls, [](const CommCall& call) { return call.group == kNoGroup; }))
            continue;
        for (CommCall& call : calls) {
            if (call.group == kNoGroup && rank.events.link[call.event] == kNoEvent) {
                const std::string name = "launched before the recording by rank " + std::to_string(rank.rank);
                call.group = groups.find_or_add(name, {name, "", {rank.rank}, false, false, {}});
            }
        }
    }
}

/// The calls of a rank that name no group, by lane.
std::map<std::int64_t, std::vector<std::uint32_t>> nameless_by_stream(const RankTrace& rank,
                                                                      const std::vector<CommCall>& calls) {
    std::map<std::int64_t, std::vector<std::uint32_t>> streams;
    for (std::uint32_t c = 0; c < calls.size(); ++c)
        if (calls[c].group == kNoGroup)
            streams[rank.lane_of(calls[c].event).stream].push_back(c);
    return streams;
}

/// Calls of equal kind that overlap in time, walking both in order.
std::size_t overlapping(const std::vector<CommCall>& a, const std::vector<std::uint32_t>& of_a,
                        const std::vector<CommCall>& b, const std::vector<std::uint32_t>& of_b) {
    std::size_t count = 0;
    std::size_t j = 0;
    for (const std::uint32_t i : of_a) {
        while (j < of_b.size() && b[of_b[j]].range.end < a[i].range.begin)
            ++j;
        if (j < of_b.size() && b[of_b[j]].range.begin <= a[i].range.end && b[of_b[j]].kind == a[i].kind)
            ++count;
    }
    return count;
}

using StreamCalls = std::map<std::int64_t, std::vector<std::uint32_t>>; ///< calls by stream

/// The group that each stream stands for, named after a stream of the reference rank. Streams whose calls overlap most
/// choose first; where none overlap, a stream takes its own number if that is free. overlap(calls of the reference,
/// calls of the stream): how many run at the same time.
template <typename Overlap>
std::map<std::int64_t, std::string> stream_names(const StreamCalls& streams, const StreamCalls& reference, int rank,
                                                 Overlap overlap) {
    struct Choice {
        std::size_t common = 0;
        std::int64_t stream = 0;
        std::int64_t candidate = 0;
    };
    std::vector<Choice> choices;
    for (const auto& [stream, members] : streams)
        for (const auto& [candidate, its_calls] : reference)
            if (const std::size_t common = overlap(its_calls, members); common > 0)
                choices.push_back({common, stream, candidate});
    std::ranges::stable_sort(choices, [](const Choice& a, const Choice& b) {
        return std::tuple(b.common, a.stream != a.candidate) < std::tuple(a.common, b.stream != b.candidate);
    });
    // XLA's profiles of a TPU number no streams.
    const auto group_name = [](std::int64_t number) {
        return number < 0 ? std::string("the unnumbered stream") : "stream " + std::to_string(number);
    };
    std::map<std::int64_t, std::string> names;
    std::set<std::int64_t> taken;
    for (const Choice& choice : choices)
        if (!names.contains(choice.stream) && taken.insert(choice.candidate).second)
            names.emplace(choice.stream, group_name(choice.candidate));
    for (const auto& [stream, members] : streams)
        if (!names.contains(stream))
            names.emplace(stream, taken.insert(stream).second
                                      ? group_name(stream)
                                      : group_name(stream) + " of rank " + std::to_string(rank));
    return names;
}

/// The only group that calls without arguments can be of: that of all ranks here, where the headers list no other, or
/// where the job has two ranks.
std::optional<ProcessGroup> only_possible_group(const Run& run, const Groups& groups) {
    std::vector<int> all;
    for (const auto& rank : run.ranks)
        all.push_back(rank->rank);
    if (all.size() < 2 || !groups.empty())
        return {};
    ProcessGroup only;
    for (const auto& rank : run.ranks) {
        if (rank->world_size != std::ssize(all))
            return {};
        bool listed = false;
        for (const ProcessGroup& group : rank->process_groups) {
            std::vector<int> members = group.ranks;
            std::ranges::sort(members);
            if (members.size() < 2)
                continue;
            if (members != all)
                return {};
            listed = true;
            if (only.ranks.empty())
                only = group;
        }
        if (!listed && all.size() > 2)
            return {};
    }
    only.ranks = all;
    return only;
}

/// Without arguments a stream stands for a communicator. Streams of different ranks are one communicator when their
/// calls overlap most; stream numbers decide between equals, and where clocks leave no overlap at all.
void assign_stream_groups(const Run& run, CollectiveMatching& matching, Groups& groups) {
    const bool one_job = std::ranges::all_of(run.ranks, [](const auto& rank) { return rank->job == 0; });
    const std::optional<ProcessGroup> only = one_job ? only_possible_group(run, groups) : std::nullopt;
    struct Reference {
        StreamCalls streams;
        std::size_t rank = 0;
    };
    std::map<int, Reference> references; // by job
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const int job = run.ranks[r]->job;
        Reference& reference = references[job];
        std::vector<CommCall>& calls = matching.calls[r];
        std::map<std::int64_t, std::vector<std::uint32_t>> streams = nameless_by_stream(*run.ranks[r], calls);
        const bool first = reference.streams.empty();
        const std::map<std::int64_t, std::string> names = stream_names(
            streams, reference.streams, run.ranks[r]->rank, [&](const auto& its_calls, const auto& members) {
                return overlapping(matching.calls[reference.rank], its_calls, calls, members);
            });
        for (const auto& [stream, members] : streams) {
            std::string name = names.at(stream);
            if (job > 0)
                name += " of job " + std::to_string(job);
            // One of the streams that the headers tell of has the header's name; further ones keep their own.
            const bool named = only && !only->name.empty() && streams.size() == 1;
            const std::uint32_t group =
                only ? groups.find_or_add(
                           name,
                           {named ? only->name : name, named ? only->description : "", only->ranks, true, false, {}})
                     : groups.find_or_add(name, {name, "", {}, false, false, {}});
            for (const std::uint32_t c : members)
                calls[c].group = group;
        }
        if (first)
            reference = {std::move(streams), r};
    }
}

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

/// Members the trace does not name are those that used the group.
void add_users_to_groups(const Run& run, CollectiveMatching& matching) {
    std::vector<bool> known;
    for (const CommGroup& group : matching.groups)
        known.push_back(!group.ranks.empty());
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        for (const CommCall& call : matching.calls[r]) {
            std::vector<int>& ranks = matching.groups[call.group].ranks;
            const bool listed = std::find(ranks.begin(), ranks.end(), run.ranks[r]->rank) != ranks.end();
            if (!known[call.group] && !listed)
                ranks.push_back(run.ranks[r]->rank);
        }
    }
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

namespace {

/// By how much a member of a call ends after its first one, as recorded, and what of that is noise.
std::pair<TimeNs, TimeNs> end_difference(const CollectiveMatching& matching, const MatchedCall& call,
                                         const std::pair<std::uint32_t, std::uint32_t>& member) {
    constexpr TimeNs kNoise = 50'000;
    constexpr TimeNs kOfLength = 10; // one in so many parts of what the call itself takes: of its last member's time
    const TimeRange first = matching.call(call.members.front()).range;
    const TimeRange other = matching.call(member).range;
    return {other.end - first.end, std::max(kNoise, std::min(first.length(), other.length()) / kOfLength)};
}

/// A group that is guessed from a stream may be several: pairs that reduce side by side, messages to unlike neighbours.
/// Calls that are matched wrongly do not end together. One late rank shifts only the ends of its own group. How far
/// two clocks differ changes little from call to call.
std::set<CollectiveKind> kinds_that_end_apart(const CollectiveMatching& matching,
                                              const std::vector<MatchedCall>& calls) {
    constexpr std::size_t kFewChanges = 4;
    using Pair = std::tuple<CollectiveKind, std::uint32_t, std::uint32_t>;
    std::map<Pair, TimeNs> last;                 // difference of the call before
    std::map<Pair, std::vector<TimeNs>> changes; // what is above the noise
    for (const MatchedCall& call : calls)
        for (const auto& member : std::span(call.members).subspan(1)) {
            const auto [difference, noise] = end_difference(matching, call, member);
            const Pair pair{call.kind, call.members.front().first, member.first};
            const auto [before, first] = last.try_emplace(pair, difference);
            if (!first)
                changes[pair].push_back(std::abs(difference - std::exchange(before->second, difference)) - noise);
        }
    std::set<CollectiveKind> apart;
    std::map<CollectiveKind, std::vector<TimeNs>> of_kinds;
    for (const auto& [pair, of_pair] : changes) {
        if (of_pair.size() >= kFewChanges && nearest_rank_percentile(of_pair, 0.75) > 0)
            apart.insert(std::get<0>(pair));
        std::vector<TimeNs>& of_kind = of_kinds[std::get<0>(pair)];
        of_kind.insert(of_kind.end(), of_pair.begin(), of_pair.end());
    }
    for (auto& [kind, of_kind] : of_kinds)
        if (upper_median(std::move(of_kind)) > 0)
            apart.insert(kind);
    return apart;
}

/// Those of which most members end at another time than the first one: it is not known whether clocks differ or calls.
std::set<CollectiveKind> kinds_that_end_at_unlike_times(const CollectiveMatching& matching,
                                                        const std::vector<MatchedCall>& calls) {
    std::map<CollectiveKind, std::vector<TimeNs>> beyond_noise;
    for (const MatchedCall& call : calls)
        for (const auto& member : std::span(call.members).subspan(1)) {
            const auto [difference, noise] = end_difference(matching, call, member);
            beyond_noise[call.kind].push_back(std::abs(difference) - noise);
        }
    std::set<CollectiveKind> unlike;
    for (auto& [kind, of_kind] : beyond_noise)
        if (upper_median(std::move(of_kind)) > 0)
            unlike.insert(kind);
    return unlike;
}

/// A guessed group has messages to unlike neighbours: part_unknown_calls() has parted them.
bool has_messages(const CommGroup& group, const std::vector<MatchedCall>& calls) {
    return !group.recorded && !group.point_to_point && group.ranks.size() > 2 &&
           std::ranges::any_of(
               calls,
               [](const MatchedCall& call) {
                   return call.kind == CollectiveKind::send_recv && call.members.size() == 1;
               });
}

/// Calls of which nothing tells the ranks become one of each member. unlike_stages: ranks of the run send messages to
/// unlike neighbours, so that a guessed group may be one of each stage, whose calls end when the stage is done.
void part_unknown_calls(const CollectiveMatching& matching, const CommGroup& group, bool unlike_stages,
                        std::vector<MatchedCall>& calls) {
    std::set<CollectiveKind> apart;
    if (!group.recorded) {
        apart = kinds_that_end_apart(matching, calls);
        if (unlike_stages)
            apart.merge(kinds_that_end_at_unlike_times(matching, calls));
    }
    const auto is_unknown = [&](CollectiveKind kind) {
        const bool ends_together = synchronises(kind) || kind == CollectiveKind::send_recv;
        return lacks_its_peer(group, kind) || (ends_together && apart.contains(kind));
    };
    std::vector<MatchedCall> parted;
    for (MatchedCall& call : calls) {
        if (is_unknown(call.kind))
            for (const auto& member : call.members)
                parted.push_back({call.group, call.kind, false, {member}});
        else
            parted.push_back(std::move(call));
    }
    calls = std::move(parted);
}

} // namespace

CollectiveMatching match_collectives(const Run& run, std::span<const std::span<const GpuSlice>> work) {
    count_work("match_collectives");
    CollectiveMatching matching;
    matching.calls = per_rank<std::vector<CommCall>>(
        run, [&](const RankTrace& rank, std::size_t r) { return calls_of(rank, work[r]); });
    Groups groups;
    assign_recorded_groups(run, matching, groups);
    join_messages_by_ends(run, matching, groups);
    set_earlier_calls_apart(run, matching, groups);
    assign_stream_groups(run, matching, groups);
    matching.groups = groups.take();
    add_users_to_groups(run, matching);

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
