// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/stuck_call.h"

#include <algorithm>

#include "core/base/words.h"

namespace rankscope {
namespace {

using State = HangPart::State;

bool judge_unfinished(const HangWaits& waits, std::uint32_t call, const std::vector<int>& finished,
                      HangVerdicts& verdicts) {
    const OpenCall& open = waits.calls[call];
    const Message name = hang_call_text(waits.call_of(call)), by = rank_list_text(finished);
    const std::vector<int> waiting = waits.waiting_in(call), made = waits.ranks_in(call, {State::made});
    const bool proved = std::ranges::all_of(open.parts, &HangPart::proved);
    if (waiting.size() == 1 && proved && !open.message && !waits.others_went_on(call, waiting.front())) {
        verdicts.say(waiting.front(), HangVerdict::culprit,
                     "It made %1 and never finished it, though all other members did (%2). Nothing it called before is "
                     "open: its GPU, or the way to it, stands still."_text(name, by));
        return true;
    }
    Message why = waiting.size() > 1 ? "It made %1 and has not finished it, though %2 did. The dumps do not say "
                                       "which of those that are left holds up the others."_text(name, by)
                  : open.message     ? "It made %1 and has not finished it, though %2 did. The message may also "
                                       "have been lost on its way."_text(name, by)
                  : !made.empty() ? "It made %1 and has not finished it, though %2 did. Whether %3 finished it is not "
                                    "known."_text(name, by, rank_list_text(made))
                                  : "It made %1 and has not finished it, though %2 did. The others may have "
                                    "finished it after this rank gave up."_text(name, by);
    for (const int rank : waiting)
        verdicts.say(rank, HangVerdict::possible, why);
    for (const int rank : made)
        verdicts.say(rank, HangVerdict::possible,
                     "It made %1, which %2 finished. Whether it finished it too is not known."_text(name, by));
    return false;
}

} // namespace

bool judge_stuck_call(const HangWaits& waits, std::uint32_t call, std::span<const char> records_starts,
                      HangVerdicts& verdicts) {
    const OpenCall& open = waits.calls[call];
    if (const auto finished = waits.ranks_in(call, {State::finished}); !finished.empty())
        return judge_unfinished(waits, call, finished, verdicts);
    const Message name = hang_call_text(waits.call_of(call));
    const std::vector<int> waiting = waits.waiting_in(call);
    // Where the start of calls is recorded, a member that never started is held up by its own GPU.
    std::vector<int> begun = waits.ranks_in(call, {State::started}), not_begun;
    for (const HangPart& part : open.parts)
        if (part.state == State::waiting && records_starts[waits.dump_of(part.rank)] != 0)
            not_begun.push_back(part.rank);
    if (!begun.empty() && !not_begun.empty() && begun.size() + not_begun.size() == waiting.size()) {
        for (const int rank : not_begun)
            verdicts.say(
                rank, HangVerdict::culprit,
                plural(begun.size(),
                       "Its host called %1, yet its GPU never began it, though that of rank %2 did. Nothing it "
                       "called before is open: its GPU is stuck in other work."_one,
                       "Its host called %1, yet its GPU never began it, though that of ranks %2 did. Nothing it "
                       "called before is open: its GPU is stuck in other work."_many)(name, rank_runs(begun)));
        return true;
    }
    for (const int rank : waiting)
        verdicts.say(
            rank, HangVerdict::possible,
            "All %1 members made %2 and none finished it: the network between them, or the GPU of one of them, "
            "stands still. The dumps do not say which."_text(open.parts.size(), name));
    return false;
}

} // namespace rankscope
