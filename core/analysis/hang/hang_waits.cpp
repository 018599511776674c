// SPDX-License-Identifier: GPL-3.0-or-later
// Matches the open calls of all ranks. What is not in a dump proves something only where the dump would hold it.
#include "core/analysis/hang/hang_waits.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include <tbb/parallel_for.h>

#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

/// What a status counts: the calls of a group and the messages in it are numbered apart.
enum class Counts : std::uint8_t { unknown, collectives, messages };

/// How far one rank got in one group.
struct Progress {
    bool has_status = false;
    bool status_by_entries = false; ///< the rank's own calls say which status is this group's
    Counts counts = Counts::unknown;
    std::int64_t enqueued = kNoCall; ///< of the status
    std::int64_t completed = kNoCall;
    std::int64_t last_collective = kNoCall; ///< of the entries
    std::int64_t last_message = kNoCall;
    bool last_is_message = false;
};

/// One rank's own groups, which are few, where all ranks together may have thousands.
struct Member {
    std::vector<std::uint32_t> global; ///< of each group of the dump: index in HangWaits::groups
    std::vector<Progress> progress;    ///< of each group of the dump
    std::vector<std::pair<std::uint32_t, std::uint32_t>> local; ///< global -> index above; sorted
    bool whole = false;              ///< it holds all calls since the process started, or since its buffer was emptied
    bool keeps_completed = false;    ///< finished calls are in it as well, not only the open ones
    std::vector<std::uint32_t> open; ///< calls that are not finished
    /// Of each group of the dump: the highest numbers that its entries name, of either kind.
    std::vector<std::int64_t> collectives, messages;
};

