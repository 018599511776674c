// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds up whom: what waits for nothing in the graph of waits (wait_graph.h) is at fault, or is a circle.
#include "core/analysis/hang/hang.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/analysis/hang/call_mismatch.h"
#include "core/analysis/hang/first_stuck.h"
#include "core/analysis/hang/hang_evidence.h"
#include "core/analysis/hang/hang_ranks.h"
#include "core/analysis/hang/mismatch_verdicts.h"
#include "core/analysis/hang/stuck_call.h"
#include "core/analysis/hang/unusable_dumps.h"
#include "core/base/words.h"
#include "core/trace/dump_name.h"
#include "core/trace/run.h"

namespace rankscope {
namespace {

using State = HangPart::State;

class HangFinder {
public:
    HangFinder(std::span<const RankDump> dumps, const HangEvidence& evidence)
        : evidence_(evidence), waits_(match_open_calls(of_last_launch(of_own_rank(dumps)), evidence)),
          unusable_(unusable_dumps(dumps, evidence, waits_)), graph_(wait_graph(waits_, unusable_.ranks())),
          records_starts_(dumps_with_starts(waits_)) {}

    Hang find() {
        for (const RankDump& dump : waits_.dumps)
            hang_.last_time = std::max(hang_.last_time, dump.dump->last_time);
        const std::set<int> unusable = unusable_.ranks();
        std::ranges::copy_if(waits_.no_dump, std::back_inserter(hang_.no_dump),
                             [&](int rank) { return !unusable.contains(rank); });
        for (std::uint32_t component = 0; component < graph_.members.size(); ++component)
            if (graph_.leaves[component] == 0)
                judge(component);
        if (!hang_.first_stuck)
            judge_statuses(waits_, verdicts_, hang_);
        find_mismatches();
        judge_the_rest();
        hang_.ranks = describe_ranks(verdicts_, waits_, graph_);
        find_links();
        const bool starts_recorded = std::ranges::any_of(records_starts_, [](char records) { return records != 0; });
        std::ranges::move(hang_notes(hang_, waits_, evidence_, unusable_, starts_recorded),
                          std::back_inserter(hang_.notes));
        return std::move(hang_);
    }

private:
    void judge(std::uint32_t component) {
        const std::vector<std::uint32_t>& nodes = graph_.members[component];
        if (nodes.size() > 1) {
            judge_circle(nodes);
        } else if (graph_.is_call(nodes.front())) {
            judge_call(nodes.front());
        } else {
            if (awaited_in_.empty())
                find_awaited();
            judge_rank(nodes.front());
        }
    }

    void find_awaited() {
        awaited_in_.resize(graph_.edges.size());
        for (std::uint32_t c = 0; c < waits_.calls.size(); ++c)
            for (const WaitEdge& edge : graph_.edges[c])
                if (!graph_.is_call(edge.to))
                    awaited_in_[edge.to].push_back({c, edge.proved});
    }

    /// A rank for which calls wait and that waits for nothing.
    void judge_rank(std::uint32_t node) {
        if (awaited_in_[node].empty())
            return;
        const int rank = graph_.rank_of(node);
        const bool has_dump = waits_.has_dump(rank);
        // The call that proves it, the oldest of several.
        std::uint32_t call = awaited_in_[node].front().call;
        bool proved = false;
        for (const auto& [c, proves] : awaited_in_[node]) {
            if ((proves && !proved) || (proves == proved && first_.comes_first(c, call)))
                call = c;
            proved |= proves;
        }
        if (has_dump)
            judge_absent(rank, call, proved);
        else
            judge_without_dump(node, call);
    }

    void judge_without_dump(std::uint32_t node, std::uint32_t call) {
        const int rank = graph_.rank_of(node);
        first_.blame(call, HangProblem::no_dump);
        verdicts_.say(rank, HangVerdict::possible,
                      "%1 Whether it made %2 is not known; %3."_text(unusable_.why_none(rank), words_of(call).name,
                                                                     words_of(call).in_front));
        for (const Awaited& awaited : awaited_in_[node])
            if (suspected_.insert(awaited.call).second)
                suspect_waiting(awaited.call);
    }

