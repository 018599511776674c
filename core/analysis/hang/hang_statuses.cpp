// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "core/analysis/hang/hang_verdicts.h"
#include "core/base/words.h"

namespace rankscope {

void judge_statuses(const HangWaits& open_calls, HangVerdicts& verdicts, Hang& hang) {
    std::set<int> waits;
    for (const HangStatus& status : open_calls.open_by_status)
        if (status.is_open())
            waits.insert(status.rank);
    const auto missed_by = [&](const HangStatus& open, const HangStatus& other) {
        return other.name == open.name && other.description == open.description && other.called < open.called;
    };
    const HangStatus* most = nullptr;
    int clearest = -1; // 2: a rank that waits nowhere did not make it; 1: some rank did not
    for (const HangStatus& open : open_calls.open_by_status) {
        if (!open.is_open())
            continue;
        int clear = 0;
        for (const HangStatus& other : open_calls.open_by_status)
            if (missed_by(open, other))
                clear = std::max(clear, waits.contains(other.rank) ? 1 : 2);
        if (clear > clearest) {
            clearest = clear;
            most = &open;
        }
    }
    if (most == nullptr)
        return;
    HangCall call{most->name, most->description, "", most->called, -1, -1, 0};
    for (const HangStatus& status : open_calls.open_by_status) {
        if (status.name != most->name || status.description != most->description)
            continue;
        ++call.size;
        call.may_be_message |= !status.counts_calls;
        if (missed_by(*most, status))
            hang.absent.push_back(status.rank);
        else if (status.is_open())
            hang.waiting.push_back(status.rank);
    }
    hang.first_stuck = call;
    hang.problem = clearest > 0 ? HangProblem::missing : HangProblem::stuck_inside;
    const Message name = hang_call_text(call);
    for (const int rank : hang.absent)
        if (clearest < 2 || !waits.contains(rank))
            verdicts.say(
                rank, HangVerdict::possible,
                plural(hang.waiting.size(),
                       "As its pg_status says, it has not made %1, in which rank %2 waits. Its dump does not hold "
                       "what else it called."_one,
                       "As its pg_status says, it has not made %1, in which ranks %2 wait. Its dump does not hold "
                       "what else it called."_many)(name, rank_runs(hang.waiting)));
    if (clearest == 0)
        for (const int rank : hang.waiting)
            verdicts.say(rank, HangVerdict::possible,
                         "As its pg_status says, it has made %1 and not finished it."_text(name));
    for (const int rank : waits)
        verdicts.say(rank, HangVerdict::victim, {});
    Message note = "What is said of the call is what pg_status says: the dumps do not hold the call."_text();
    if (call.may_be_message)
        note += " If it counts messages, each rank may wait in another one."_text();
    hang.notes.push_back(std::move(note));
}

} // namespace rankscope
