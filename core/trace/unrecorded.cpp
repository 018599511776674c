// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/unrecorded.h"

#include <algorithm>
#include <iterator>

namespace rankscope {

bool lacks_steps_between(const ProfilerStep& before, const ProfilerStep& after) {
    const TimeNs between = after.range.begin - before.range.end;
    return after.number > before.number + 1 && between > 0 && between >= before.range.length() / 2;
}

std::vector<TimeRange> unrecorded_times(const RankTrace& rank) {
    std::vector<TimeRange> times;
    for (std::size_t i = 1; i < rank.steps.size(); ++i) {
        const ProfilerStep& before = rank.steps[i - 1];
        const ProfilerStep& after = rank.steps[i];
        if (lacks_steps_between(before, after))
            times.push_back({before.range.end, after.range.begin});
    }
    // Work of the step before may still run in it, or be launched for the next; in its middle there is none.
    std::vector<bool> recorded(times.size());
    for (EventIndex i = 0; i < rank.events.gpu_count && !times.empty(); ++i) {
        const TimeNs start = rank.events.start[i];
        const auto after = std::ranges::upper_bound(times, start, {}, &TimeRange::begin);
        if (after == times.begin())
            continue;
        const TimeRange& range = *std::prev(after);
        const TimeNs quarter = range.length() / 4;
        if (start >= range.begin + quarter && start < range.end - quarter)
            recorded[static_cast<std::size_t>(std::prev(after) - times.begin())] = true;
    }
    std::size_t place = 0;
    std::erase_if(times, [&](const TimeRange&) { return recorded[place++]; });
    return times;
}

std::uint32_t unrecorded_before(const std::vector<TimeRange>& unrecorded, TimeNs time) {
    const auto after = std::ranges::upper_bound(
        unrecorded, time, {}, [](const TimeRange& range) { return range.begin + range.length() / 2; });
    return static_cast<std::uint32_t>(after - unrecorded.begin());
}

} // namespace rankscope
