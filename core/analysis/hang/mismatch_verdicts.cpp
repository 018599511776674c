// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/mismatch_verdicts.h"

#include "core/analysis/hang/call_mismatch.h"

namespace rankscope {
namespace {

/// Two out of three call what the job calls here; a half does not.
bool has_majority(const HangMismatch& mismatch) {
    std::size_t all = 0;
    for (const HangVariant& variant : mismatch.variants)
        all += variant.ranks.size();
    const std::size_t most = mismatch.variants.front().ranks.size();
    return mismatch.what != kUnequalTotals && most >= 2 && 3 * most >= 2 * all;
}

} // namespace

bool judge_mismatch(const HangWaits& waits, std::uint32_t call, const HangMismatch& mismatch, HangVerdicts& verdicts) {
    const Message name = hang_call_text(waits.call_of(call));
    if (mismatch.what == kUnequalTotals) {
        for (const HangVariant& variant : mismatch.variants)
            for (const int rank : variant.ranks)
                verdicts.say(
                    rank, HangVerdict::possible,
                    "As %1 it called %2. All members together do not receive as many elements as they send; the "
                    "dumps do not say who is wrong."_text(name, variant.called));
        return false;
    }
    const bool clear = has_majority(mismatch);
    for (std::size_t v = clear ? 1 : 0; v < mismatch.variants.size(); ++v) {
        const HangVariant& other = mismatch.variants[v == 0 ? 1 : 0];
        for (const int rank : mismatch.variants[v].ranks)
            verdicts.say(
                rank, clear ? HangVerdict::culprit : HangVerdict::possible,
                (clear ? "As %1 it called %2, where %3 called %4."_text
                       : "As %1 it called %2, where %3 called %4. The dumps do not say which of them is "
                         "right."_text)(name, mismatch.variants[v].called, rank_list_text(other.ranks), other.called));
    }
    return clear;
}

void suspect_mismatch(const HangWaits& waits, std::uint32_t call, const HangMismatch& mismatch,
                      HangVerdicts& verdicts) {
    if (!has_majority(mismatch))
        return;
    const HangVariant& most = mismatch.variants.front();
    for (std::size_t v = 1; v < mismatch.variants.size(); ++v)
        for (const int rank : mismatch.variants[v].ranks)
            verdicts.say(rank, HangVerdict::possible,
                         "As %1 it called %2, where %3 called %4. But a member of that group has other calls open "
                         "before it."_text(hang_call_text(waits.call_of(call)), mismatch.variants[v].called,
                                           rank_list_text(most.ranks), most.called));
}

} // namespace rankscope