    /// proved: that it did not make the call.
    void judge_absent(int rank, std::uint32_t call, bool proved) {
        const auto& [name, waiters, in_front] = words_of(call);
        const bool unread = evidence_.unread_calls.contains(rank);
        const bool lost = waits_.lost_open_call[waits_.dump_of(rank)] != 0;
        const bool convicted = proved && !unread && !lost;
        first_.blame(call, HangProblem::missing, convicted);
        const Text<2> why =
            !proved  ? "No entry of its dump shows %1, and none proves that it did not make it; %2. None of its own "
                       "calls is open."_text
            : unread ? "It never made %1; %2. But calls of its dump could not be read, one of which may be open and "
                       "wait for another rank."_text
            : lost   ? "It never made %1; %2. It has an open call that its buffer no longer holds, which may wait for "
                       "another rank."_text
                     : "It never made %1; %2. It waits for no other rank: none of its own calls is open."_text;
        verdicts_.say(rank, convicted ? HangVerdict::culprit : HangVerdict::possible, why(name, waiters));
    }

    struct CallWords {
        Message name;
        Message waiters;  ///< "ranks 0 to 2 wait for it there"
        Message in_front; ///< of those with no open call before it, or that none is
    };
    /// Thousands of ranks may be missing in one call.
    const CallWords& words_of(std::uint32_t c) {
        const auto [known, added] = words_.try_emplace(c);
        if (!added)
            return known->second;
        const std::vector<int> waiting = waits_.waiting_in(c);
        const auto wait_there = [](const std::vector<int>& ranks) {
            return plural(ranks.size(), "rank %1 waits for it there"_one,
                          "ranks %1 wait for it there"_many)(rank_runs(ranks));
        };
        std::vector<int> in_front = waiting;
        std::erase_if(in_front, [&](int rank) {
            const auto& queue = waits_.queues[waits_.dump_of(rank)];
            return std::ranges::none_of(queue, [&](const HangWaits::Queued& queued) {
                return queued.call == c && queued.place == queue.front().place;
            });
        });
        known->second = {hang_call_text(waits_.call_of(c)), wait_there(waiting),
                         in_front.empty()
                             ? plural(waiting.size(), "rank %1 made it, and has another call open before it"_one,
                                      "ranks %1 made it, and have other calls open before it"_many)(rank_runs(waiting))
                             : wait_there(in_front)};
        return known->second;
    }

    /// A call that lacks only ranks without a dump: if they came, it stands still on a rank that waits in it. Of few
    /// waiting ranks each may be that one; of more than are missing it is less likely, and nothing clears them either.
    /// Messages are posted long before anybody waits for them: they accuse nobody.
    void suspect_waiting(std::uint32_t c) {
        const std::vector<WaitEdge>& edges = graph_.edges[c];
        const bool only_missing = std::ranges::all_of(
            edges, [&](const WaitEdge& edge) { return !graph_.is_call(edge.to) && !waits_.has_dump(edge.rank); });
        if (!only_missing)
            return;
        const std::vector<int> waiting = waits_.waiting_in(c), missing = waits_.ranks_in(c, {State::no_dump});
        for (const int rank : waiting) {
            const auto& queue = waits_.queues[waits_.dump_of(rank)];
            if (queue.empty() || queue.front().call != c)
                continue; // it waits elsewhere before
            const Message name = hang_call_text(waits_.call_of(c));
            if (waiting.size() <= missing.size() && !waits_.calls[c].message)
                verdicts_.say(
                    rank, HangVerdict::possible,
                    plural(missing.size(),
                           "It waits in %1 for rank %2: %3. If that rank came, its own GPU stands still there, or the "
                           "way to it."_one,
                           "It waits in %1 for ranks %2: %3. If those ranks came, its own GPU stands still there, or "
                           "the way to it."_many)(name, rank_runs(missing), unusable_.missing_words(missing)));
            else
                verdicts_.say(
                    rank, HangVerdict::victim,
                    plural(missing.size(),
                           "It waits in %1 for rank %2: %3. That it is not at fault itself is not proved."_one,
                           "It waits in %1 for ranks %2: %3. That it is not at fault itself is not proved."_many)(
                        name, rank_runs(missing), unusable_.missing_words(missing)));
        }
    }

