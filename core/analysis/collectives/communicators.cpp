// SPDX-License-Identifier: GPL-3.0-or-later
//   A send of rank 0 names no peer, in a group of ranks 0 to 3. It ends when a receive of rank 2 does, each time: they
//   are of the pair (0, 2). A kernel without arguments is of the communicator that its stream stands for.
#include "core/analysis/collectives/communicators.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/collectives/message_partners.h"

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

void assign_recorded_groups(const Run& run, CollectiveMatching& matching, Groups& groups) {
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        const std::vector<ProcessGroup> full = full_groups(rank);
        for (CommCall& call : matching.calls[r])
            if (call.args != nullptr && call.args->group >= 0)
                call.group = recorded_group(groups, rank, call, full[static_cast<std::size_t>(call.args->group)]);
    }
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

} // namespace

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

bool lacks_its_peer(const CommGroup& group, CollectiveKind kind) {
    return group.recorded && !group.point_to_point && group.ranks.size() > 2 && is_message(kind);
}

void assign_communicators(const Run& run, CollectiveMatching& matching) {
    Groups groups;
    assign_recorded_groups(run, matching, groups);
    join_messages_by_ends(run, matching, groups);
    set_earlier_calls_apart(run, matching, groups);
    assign_stream_groups(run, matching, groups);
    matching.groups = groups.take();
    add_users_to_groups(run, matching);
}

} // namespace rankscope
