// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of each rank: of several verdicts the gravest, as it was said first.
#pragma once
#include <map>
#include <utility>

#include "core/analysis/hang/hang_waits.h"

namespace rankscope {

class HangVerdicts {
public:
    void say(int rank, HangVerdict verdict, const Message& why) {
        const auto known = by_rank_.find(rank);
        if (known == by_rank_.end() || verdict < known->second.first)
            by_rank_[rank] = {verdict, why};
    }
    [[nodiscard]] const std::map<int, std::pair<HangVerdict, Message>>& by_rank() const { return by_rank_; }

private:
    std::map<int, std::pair<HangVerdict, Message>> by_rank_;
};

/// No dump holds an open call; pg_status may yet tell of one. A rank that did not make a call and has one open
/// elsewhere waits there: what a rank without any open call did not make is told first.
void judge_statuses(const HangWaits& open_calls, HangVerdicts& verdicts, Hang& hang);

} // namespace rankscope
