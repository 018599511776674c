// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/dump_progress.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <tbb/parallel_for.h>

namespace rankscope {
namespace {

/// Collectives that no rank is ahead of the others.
constexpr std::int64_t kFarApart = 256;

std::optional<std::int64_t> numeral(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

} // namespace

DumpProgress::DumpProgress(std::span<const RankDump> dumps, const HangEvidence& evidence)
    : dumps_(dumps), evidence_(evidence), members_(dumps.size()), lost_open_call_(dumps.size()) {
    number_groups();
    measure_progress();
    name_statuses();
    tell_what_statuses_count();
    close_finished_messages();
    find_lost_calls();
}

void DumpProgress::number_groups() {
    std::map<std::tuple<std::string, std::string, std::vector<int>>, std::uint32_t> numbers;
    for (std::size_t i = 0; i < dumps_.size(); ++i) {
        for (const FlightRecorderGroup& group : dump(i).groups) {
            const auto [known, added] = numbers.try_emplace({group.name, group.description, group.ranks},
                                                            static_cast<std::uint32_t>(groups_.size()));
            if (added)
                groups_.push_back({group.name, group.description, group.ranks, !group.ranks.empty()});
            HangGroup& global = groups_[known->second];
            if (!global.members_told)
                global.members.push_back(dumps_[i].rank);
            members_[i].local.emplace_back(known->second, static_cast<std::uint32_t>(members_[i].global.size()));
            members_[i].global.push_back(known->second);
        }
        std::ranges::sort(members_[i].local);
    }
}

void DumpProgress::measure_progress() {
    tbb::parallel_for(
        std::size_t{0}, dumps_.size(),
        [&](std::size_t i) {
            RankProgress& member = members_[i];
            member.progress.resize(member.global.size());
            member.collectives.assign(member.global.size(), kNoCall);
            member.messages.assign(member.global.size(), kNoCall);
            const std::vector<FlightRecorderCall>& calls = dump(i).calls;
            member.whole = !calls.empty() && calls.front().record == 0 && calls.front().seq() <= 1;
            for (std::uint32_t k = 0; k < calls.size(); ++k) {
                const FlightRecorderCall& call = calls[k];
                GroupProgress& progress = member.progress[call.group];
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

void DumpProgress::name_statuses() {
    std::vector<std::set<std::string>> said(groups_.size()); // by the calls of all ranks
    for (std::size_t i = 0; i < dumps_.size(); ++i)
        for (std::size_t k = 0; k < dump(i).groups.size(); ++k)
            if (const std::string& uid = dump(i).groups[k].uid; !uid.empty())
                said[members_[i].global[k]].insert(uid);
    for (std::size_t i = 0; i < dumps_.size(); ++i) {
        const std::vector<std::string> by_order = uids_by_order(i);
        std::set<std::string> taken;
        for (const FlightRecorderGroup& group : dump(i).groups)
            taken.insert(group.uid);
        std::map<std::string, const FlightRecorderStatus*> statuses;
        for (const FlightRecorderStatus& status : dump(i).statuses)
            statuses.emplace(status.uid, &status);
        for (std::size_t k = 0; k < dump(i).groups.size(); ++k) {
            const std::set<std::string>& others = said[members_[i].global[k]];
            GroupProgress& progress = members_[i].progress[k];
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

std::vector<std::string> DumpProgress::uids_by_order(std::size_t i) const {
    std::vector<std::pair<std::int64_t, std::size_t>> names;
    std::vector<std::pair<std::int64_t, std::string>> uids;
    for (std::size_t k = 0; k < dump(i).groups.size(); ++k)
        if (const auto number = numeral(dump(i).groups[k].name))
            names.emplace_back(*number, k);
    for (const FlightRecorderStatus& status : dump(i).statuses)
        if (const auto number = numeral(status.uid))
            uids.emplace_back(*number, status.uid);
    if (names.size() != dump(i).groups.size() || uids.size() != names.size() || uids.size() != dump(i).statuses.size())
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

void DumpProgress::tell_what_statuses_count() {
    struct Seen {
        std::int64_t collectives = kNoCall;
        std::int64_t messages = kNoCall;
        std::int64_t finished = kNoCall; ///< the last collective of a member whose calls say which status it is
    };
    std::vector<Seen> seen(groups_.size());
    for (std::size_t i = 0; i < dumps_.size(); ++i) {
        for (std::size_t k = 0; k < members_[i].global.size(); ++k) {
            const GroupProgress& progress = members_[i].progress[k];
            Seen& group = seen[members_[i].global[k]];
            group.collectives = std::max(group.collectives, members_[i].collectives[k]);
            group.messages = std::max(group.messages, members_[i].messages[k]);
            if (progress.has_status && progress.status_by_entries && progress.last_message == kNoCall)
                group.finished = std::max(group.finished, progress.completed);
        }
    }
    for (RankProgress& member : members_)
        for (std::size_t k = 0; k < member.global.size(); ++k) {
            const Seen& group = seen[member.global[k]];
            GroupProgress& progress = member.progress[k];
            if (!progress.has_status || group.collectives == kNoCall)
                continue;
            const std::int64_t own = progress.last_is_message ? progress.last_message : progress.last_collective;
            if (group.messages <= 0)
                progress.counts = StatusCounts::collectives;
            else if (own != kNoCall && progress.enqueued == own)
                progress.counts = progress.last_is_message ? StatusCounts::messages : StatusCounts::collectives;
            else if (group.collectives == 0 ||
                     (progress.enqueued > group.collectives + kFarApart && progress.enqueued > group.messages / 2))
                progress.counts = StatusCounts::messages;
            if (!progress.status_by_entries && progress.counts == StatusCounts::collectives &&
                progress.enqueued < group.finished)
                progress.counts = StatusCounts::unknown; // others finished what it never made: another group's status
        }
}

GroupProgress DumpProgress::progress(std::size_t i, std::uint32_t group) const {
    const auto at = std::ranges::lower_bound(members_[i].local, group, {}, [](const auto& pair) { return pair.first; });
    return at == members_[i].local.end() || at->first != group ? GroupProgress() : members_[i].progress[at->second];
}

void DumpProgress::close_finished_messages() {
    tbb::parallel_for(
        std::size_t{0}, dumps_.size(),
        [&](std::size_t i) {
            RankProgress& member = members_[i];
            std::erase_if(
                member.open,
                [&](std::uint32_t k) {
                    const FlightRecorderCall& call = dump(i).calls[k];
                    const GroupProgress& reached = member.progress[call.group];
                    return call.is_message() && reached.counts == StatusCounts::messages &&
                           call.p2p_seq <= reached.completed;
                });
        });
}

void DumpProgress::find_lost_calls() {
    for (std::size_t i = 0; i < dumps_.size(); ++i) {
        std::set<std::string_view> open;
        for (const std::uint32_t k : members_[i].open)
            open.insert(dump(i).groups[dump(i).calls[k].group].uid);
        for (const FlightRecorderStatus& status : dump(i).statuses)
            lost_open_call_[i] |= static_cast<char>(status.completed >= 0 && status.enqueued > status.completed &&
                                                    !open.contains(status.uid));
    }
}

DumpProgress::Made DumpProgress::made(std::size_t i, std::uint32_t group, std::int64_t seq, bool message) const {
    const GroupProgress reached = progress(i, group);
    const std::int64_t last = message ? reached.last_message : reached.last_collective;
    if (last > seq)
        return Made::yes;
    if (reached.counts == (message ? StatusCounts::messages : StatusCounts::collectives))
        return reached.enqueued >= seq ? Made::yes : Made::no;
    if (has_unread_calls(i))
        return Made::not_known; // it may be among those
    // A newer call would be in the buffer where an older one of the group is.
    if (members_[i].whole || (members_[i].keeps_completed && last != kNoCall))
        return Made::no;
    return Made::not_known;
}

HangStatus DumpProgress::status_of(std::size_t i, const FlightRecorderStatus& status) const {
    HangStatus told{dumps_[i].rank, "that pg_status numbers " + status.uid, {}, status.enqueued, kNoCall};
    const std::vector<std::string> by_order = uids_by_order(i);
    for (std::size_t k = 0; k < dump(i).groups.size(); ++k) {
        const FlightRecorderGroup& group = dump(i).groups[k];
        if (group.uid == status.uid || (group.uid.empty() && !by_order.empty() && by_order[k] == status.uid)) {
            told.name = group.name;
            told.description = group.description;
            told.counts_calls = members_[i].progress[k].counts == StatusCounts::collectives;
        }
    }
    return told;
}

std::vector<std::pair<std::uint32_t, std::int64_t>> DumpProgress::completed(std::size_t i) const {
    const RankProgress& member = members_[i];
    std::vector<std::pair<std::uint32_t, std::int64_t>> completed;
    for (std::size_t k = 0; k < member.global.size(); ++k)
        if (member.progress[k].counts == StatusCounts::collectives && member.progress[k].completed >= 0)
            completed.emplace_back(member.global[k], member.progress[k].completed);
    return completed;
}

} // namespace rankscope