    void convict_by_mismatch(std::uint32_t c, const HangMismatch& mismatch) {
        first_.blame(c, HangProblem::mismatch, judge_mismatch(waits_, c, mismatch, verdicts_));
        mismatch_told_.insert(c);
    }

    /// A call that all members made, with nothing open before it.
    void judge_call(std::uint32_t c) {
        if (waits_.waiting_in(c).empty())
            return;
        if (const auto mismatch = mismatch_in(waits_, c)) {
            convict_by_mismatch(c, *mismatch);
            return;
        }
        first_.blame(c, HangProblem::stuck_inside, judge_stuck_call(waits_, c, records_starts_, verdicts_));
    }

    /// Calls and ranks that wait for each other, and for nothing else.
    void judge_circle(const std::vector<std::uint32_t>& nodes) {
        std::vector<std::uint32_t> calls;
        std::ranges::copy_if(nodes, std::back_inserter(calls),
                             [&](std::uint32_t node) { return graph_.is_call(node); });
        if (calls.empty())
            return;
        bool mismatched = false;
        for (const std::uint32_t c : calls)
            if (const auto mismatch = mismatch_in(waits_, c)) {
                convict_by_mismatch(c, *mismatch);
                mismatched = true;
            }
        if (mismatched)
            return;
        const std::uint32_t first = *std::ranges::min_element(
            calls, [&](std::uint32_t a, std::uint32_t b) { return first_.comes_first(a, b); });
        const std::vector<HangLink> circle = circle_through(first);
        if (hang_.deadlock.empty() || circle.size() < hang_.deadlock.size())
            hang_.deadlock = circle;
        for (const std::uint32_t c : calls)
            first_.blame(c, HangProblem::deadlock);
        for (std::size_t i = 0; i < circle.size(); ++i)
            verdicts_.say(circle[i].waiter, HangVerdict::deadlock,
                          "It waits in %1 for rank %2, which waits in %3."_text(
                              hang_call_text(circle[i].call), circle[i].awaited,
                              hang_call_text(circle[(i + 1) % circle.size()].call)));
        // One that is away where most of the others are is the odd one out, though the dumps do not prove it.
        for (const std::uint32_t c : calls) {
            const std::vector<int> away = waits_.ranks_in(c, {State::absent}), waiting = waits_.waiting_in(c);
            if (waiting.size() >= 2 && away.size() * 2 <= waiting.size())
                for (const int rank : away)
                    verdicts_.say(
                        rank, HangVerdict::possible,
                        "%1 of %2 members wait for it in %3, while it waits elsewhere for one of them: it may have "
                        "left "
                        "out a call or made it out of turn."_text(waiting.size(), waits_.calls[c].parts.size(),
                                                                  hang_call_text(waits_.call_of(c))));
        }
    }

    [[nodiscard]] std::vector<HangLink> circle_through(std::uint32_t call) const {
        const std::vector<std::pair<std::uint32_t, int>> steps = shortest_circle(graph_, call);
        std::vector<HangLink> circle;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const int waiter = steps[(i + steps.size() - 1) % steps.size()].second;
            if (waiter != steps[i].second)
                circle.push_back({waiter, steps[i].second, waits_.call_of(steps[i].first)});
        }
        return circle;
    }

    void judge_the_rest() {
        for (const int rank : waits_.no_dump)
            verdicts_.say(rank, HangVerdict::no_dump, unusable_.why_none(rank));
        for (const int rank : unusable_.ranks())
            verdicts_.say(rank, HangVerdict::no_dump, unusable_.why_none(rank));
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            verdicts_.say(waits_.dumps[i].rank,
                          waits_.queues[i].empty() ? HangVerdict::unconcerned : HangVerdict::victim, {});
    }

