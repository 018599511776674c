// SPDX-License-Identifier: GPL-3.0-or-later
// The run as it would be without the faults that are told so far.
#include "core/analysis/findings/repaired_run.h"

#include <utility>

#include "core/analysis/graph/step_time.h"

namespace rankscope {

void RepairedRun::tell(std::vector<int> ranks, TimesChange remove) {
    take_out(remove);
    told_.push_back({std::move(ranks), std::move(remove)});
}

void RepairedRun::tell_of_hosts(std::vector<int> ranks, TimesChange remove) {
    told_of_hosts_.push_back({std::move(ranks), std::move(remove)});
}

void RepairedRun::take_out(const TimesChange& change) {
    if (!times_)
        times_ = graph_.times;
    change(*times_);
}

void RepairedRun::replay() {
    const Replays::Replayed now = replays_.replayed(times());
    step_ns_ = mean_step_time(graph_, now.start, now.times);
}

const GraphTimes& RepairedRun::times() const { return times_ ? *times_ : graph_.times; }

double RepairedRun::saved_ns(const TimesChange& change) const { return step_ns_ - replays_.step_time(times(), change); }

double RepairedRun::step_ns_without_told() const {
    return replays_.step_time(
        graph_.times,
        [this](GraphTimes& times) {
            for (const ToldFault& fault : told_)
                fault.remove(times);
        });
}

} // namespace rankscope
