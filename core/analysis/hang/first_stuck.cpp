// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/first_stuck.h"

#include <tuple>

namespace rankscope {

bool FirstStuck::comes_first(std::uint32_t call, std::uint32_t other) const {
    const auto key = [&](std::uint32_t c) {
        const OpenCall& open = waits_.calls[c];
        return std::tuple(open.message, open.since == 0, open.since, c);
    };
    return key(call) < key(other);
}

void FirstStuck::blame(std::uint32_t call, HangProblem problem, bool proves_culprit) {
    const int weight = proves_culprit ? 0 : problem == HangProblem::deadlock ? 1 : 2;
    if (call_) {
        // Of one call, a rank that proves not to have come says more than one that left nothing to read.
        const bool proves_more = call_ == call && hang_.problem == HangProblem::no_dump;
        if (weight > weight_ || (weight == weight_ && !comes_first(call, *call_) && !proves_more))
            return;
    }
    call_ = call;
    weight_ = weight;
    hang_.first_stuck = waits_.call_of(call);
    hang_.problem = problem;
    hang_.waiting = waits_.waiting_in(call);
    hang_.absent = waits_.ranks_in(call, {HangPart::State::absent, HangPart::State::no_dump});
    hang_.perhaps_absent = waits_.ranks_in(call, {HangPart::State::no_dump});
    hang_.since = waits_.calls[call].since;
}

} // namespace rankscope