    /// A mismatch counts also in a call that other members did not make. Those behind it in its group may follow from
    /// it.
    void find_mismatches() {
        constexpr std::size_t kListed = 64;
        std::map<std::uint32_t, std::pair<std::uint32_t, HangMismatch>> oldest; // by group
        for (std::uint32_t c = 0; c < waits_.calls.size(); ++c) {
            const OpenCall& open = waits_.calls[c];
            const auto known = oldest.find(open.group);
            const bool older =
                !open.message && (known == oldest.end() || open.seq < waits_.calls[known->second.first].seq);
            if (!older && hang_.mismatches.size() >= kListed)
                continue;
            auto mismatch = mismatch_in(waits_, c);
            if (!mismatch)
                continue;
            if (older)
                oldest[open.group] = {c, *mismatch};
            if (hang_.mismatches.size() < kListed)
                hang_.mismatches.push_back(std::move(*mismatch));
        }
        for (const auto& [group, found] : oldest)
            if (!mismatch_told_.contains(found.first))
                judge_further_mismatch(found.first, found.second);
    }

    void judge_further_mismatch(std::uint32_t c, const HangMismatch& mismatch) {
        if (std::ranges::any_of(graph_.edges[c], [&](const WaitEdge& edge) { return graph_.is_call(edge.to); }))
            suspect_mismatch(waits_, c, mismatch, verdicts_);
        else
            convict_by_mismatch(c, mismatch);
    }

    /// By the oldest open call of each rank: what it called behind that one has not begun.
    void find_links() {
        constexpr std::size_t kMost = 200'000;
        for (const HangRank& rank : hang_.ranks)
            for (const int awaited : rank.waits.empty() ? std::vector<int>() : rank.waits.front().ranks)
                if (hang_.links.size() < kMost && awaited != rank.rank)
                    hang_.links.push_back({rank.rank, awaited, rank.waits.front().call});
    }

    const HangEvidence& evidence_;
    HangWaits waits_;
    UnusableDumps unusable_;
    WaitGraph graph_;
    std::vector<char> records_starts_; ///< of each dump
    Hang hang_;
    HangVerdicts verdicts_;
    FirstStuck first_{waits_, hang_};
    std::set<std::uint32_t> mismatch_told_; ///< calls
    struct Awaited {
        std::uint32_t call = 0;
        bool proved = false;
    };
    std::vector<std::vector<Awaited>> awaited_in_; ///< of each rank's node: the calls that wait for it
    std::set<std::uint32_t> suspected_;            ///< calls that suspect_waiting() has looked at
    std::map<std::uint32_t, CallWords> words_;
};

} // namespace

std::vector<const HangRank*> Hang::with(HangVerdict verdict) const {
    std::vector<const HangRank*> found;
    for (const HangRank& rank : ranks)
        if (rank.verdict == verdict)
            found.push_back(&rank);
    return found;
}

const HangRank* Hang::rank(int number) const {
    const auto found = std::ranges::find(ranks, number, &HangRank::rank);
    return found == ranks.end() ? nullptr : &*found;
}

Hang find_hang(std::span<const RankDump> dumps, const HangEvidence& evidence) {
    return HangFinder(dumps, evidence).find();
}
Hang find_hang(std::span<const RankDump> dumps) { return find_hang(dumps, {}); }

std::shared_ptr<const Hang> find_hang(const Run& run) {
    std::vector<RankDump> dumps;
    HangEvidence evidence;
    for (const auto& rank : run.ranks) {
        if (!rank->flight_recorder)
            continue;
        dumps.push_back({rank->rank, rank->flight_recorder.get()});
        for (const Notice& notice : rank->notices)
            if (notice.code == "malformed_events")
                evidence.unread_calls[rank->rank] += notice.count;
    }
    for (const Notice& notice : run.notices)
        if (const auto rank = rank_in_dump_name(std::filesystem::path(notice.file).filename().string());
            rank && notice.code == "unreadable_file")
            evidence.unreadable.push_back(*rank);
    return dumps.empty() ? nullptr : std::make_shared<const Hang>(find_hang(dumps, evidence));
}

} // namespace rankscope
