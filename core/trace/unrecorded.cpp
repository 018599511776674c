// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/unrecorded.h"

#include <algorithm>

namespace rankscope {

std::vector<TimeRange> unrecorded_times(const RankTrace& rank) {
    std::vector<TimeRange> times;
    for (std::size_t i = 1; i < rank.steps.size(); ++i) {
        const ProfilerStep& before = rank.steps[i - 1];
        const ProfilerStep& after = rank.steps[i];
        const TimeRange between{before.range.end, after.range.begin};
        if (after.number > before.number + 1 && between.begin < between.end &&
            between.length() >= before.range.length() / 2)
            times.push_back(between);
    }
    return times;
}

std::uint32_t unrecorded_before(const std::vector<TimeRange>& unrecorded, TimeNs time) {
    const auto after = std::ranges::upper_bound(
        unrecorded, time, {}, [](const TimeRange& range) { return range.begin + range.length() / 2; });
    return static_cast<std::uint32_t>(after - unrecorded.begin());
}

} // namespace rankscope