std::optional<std::int64_t> numeral(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

/// Batches of messages are told by the messages in them.
bool is_marker(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    return call.is_p2p && !call.is_message() && dump.kinds[call.kind] == "coalesced";
}

class Matcher {
public:
    Matcher(std::span<const RankDump> dumps, const HangEvidence& evidence) : evidence_(evidence) {
        waits_.dumps.assign(dumps.begin(), dumps.end());
        members_.resize(dumps.size());
        waits_.queues.resize(dumps.size());
        waits_.lost_open_call.resize(dumps.size());
    }

    HangWaits match() {
        number_groups();
        measure_progress();
        name_statuses();
        tell_what_statuses_count();
        close_finished_messages();
        find_lost_calls();
        match_collectives();
        match_messages();
        line_up();
        find_open_by_status();
        return std::move(waits_);
    }

private:
    [[nodiscard]] const FlightRecorderDump& dump(std::size_t i) const { return *waits_.dumps[i].dump; }
    [[nodiscard]] bool has_unread_calls(std::size_t i) const {
        return evidence_.unread_calls.contains(waits_.dumps[i].rank);
    }

    void number_groups() {
        std::map<std::tuple<std::string, std::string, std::vector<int>>, std::uint32_t> numbers;
        std::set<int> members;
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            for (const FlightRecorderGroup& group : dump(i).groups) {
                const auto [known, added] = numbers.try_emplace({group.name, group.description, group.ranks},
                                                                static_cast<std::uint32_t>(waits_.groups.size()));
                if (added)
                    waits_.groups.push_back({group.name, group.description, group.ranks, !group.ranks.empty()});
                HangGroup& global = waits_.groups[known->second];
                if (!global.members_told)
                    global.members.push_back(waits_.dumps[i].rank);
                members_[i].local.emplace_back(known->second, static_cast<std::uint32_t>(members_[i].global.size()));
                members_[i].global.push_back(known->second);
            }
            std::ranges::sort(members_[i].local);
        }
        for (const HangGroup& group : waits_.groups)
            members.insert(group.members.begin(), group.members.end());
        for (const int rank : members)
            if (waits_.dump_of(rank) == waits_.dumps.size())
                waits_.no_dump.push_back(rank);
    }

    /// visit(i): of each dump, on all threads.
    template <typename Visit>
    void each_dump(Visit visit) const {
        tbb::parallel_for(std::size_t{0}, waits_.dumps.size(), visit);
    }

    void measure_progress() {
        each_dump([&](std::size_t i) {
            Member& member = members_[i];
            member.progress.resize(member.global.size());
            member.collectives.assign(member.global.size(), kNoCall);
            member.messages.assign(member.global.size(), kNoCall);
            const std::vector<FlightRecorderCall>& calls = dump(i).calls;
            member.whole = !calls.empty() && calls.front().record == 0 && calls.front().seq() <= 1;
            for (std::uint32_t k = 0; k < calls.size(); ++k) {
                const FlightRecorderCall& call = calls[k];
                Progress& progress = member.progress[call.group];
                if (call.state == CallState::completed)
                    member.keeps_completed = true;
                else
                    member.open.push_back(k);
                std::int64_t& last = call.is_p2p ? progress.last_message : progress.last_collective;
                last = std::max(last, call.seq());
                progress.last_is_message = call.is_p2p;
                member.collectives[call.group] = std::max(member.collectives[call.group], call.collective_seq);
                member.messages[call.group] = std::max(member.messages[call.group], call.p2p_seq);
            }
        });
    }

    /// Finds the group of each status. The rank's calls say it; else the order does, since names and numbers of groups
    /// both ascend as groups are made; else what all other members of the group say.
    void name_statuses() {
        std::vector<std::set<std::string>> said(waits_.groups.size()); // by the calls of all ranks
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            for (std::size_t k = 0; k < dump(i).groups.size(); ++k)
                if (const std::string& uid = dump(i).groups[k].uid; !uid.empty())
                    said[members_[i].global[k]].insert(uid);
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            const std::vector<std::string> by_order = uids_by_order(i);
            std::set<std::string> taken;
            for (const FlightRecorderGroup& group : dump(i).groups)
                taken.insert(group.uid);
            std::map<std::string, const FlightRecorderStatus*> statuses;
            for (const FlightRecorderStatus& status : dump(i).statuses)
                statuses.emplace(status.uid, &status);
            for (std::size_t k = 0; k < dump(i).groups.size(); ++k) {
                const std::set<std::string>& others = said[members_[i].global[k]];
                Progress& progress = members_[i].progress[k];
                std::string uid = dump(i).groups[k].uid;
                progress.status_by_entries = !uid.empty();
                if (uid.empty() && !by_order.empty())
                    uid = by_order[k];
                else if (uid.empty() && others.size() == 1 && !taken.contains(*others.begin()))
                    uid = *others.begin();
                const auto status = statuses.find(uid);
                if (uid.empty() || status == statuses.end())
                    continue;
                progress.has_status = true;
                progress.enqueued = status->second->enqueued;
                progress.completed = status->second->completed;
            }
        }
    }

    /// Of each group of a dump, where names and statuses are numbers, as many of both, and no call contradicts.
    [[nodiscard]] std::vector<std::string> uids_by_order(std::size_t i) const {
        std::vector<std::pair<std::int64_t, std::size_t>> names;
        std::vector<std::pair<std::int64_t, std::string>> uids;
        for (std::size_t k = 0; k < dump(i).groups.size(); ++k)
            if (const auto number = numeral(dump(i).groups[k].name))
                names.emplace_back(*number, k);
        for (const FlightRecorderStatus& status : dump(i).statuses)
            if (const auto number = numeral(status.uid))
                uids.emplace_back(*number, status.uid);
        if (names.size() != dump(i).groups.size() || uids.size() != names.size() ||
            uids.size() != dump(i).statuses.size())
            return {};
        std::ranges::sort(names);
        std::ranges::sort(uids);
        std::vector<std::string> found(names.size());
        for (std::size_t k = 0; k < names.size(); ++k) {
            const std::string& own = dump(i).groups[names[k].second].uid;
            if (!own.empty() && own != uids[k].second)
                return {};
            found[names[k].second] = uids[k].second;
        }
        return found;
    }

    void tell_what_statuses_count() {
        struct Seen {
            std::int64_t collectives = kNoCall;
            std::int64_t messages = kNoCall;
            std::int64_t finished = kNoCall; ///< the last collective of a member whose calls say which status it is
        };
        std::vector<Seen> seen(waits_.groups.size());
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            for (std::size_t k = 0; k < members_[i].global.size(); ++k) {
                const Progress& progress = members_[i].progress[k];
                Seen& group = seen[members_[i].global[k]];
                group.collectives = std::max(group.collectives, members_[i].collectives[k]);
                group.messages = std::max(group.messages, members_[i].messages[k]);
                if (progress.has_status && progress.status_by_entries && progress.last_message == kNoCall)
                    group.finished = std::max(group.finished, progress.completed);
            }
        }
        for (Member& member : members_)
            for (std::size_t k = 0; k < member.global.size(); ++k) {
                const Seen& group = seen[member.global[k]];
                Progress& progress = member.progress[k];
                if (!progress.has_status || group.collectives == kNoCall)
                    continue;
                const std::int64_t own = progress.last_is_message ? progress.last_message : progress.last_collective;
                if (group.messages <= 0)
                    progress.counts = Counts::collectives;
                else if (own != kNoCall && progress.enqueued == own)
                    progress.counts = progress.last_is_message ? Counts::messages : Counts::collectives;
                else if (group.collectives == 0 ||
                         (progress.enqueued > group.collectives + kFarApart && progress.enqueued > group.messages / 2))
                    progress.counts = Counts::messages;
                if (!progress.status_by_entries && progress.counts == Counts::collectives &&
                    progress.enqueued < group.finished)
                    progress.counts = Counts::unknown; // others finished what it never made: another group's status
            }
        for (Member& member : members_) {
            auto& completed = waits_.completed.emplace_back();
            for (std::size_t k = 0; k < member.global.size(); ++k)
                if (member.progress[k].counts == Counts::collectives && member.progress[k].completed >= 0)
                    completed.emplace_back(member.global[k], member.progress[k].completed);
        }
    }
    /// Collectives that no rank is ahead of the others.
    static constexpr std::int64_t kFarApart = 256;

    [[nodiscard]] Progress progress(std::size_t i, std::uint32_t group) const {
        const auto at =
            std::ranges::lower_bound(members_[i].local, group, {}, [](const auto& pair) { return pair.first; });
        return at == members_[i].local.end() || at->first != group ? Progress() : members_[i].progress[at->second];
    }

    /// Messages of a batch have no state of their own, and the entry that has it may not be in the dump: a status that
    /// counts messages tells which of them are finished.
    void close_finished_messages() {
        each_dump([&](std::size_t i) {
            Member& member = members_[i];
            std::erase_if(
                member.open,
                [&](std::uint32_t k) {
                    const FlightRecorderCall& call = dump(i).calls[k];
                    const Progress& reached = member.progress[call.group];
                    return call.is_message() && reached.counts == Counts::messages && call.p2p_seq <= reached.completed;
                });
        });
    }

    void find_lost_calls() {
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i) {
            std::set<std::string_view> open;
            for (const std::uint32_t k : members_[i].open)
                open.insert(dump(i).groups[dump(i).calls[k].group].uid);
            for (const FlightRecorderStatus& status : dump(i).statuses)
                waits_.lost_open_call[i] |= static_cast<char>(
                    status.completed >= 0 && status.enqueued > status.completed && !open.contains(status.uid));
        }
    }

    enum class Made : std::uint8_t { yes, no, not_known };
    /// Whether a rank has made a call of which its dump has no entry.
    [[nodiscard]] Made made(std::size_t i, std::uint32_t group, std::int64_t seq, bool message) const {
        const Progress reached = progress(i, group);
        const std::int64_t last = message ? reached.last_message : reached.last_collective;
        if (last > seq)
            return Made::yes;
        if (reached.counts == (message ? Counts::messages : Counts::collectives))
            return reached.enqueued >= seq ? Made::yes : Made::no;
        if (has_unread_calls(i))
            return Made::not_known; // it may be among those
        // A newer call would be in the buffer where an older one of the group is.
        if (members_[i].whole || (members_[i].keeps_completed && last != kNoCall))
            return Made::no;
        return Made::not_known;
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
        const Made answer = made(i, group, seq, message);
        part.proved = answer != Made::not_known;
        if (answer == Made::yes) {
            part.state = HangPart::State::finished;
            const Progress reached = progress(i, group);
            part.proved =
                reached.counts == (message ? Counts::messages : Counts::collectives) && reached.completed >= seq;
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
            for (const std::uint32_t k : members_[i].open) {
                const FlightRecorderCall& call = dump(i).calls[k];
                if (call.is_p2p)
                    continue;
                const std::uint32_t group = members_[i].global[call.group];
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
                const std::uint32_t group = members_[i].global[calls[k].group];
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
        return std::ranges::binary_search(members_[end.dump].open, end.entry);
    }

    void match_messages() {
        std::map<Route, Pair> pairs; // those with an open message
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            for (const std::uint32_t k : members_[i].open)
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
        return member(members_[i].global[call.group], call.source) == waits_.dumps[i].rank;
    }
    /// Nothing: no message, or none between this rank and another one.
    [[nodiscard]] std::optional<Route> route_of(std::size_t i, const FlightRecorderCall& call) const {
        if (!call.is_message())
            return std::nullopt;
        const std::uint32_t group = members_[i].global[call.group];
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
        return members_[i].open.empty() && waits_.lost_open_call[i] == 0 && !has_unread_calls(i) &&
               (members_[i].keeps_completed || !dump(i).statuses.empty());
    }
    /// The part of an end without an entry, where the numbers of the two ends cannot be compared.
    [[nodiscard]] HangPart absent_end(int rank) const {
        HangPart part;
        part.rank = rank;
        const std::size_t i = waits_.dump_of(rank);
        if (i == waits_.dumps.size())
            part.state = HangPart::State::no_dump;
        else
            part.proved = !has_unread_calls(i) && (members_[i].whole || has_nothing_open(i));
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
            return i < waits_.dumps.size() && members_[i].whole;
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
            for (const std::uint32_t k : members_[i].open) {
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
            if (waits_.queues[i].empty() && !members_[i].open.empty())
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
                HangStatus told = status_of(i, status);
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
    [[nodiscard]] HangStatus status_of(std::size_t i, const FlightRecorderStatus& status) const {
        HangStatus told{waits_.dumps[i].rank, "that pg_status numbers " + status.uid, {}, status.enqueued, kNoCall};
        const std::vector<std::string> by_order = uids_by_order(i);
        for (std::size_t k = 0; k < dump(i).groups.size(); ++k) {
            const FlightRecorderGroup& group = dump(i).groups[k];
            if (group.uid == status.uid || (group.uid.empty() && !by_order.empty() && by_order[k] == status.uid)) {
                told.name = group.name;
                told.description = group.description;
                told.counts_calls = members_[i].progress[k].counts == Counts::collectives;
            }
        }
        return told;
    }

    static constexpr std::uint32_t kNone = UINT32_MAX;
    const HangEvidence& evidence_;
    HangWaits waits_;
    std::vector<Member> members_;                        ///< of each dump
    std::vector<std::vector<std::uint32_t>> entry_call_; ///< of each dump's calls: index in HangWaits::calls
};

} // namespace

std::size_t HangWaits::dump_of(int rank) const {
    const auto at = std::ranges::lower_bound(dumps, rank, {}, &RankDump::rank);
    return at == dumps.end() || at->rank != rank ? dumps.size() : static_cast<std::size_t>(at - dumps.begin());
}

const FlightRecorderCall& HangWaits::entry(const HangPart& part) const {
    return dumps[dump_of(part.rank)].dump->calls[part.call];
}

HangWaits match_open_calls(std::span<const RankDump> dumps, const HangEvidence& evidence) {
    return Matcher(dumps, evidence).match();
}

} // namespace rankscope
