// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/unusable_dumps.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/base/words.h"

namespace rankscope {
namespace {

/// A dump that ends longer before the oldest open call than any job waits: it is of another launch.
constexpr TimeNs kLongestWait = TimeNs{6} * 3600 * 1'000'000'000;

Message unread_calls_words(const HangEvidence& evidence) {
    std::vector<int> ranks;
    std::int64_t calls = 0;
    for (const auto& [rank, count] : evidence.unread_calls) {
        ranks.push_back(rank);
        calls += count;
    }
    const Message of = plural(ranks.size(), "the dump of rank %1"_one, "the dumps of ranks %1"_many)(rank_runs(ranks));
    return plural(calls, "%1 call in %2 could not be read"_one, "%1 calls in %2 could not be read"_many)(calls, of);
}

/// Why nothing that is open does not mean that nothing hangs.
std::vector<Message> doubts(const Hang& hang, const HangWaits& waits, const HangEvidence& evidence,
                            const UnusableDumps& unusable) {
    std::vector<Message> doubts;
    std::vector<int> missing = hang.no_dump, says_nothing;
    for (const int rank : unusable.ranks())
        missing.push_back(rank);
    std::ranges::sort(missing);
    if (!missing.empty())
        doubts.push_back(unusable.missing_words(missing));
    if (!evidence.unread_calls.empty())
        doubts.push_back(unread_calls_words(evidence));
    for (const RankDump& dump : waits.dumps)
        if (dump.dump->calls.empty() && dump.dump->statuses.empty() && !evidence.unread_calls.contains(dump.rank))
            says_nothing.push_back(dump.rank);
    if (!says_nothing.empty())
        doubts.push_back(
            plural(says_nothing.size(), "the dump of rank %1 holds neither calls nor a pg_status"_one,
                   "the dumps of ranks %1 hold neither calls nor a pg_status"_many)(rank_runs(says_nothing)));
    if (!waits.unmatched.empty())
        doubts.push_back(plural(
            waits.unmatched.size(), "open calls of rank %1 could not be matched with those of other ranks"_one,
            "open calls of ranks %1 could not be matched with those of other ranks"_many)(rank_runs(waits.unmatched)));
    return doubts;
}

/// One other rank alone is in all groups of the dump. Groups of one rank say little: they may count within themselves.
bool is_of_another_rank(const RankDump& dump) {
    const std::vector<int>* smallest = nullptr;
    for (const FlightRecorderGroup& group : dump.dump->groups)
        if (group.ranks.size() >= 2 && (smallest == nullptr || group.ranks.size() < smallest->size()))
            smallest = &group.ranks;
    if (smallest == nullptr)
        return false;
    std::vector<int> common = *smallest;
    for (const FlightRecorderGroup& group : dump.dump->groups)
        if (group.ranks.size() >= 2)
            std::erase_if(common, [&](int rank) { return !std::ranges::binary_search(group.ranks, rank); });
    return common.size() == 1 && common.front() != dump.rank;
}

} // namespace

std::vector<RankDump> of_own_rank(std::span<const RankDump> dumps) {
    std::vector<RankDump> kept;
    std::ranges::copy_if(dumps, std::back_inserter(kept), std::not_fn(is_of_another_rank));
    return kept;
}

std::vector<RankDump> of_last_launch(std::span<const RankDump> dumps) {
    std::vector<RankDump> newest_first(dumps.begin(), dumps.end());
    std::ranges::stable_sort(newest_first, std::greater{}, [](const RankDump& dump) { return dump.dump->last_time; });
    std::vector<RankDump> kept;
    TimeNs oldest_open = 0; // of those kept; 0: none
    for (const RankDump& dump : newest_first) {
        const TimeNs end = dump.dump->last_time;
        if (end != 0 && oldest_open != 0 && oldest_open - end > kLongestWait)
            continue;
        kept.push_back(dump);
        for (const FlightRecorderCall& call : dump.dump->calls)
            if (call.state != CallState::completed && call.created != 0 &&
                (oldest_open == 0 || call.created < oldest_open))
                oldest_open = call.created;
    }
    std::ranges::sort(kept, {}, &RankDump::rank);
    return kept;
}

UnusableDumps unusable_dumps(std::span<const RankDump> dumps, const HangEvidence& evidence, const HangWaits& waits) {
    UnusableDumps unusable;
    for (const RankDump& dump : dumps)
        if (!waits.has_dump(dump.rank))
            (is_of_another_rank(dump) ? unusable.misnamed : unusable.old).insert(dump.rank);
    for (const int rank : evidence.unreadable)
        if (!waits.has_dump(rank) && !unusable.old.contains(rank) && !unusable.misnamed.contains(rank))
            unusable.unreadable.insert(rank);
    return unusable;
}

std::set<int> UnusableDumps::ranks() const {
    std::set<int> all = unreadable;
    all.insert(old.begin(), old.end());
    all.insert(misnamed.begin(), misnamed.end());
    return all;
}

Message UnusableDumps::why_none(int rank) const {
    return old.contains(rank)          ? "Its dump is of an earlier launch."_text()
           : misnamed.contains(rank)   ? "Its dump is of another rank."_text()
           : unreadable.contains(rank) ? "Its dump is there and cannot be read."_text()
                                       : "It left no dump: it crashed, was killed, or could not be reached."_text();
}

Message UnusableDumps::missing_words(std::span<const int> of) const {
    std::vector<int> none, cut, earlier, others;
    for (const int rank : of)
        (old.contains(rank)          ? earlier
         : misnamed.contains(rank)   ? others
         : unreadable.contains(rank) ? cut
                                     : none)
            .push_back(rank);
    std::vector<Message> parts;
    if (!none.empty())
        parts.push_back(plural(none.size(), "rank %1 left no dump"_one, "ranks %1 left no dump"_many)(rank_runs(none)));
    if (!cut.empty())
        parts.push_back(plural(cut.size(), "the dump of rank %1 cannot be read"_one,
                               "the dumps of ranks %1 cannot be read"_many)(rank_runs(cut)));
    if (!earlier.empty())
        parts.push_back(plural(earlier.size(), "the dump of rank %1 is of an earlier launch"_one,
                               "the dumps of ranks %1 are of an earlier launch"_many)(rank_runs(earlier)));
    if (!others.empty())
        parts.push_back(plural(others.size(), "the dump of rank %1 is of another rank"_one,
                               "the dumps of ranks %1 are of other ranks"_many)(rank_runs(others)));
    Message all;
    for (const Message& part : parts)
        all = all.empty() ? part : "%1, and %2"_text(all, part);
    return all;
}

std::vector<Message> hang_notes(const Hang& hang, const HangWaits& waits, const HangEvidence& evidence,
                                const UnusableDumps& unusable, bool starts_recorded) {
    std::vector<Message> notes;
    if (!hang.first_stuck) {
        if (const auto reasons = doubts(hang, waits, evidence, unusable); !reasons.empty())
            notes.push_back("Whether the job hangs is not known: %1."_text(enumerated(reasons, "; ")));
        return notes;
    }
    const auto tell = [&](const std::set<int>& ranks, CountedText<1> text) {
        if (!ranks.empty())
            notes.push_back(text(rank_runs(std::vector<int>(ranks.begin(), ranks.end()))));
    };
    tell(unusable.unreadable,
         plural(unusable.unreadable.size(),
                "The dump of rank %1 is there and cannot be read: cut short, or no dump."_one,
                "The dumps of ranks %1 are there and cannot be read: cut short, or no dump."_many));
    tell(unusable.old,
         plural(unusable.old.size(), "The dump of rank %1 ends hours before the oldest open call: it is left out."_one,
                "The dumps of ranks %1 end hours before the oldest open call: they are left out."_many));
    tell(unusable.misnamed,
         plural(unusable.misnamed.size(),
                "The dump of rank %1 is of another rank, as its groups say: it is left out."_one,
                "The dumps of ranks %1 are of other ranks, as their groups say: they are left out."_many));
    if (!evidence.unread_calls.empty()) {
        notes.push_back(unread_calls_words(evidence));
        notes.back() += '.';
    }
    std::size_t unknown_members = 0;
    for (const HangGroup& group : waits.groups)
        unknown_members += group.members_told ? 0 : 1;
    if (unknown_members > 0)
        notes.push_back("The dumps do not list the members of %1 of %2 groups: who is missing there is not known."_text(
            unknown_members, waits.groups.size()));
    if (!starts_recorded)
        notes.push_back("When calls began on the GPU was not recorded (TORCH_NCCL_ENABLE_TIMING=1): whether "
                        "a GPU has reached a call is not known."_text());
    return notes;
}

} // namespace rankscope
