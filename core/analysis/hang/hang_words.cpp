// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a hang: the headline, and the names of calls, verdicts and problems.
#include <algorithm>

#include "core/analysis/hang/hang.h"
#include "core/base/words.h"

namespace rankscope {

Message hang_headline(const Hang& hang) {
    if (!hang.first_stuck && !hang.notes.empty())
        return hang.notes.front();
    if (!hang.first_stuck)
        return "No call is open in these dumps: the job did not hang in a collective or a message when they were "
               "made."_text;
    const auto numbers = [&](HangVerdict verdict) {
        std::vector<int> ranks;
        for (const HangRank* rank : hang.with(verdict))
            ranks.push_back(rank->rank);
        std::ranges::sort(ranks);
        return ranks;
    };
    const std::vector<int> culprits = numbers(HangVerdict::culprit), possible = numbers(HangVerdict::possible);
    const std::size_t victims = numbers(HangVerdict::victim).size();
    const Message waiters = victims == 0   ? Message()
                            : victims == 1 ? "; one other waits"_text()
                                           : "; %1 others wait"_text(victims);
    const Message call = hang_call_text(*hang.first_stuck);
    if (!culprits.empty()) {
        const Message too = possible.empty() ? Message()
                                             : plural(possible.size(), "; rank %1 may have to do with it"_one,
                                                      "; ranks %1 may have to do with it"_many)(rank_runs(possible));
        return plural(culprits.size(), "The job hangs because of rank %1%2%3."_one,
                      "The job hangs because of ranks %1%2%3."_many)(rank_runs(culprits), waiters, too);
    }
    if (!hang.deadlock.empty())
        return "The job hangs in a deadlock: %1 wait for each other%2."_text(
            rank_list_text(numbers(HangVerdict::deadlock)), waiters);
    if (hang.problem == HangProblem::no_dump)
        return hang.no_dump.empty()
                   ? "The job hangs in %1: no dump of %2 says anything of it%3."_text(call, rank_list_text(hang.absent),
                                                                                      waiters)
                   : plural(hang.no_dump.size(), "The job hangs in %1: rank %2 left no dump%3."_one,
                            "The job hangs in %1: ranks %2 left no dump%3."_many)(call, rank_runs(hang.no_dump),
                                                                                  waiters);
    if (possible.size() == 1)
        return "The job hangs in %1, perhaps because of rank %2%3."_text(call, possible.front(), waiters);
    return "The job hangs in %1; which of %2 it is, the dumps do not prove%3."_text(call, rank_list_text(possible),
                                                                                    waiters);
}

Message hang_call_text(const HangCall& call) {
    const Message group = call.description.empty() || call.description == "undefined"
                              ? "group %1"_text(call.group)
                              : "group %1 (%2)"_text(call.group, call.description);
    if (call.source >= 0) {
        // In a group of two every message counts at both ends; else each rank counts its own.
        if (call.size == 2 || (call.kind != "send" && call.kind != "recv"))
            return "message %1 from rank %2 to rank %3 in %4"_text(call.seq, call.source, call.destination, group);
        return "message %1 (as rank %2 counts) from rank %3 to rank %4 in %5"_text(
            call.seq, call.kind == "send" ? call.source : call.destination, call.source, call.destination, group);
    }
    if (call.may_be_message)
        return "call or message %1 of %2"_text(call.seq, group);
    return call.kind.empty() ? "call %1 of %2"_text(call.seq, group) : "%1 %2 of %3"_text(call.kind, call.seq, group);
}

Message rank_list_text(std::span<const int> ranks) {
    return ranks.empty() ? "no rank"_text() : plural(ranks.size(), "rank %1"_one, "ranks %1"_many)(rank_runs(ranks));
}

std::string_view hang_verdict_word(HangVerdict verdict) {
    switch (verdict) {
    case HangVerdict::culprit: return "culprit";
    case HangVerdict::possible: return "possible";
    case HangVerdict::deadlock: return "deadlock";
    case HangVerdict::no_dump: return "no dump read";
    case HangVerdict::victim: return "waits";
    case HangVerdict::unconcerned: return "not waiting";
    }
    return {};
}

std::string_view hang_problem_word(HangProblem problem) {
    switch (problem) {
    case HangProblem::missing: return "missing";
    case HangProblem::mismatch: return "mismatch";
    case HangProblem::stuck_inside: return "stuck inside";
    case HangProblem::deadlock: return "deadlock";
    case HangProblem::no_dump: return "no dump";
    }
    return {};
}

} // namespace rankscope
