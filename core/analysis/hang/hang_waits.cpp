// SPDX-License-Identifier: GPL-3.0-or-later
// Matches the open calls of all ranks. What is not in a dump proves something only where the dump would hold it.
#include "core/analysis/hang/hang_waits.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include <tbb/parallel_for.h>

#include "core/analysis/hang/dump_progress.h"
#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

/// Batches of messages are told by the messages in them.
bool is_marker(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    return call.is_p2p && !call.is_message() && dump.kinds[call.kind] == "coalesced";
}

using Made = DumpProgress::Made;

class Matcher {
public:
    Matcher(std::span<const RankDump> dumps, const HangEvidence& evidence) : progress_(dumps, evidence) {
        waits_.dumps.assign(dumps.begin(), dumps.end());
        waits_.groups = progress_.groups();
        waits_.queues.resize(dumps.size());
        std::set<int> members;
        for (const HangGroup& group : waits_.groups)
            members.insert(group.members.begin(), group.members.end());
        std::ranges::copy_if(members, std::back_inserter(waits_.no_dump),
                             [&](int rank) { return !waits_.has_dump(rank); });
        for (std::size_t i = 0; i < dumps.size(); ++i) {
            waits_.lost_open_call.push_back(static_cast<char>(progress_.lost_open_call(i)));
            waits_.completed.push_back(progress_.completed(i));
        }
    }

    HangWaits match() {
        match_collectives();
        match_messages();
        line_up();
        find_open_by_status();
        return std::move(waits_);
    }

private:
    [[nodiscard]] const FlightRecorderDump& dump(std::size_t i) const { return *waits_.dumps[i].dump; }
    [[nodiscard]] const std::vector<std::uint32_t>& open_entries(std::size_t i) const {
        return progress_.member(i).open;
    }
    /// index in HangWaits::groups
    [[nodiscard]] std::uint32_t group_of(std::size_t i, const FlightRecorderCall& call) const {
        return progress_.member(i).global[call.group];
    }

    /// visit(i): of each dump, on all threads.
    template <typename Visit>
    void each_dump(Visit visit) const {
        tbb::parallel_for(std::size_t{0}, waits_.dumps.size(), visit);
    }

    /// The part of a member without an entry.
    [[nodiscard]] HangPart part_without_entry(int rank, std::uint32_t group, std::int64_t seq, bool message) const {
        HangPart part;
        part.rank = rank;
        const std::size_t i = waits_.dump_of(rank);
        if (i == waits_.dumps.size()) {
            part.state = HangPart::State::no_dump;
            return part;
        }
        const Made answer = progress_.made(i, group, seq, message);
        part.proved = answer != Made::not_known;
        if (answer == Made::yes) {
            part.state = HangPart::State::finished;
            const GroupProgress reached = progress_.progress(i, group);
            part.proved = reached.counts == (message ? StatusCounts::messages : StatusCounts::collectives) &&
                          reached.completed >= seq;
        }
        return part;
    }

    static HangPart part_with_entry(int rank, const FlightRecorderCall& call, std::uint32_t index) {
        HangPart part;
        part.rank = rank;
        part.state = call.state == CallState::completed ? HangPart::State::finished
                     : call.state == CallState::started ? HangPart::State::started
                                                        : HangPart::State::waiting;
        part.call = index;
        part.has_call = true;
        return part;
    }

    static void note_time(OpenCall& open, const FlightRecorderCall& call) {
        if (call.created != 0 && (open.since == 0 || call.created < open.since))
            open.since = call.created;
    }

