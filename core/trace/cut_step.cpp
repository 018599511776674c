// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/cut_step.h"

#include <algorithm>
#include <limits>

namespace rankscope {

const ProfilerStep* cut_step(const RankTrace& rank) {
    const auto& steps = rank.steps;
    if (steps.size() < 2 || steps.back().event == kNoEvent ||
        !rank.event_name(steps.back().event).starts_with("ProfilerStep#"))
        return nullptr;
    TimeNs shortest = std::numeric_limits<TimeNs>::max();
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        shortest = std::min(shortest, steps[i].range.length());
    return steps.back().range.length() < shortest / (steps.size() == 2 ? 10 : 2) ? &steps.back() : nullptr;
}

} // namespace rankscope