    void match_collectives() {
        struct Key {
            std::uint32_t group = 0;
            std::int64_t seq = 0;
            bool operator==(const Key&) const = default;
        };
        struct KeyHash {
            std::size_t operator()(const Key& key) const { return seeded_hash(key.seq, key.group); }
        };
        std::unordered_map<Key, std::uint32_t, KeyHash> numbers;
        std::vector<std::int64_t> first_open(waits_.groups.size(), std::numeric_limits<std::int64_t>::max());
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            for (const std::uint32_t k : open_entries(i)) {
                const FlightRecorderCall& call = dump(i).calls[k];
                if (call.is_p2p)
                    continue;
                const std::uint32_t group = group_of(i, call);
                const auto number = static_cast<std::uint32_t>(waits_.calls.size());
                if (numbers.try_emplace({group, call.collective_seq}, number).second)
                    waits_.calls.push_back({group, call.collective_seq, false, -1, -1, 0, {}});
                first_open[group] = std::min(first_open[group], call.collective_seq);
            }
        entry_call_.resize(waits_.dumps.size());
        each_dump([&](std::size_t i) {
            const std::vector<FlightRecorderCall>& calls = dump(i).calls;
            entry_call_[i].assign(calls.size(), kNone);
            for (std::size_t k = 0; k < calls.size(); ++k) {
                const std::uint32_t group = group_of(i, calls[k]);
                if (calls[k].is_p2p || calls[k].collective_seq < first_open[group])
                    continue;
                if (const auto known = numbers.find({group, calls[k].collective_seq}); known != numbers.end())
                    entry_call_[i][k] = known->second;
            }
        });
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            for (std::uint32_t k = 0; k < entry_call_[i].size(); ++k) {
                const std::uint32_t number = std::exchange(entry_call_[i][k], kNone);
                if (number == kNone)
                    continue;
                const FlightRecorderCall& call = dump(i).calls[k];
                OpenCall& open = waits_.calls[number];
                // Calls made together share a number: the batch is as far as its last.
                if (!open.parts.empty() && open.parts.back().rank == waits_.dumps[i].rank) {
                    if (call.state == CallState::completed)
                        open.parts.back().state = HangPart::State::finished;
                    continue;
                }
                open.parts.push_back(part_with_entry(waits_.dumps[i].rank, call, k));
                note_time(open, call);
                entry_call_[i][k] = number;
            }
        }
        for (OpenCall& open : waits_.calls) {
            const std::size_t present = open.parts.size();
            for (const int rank : waits_.groups[open.group].members) {
                const auto end = open.parts.begin() + static_cast<std::ptrdiff_t>(present);
                const auto at = std::lower_bound(open.parts.begin(), end, rank,
                                                 [](const HangPart& part, int number) { return part.rank < number; });
                if (at == end || at->rank != rank)
                    open.parts.push_back(part_without_entry(rank, open.group, open.seq, false));
            }
            if (!waits_.groups[open.group].members_told)
                for (HangPart& part : open.parts)
                    part.proved &= part.has_call;
            std::ranges::sort(open.parts, {}, &HangPart::rank);
        }
    }

    struct End {
        std::size_t dump = 0;
        std::uint32_t entry = 0;
    };
    struct Pair { ///< by number
        std::vector<End> sends;
        std::vector<End> receives;
    };
    using Route = std::tuple<std::uint32_t, int, int>; ///< group, source, destination as ranks of the job

    [[nodiscard]] const FlightRecorderCall& call_at(const End& end) const { return dump(end.dump).calls[end.entry]; }
    [[nodiscard]] bool is_open(const End& end) const {
        return std::ranges::binary_search(open_entries(end.dump), end.entry);
    }

    void match_messages() {
        std::map<Route, Pair> pairs; // those with an open message
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            for (const std::uint32_t k : open_entries(i))
                if (const auto route = route_of(i, dump(i).calls[k]))
                    pairs[*route];
        if (pairs.empty())
            return;
        std::vector<std::vector<std::pair<Pair*, std::uint32_t>>> found(waits_.dumps.size());
        each_dump([&](std::size_t i) {
            for (std::uint32_t k = 0; k < dump(i).calls.size(); ++k)
                if (const auto route = route_of(i, dump(i).calls[k]))
                    if (const auto at = pairs.find(*route); at != pairs.end())
                        found[i].emplace_back(&at->second, k);
        });
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            for (const auto& [pair, k] : found[i])
                (is_send(i, dump(i).calls[k]) ? pair->sends : pair->receives).push_back({i, k});
        for (auto& [route, pair] : pairs) {
            const auto by_number = [&](const End& end) { return call_at(end).p2p_seq; };
            std::ranges::stable_sort(pair.sends, {}, by_number);
            std::ranges::stable_sort(pair.receives, {}, by_number);
            match_pair(std::get<0>(route), std::get<1>(route), std::get<2>(route), pair);
        }
    }

    /// The rank of a place in a group; -1: there is no such place.
    [[nodiscard]] int member(std::uint32_t group, int place) const {
        const HangGroup& of = waits_.groups[group];
        if (!of.members_told) // only in the group of all a place is a rank
            return of.name == "0" || of.description == "default_pg" ? place : -1;
        return static_cast<std::size_t>(place) < of.members.size() ? of.members[static_cast<std::size_t>(place)] : -1;
    }
    [[nodiscard]] bool is_send(std::size_t i, const FlightRecorderCall& call) const {
        return member(group_of(i, call), call.source) == waits_.dumps[i].rank;
    }
    /// Nothing: no message, or none between this rank and another one.
    [[nodiscard]] std::optional<Route> route_of(std::size_t i, const FlightRecorderCall& call) const {
        if (!call.is_message())
            return std::nullopt;
        const std::uint32_t group = group_of(i, call);
        const int source = member(group, call.source), destination = member(group, call.destination);
        const int own = waits_.dumps[i].rank;
        if (source < 0 || destination < 0 || source == destination || (source != own && destination != own))
            return std::nullopt;
        return Route(group, source, destination);
    }

    /// Both ends count their messages apart. In a group of two the numbers match, since every message counts at both.
    [[nodiscard]] bool numbers_agree(std::uint32_t group) const {
        return waits_.groups[group].members.size() == 2 && waits_.groups[group].members_told;
    }
    /// Whether a rank's dump says that it finished all it called: what is not in it, it did not call.
    [[nodiscard]] bool has_nothing_open(std::size_t i) const {
        return open_entries(i).empty() && waits_.lost_open_call[i] == 0 && !progress_.has_unread_calls(i) &&
               (progress_.member(i).keeps_completed || !dump(i).statuses.empty());
    }
    /// The part of an end without an entry, where the numbers of the two ends cannot be compared.
    [[nodiscard]] HangPart absent_end(int rank) const {
        HangPart part;
        part.rank = rank;
        const std::size_t i = waits_.dump_of(rank);
        if (i == waits_.dumps.size())
            part.state = HangPart::State::no_dump;
        else
            part.proved = !progress_.has_unread_calls(i) && (progress_.member(i).whole || has_nothing_open(i));
        return part;
    }

    void add_message(std::uint32_t group, int source, int destination, std::int64_t seq, const End* send,
                     const End* receive, bool agree) {
        OpenCall open{group, seq, true, source, destination, 0, {}};
        const auto number = static_cast<std::uint32_t>(waits_.calls.size());
        for (const auto& [end, rank] : {std::pair(send, source), std::pair(receive, destination)}) {
            if (end == nullptr) {
                open.parts.push_back(agree ? part_without_entry(rank, group, seq, true) : absent_end(rank));
                continue;
            }
            open.parts.push_back(part_with_entry(rank, call_at(*end), end->entry));
            if (!is_open(*end))
                open.parts.back().state = HangPart::State::finished;
            note_time(open, call_at(*end));
            entry_call_[end->dump][end->entry] = number;
        }
        waits_.calls.push_back(std::move(open));
    }

    void match_pair(std::uint32_t group, int source, int destination, const Pair& pair) {
        const auto whole = [&](int rank) {
            const std::size_t i = waits_.dump_of(rank);
            return i < waits_.dumps.size() && progress_.member(i).whole;
        };
        if (!numbers_agree(group)) {
            // Messages of a pair arrive in their order: of two whole buffers the k-th is the k-th, else the oldest that
            // is open here is the oldest that is open there.
            const bool all = whole(source) && whole(destination);
            std::vector<const End*> sends, receives;
            for (const End& end : pair.sends)
                if (all || is_open(end))
                    sends.push_back(&end);
            for (const End& end : pair.receives)
                if (all || is_open(end))
                    receives.push_back(&end);
            for (std::size_t k = 0; k < std::max(sends.size(), receives.size()); ++k) {
                const End* send = k < sends.size() ? sends[k] : nullptr;
                const End* receive = k < receives.size() ? receives[k] : nullptr;
                if ((send != nullptr && is_open(*send)) || (receive != nullptr && is_open(*receive)))
                    add_message(group, source, destination, call_at(send != nullptr ? *send : *receive).p2p_seq, send,
                                receive, false);
            }
            return;
        }
        // The k-th of those that share a number, as messages of one batch do.
        std::span<const End> sends(pair.sends), receives(pair.receives);
        while (!sends.empty() || !receives.empty()) {
            const std::int64_t seq = receives.empty() ? call_at(sends.front()).p2p_seq
                                     : sends.empty()
                                         ? call_at(receives.front()).p2p_seq
                                         : std::min(call_at(sends.front()).p2p_seq, call_at(receives.front()).p2p_seq);
            const auto take = [&](std::span<const End>& ends) {
                const auto behind =
                    std::ranges::find_if(ends, [&](const End& end) { return call_at(end).p2p_seq != seq; });
                const auto count = static_cast<std::size_t>(behind - ends.begin());
                const auto taken = ends.first(count);
                ends = ends.subspan(count);
                return taken;
            };
            const auto sent = take(sends), received = take(receives);
            for (std::size_t k = 0; k < std::max(sent.size(), received.size()); ++k) {
                const End* send = k < sent.size() ? &sent[k] : nullptr;
                const End* receive = k < received.size() ? &received[k] : nullptr;
                if ((send != nullptr && is_open(*send)) || (receive != nullptr && is_open(*receive)))
                    add_message(group, source, destination, seq, send, receive, true);
            }
        }
    }

    void line_up() {
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            std::uint32_t place = 0;
            const FlightRecorderCall* last = nullptr;
            for (const std::uint32_t k : open_entries(i)) {
                const FlightRecorderCall& call = dump(i).calls[k];
                if (entry_call_[i][k] == kNone || is_marker(dump(i), call))
                    continue;
                const bool together = last != nullptr && last->is_message() && call.is_message() &&
                                      last->group == call.group && last->p2p_seq == call.p2p_seq;
                place += together ? 0 : 1;
                waits_.queues[i].push_back({entry_call_[i][k], k, place});
                last = &call;
            }
        }
    }

    /// Where no open call of a dump was matched, it may yet have one.
    void find_open_by_status() {
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            if (waits_.queues[i].empty() && !open_entries(i).empty())
                waits_.unmatched.push_back(waits_.dumps[i].rank);
            std::map<std::string_view, std::int64_t> finished, open; // the last of each, by the status's name
            for (const FlightRecorderCall& call : dump(i).calls) {
                const std::string_view uid = dump(i).groups[call.group].uid;
                auto& numbers = call.state == CallState::completed ? finished : open;
                std::int64_t& last = numbers.try_emplace(uid, kNoCall).first->second;
                last = std::max(last, call.seq());
            }
            for (const FlightRecorderStatus& status : dump(i).statuses) {
                if (open.contains(status.uid))
                    continue;
                // A status is brought up to date now and then, its calls at once.
                const auto done = finished.find(status.uid);
                const std::int64_t by_calls = done == finished.end() ? kNoCall : done->second;
                HangStatus told = progress_.status_of(i, status);
                told.finished = std::max(status.completed, std::min(by_calls, status.enqueued));
                waits_.open_by_status.push_back(std::move(told));
            }
        }
        const auto group = [](const HangStatus& status) { return std::pair(status.name, status.description); };
        std::set<std::pair<std::string, std::string>> open_groups;
        for (const HangStatus& status : waits_.open_by_status)
            if (status.is_open())
                open_groups.insert(group(status));
        std::erase_if(waits_.open_by_status,
                      [&](const HangStatus& status) { return !open_groups.contains(group(status)); });
        std::ranges::stable_sort(waits_.open_by_status, {}, group);
    }
    static constexpr std::uint32_t kNone = UINT32_MAX;
    DumpProgress progress_;
    HangWaits waits_;
    std::vector<std::vector<std::uint32_t>> entry_call_; ///< of each dump's calls: index in HangWaits::calls
};

} // namespace

HangWaits match_open_calls(std::span<const RankDump> dumps, const HangEvidence& evidence) {
    HangWaits waits = Matcher(dumps, evidence).match();
    tell_what_all_made(waits);
    return waits;
}

} // namespace rankscope
