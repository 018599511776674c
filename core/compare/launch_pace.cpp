// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/launch_pace.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "core/base/statistics.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

struct LaunchPace {
    double gap_ns = 0;   ///< from one launch to the next, median
    double launches = 0; ///< an iteration
};

/// When the calls that launch work of the rank start, ascending. A graph is one launch.
std::vector<TimeNs> launch_times(const RankAnalysis& rank) {
    const EventTable& events = rank.trace->events;
    std::vector<EventIndex> calls;
    for (const GpuSlice& slice : rank.gpu_work)
        if (const EventIndex call = events.link[slice.event]; call != kNoEvent)
            calls.push_back(call);
    std::ranges::sort(calls);
    calls.erase(std::ranges::unique(calls).begin(), calls.end());
    std::vector<TimeNs> times;
    for (const EventIndex call : calls)
        times.push_back(events.start[call]);
    std::ranges::sort(times);
    return times;
}

LaunchPace launch_pace(const RunAnalysis& analysis, const StepAccount& account) {
    std::vector<TimeNs> gaps;
    double launches = 0;
    double iterations = 0;
    for (std::size_t r = 0; r < account.windows.size(); ++r) {
        const std::vector<TimeNs> times = launch_times(analysis.ranks()[r]);
        for (const TimeRange& window : account.windows[r]) {
            const auto first = std::ranges::lower_bound(times, window.begin);
            const auto end = std::lower_bound(first, times.end(), window.end);
            launches += static_cast<double>(end - first);
            ++iterations;
            for (auto time = first; time != end && std::next(time) != end; ++time)
                gaps.push_back(*std::next(time) - *time);
        }
    }
    return gaps.empty() ? LaunchPace{}
                        : LaunchPace{static_cast<double>(lower_median(std::move(gaps))), launches / iterations};
}

} // namespace

Message launch_pace_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                          const StepAccount& after, double change) {
    constexpr double kAsOften = 0.05;
    constexpr double kOfTheChange = 0.5;
    if ((after.mean.wall - before.mean.wall) * change <= 0)
        return {}; // a GPU that takes longer waits less for its host
    const LaunchPace was = launch_pace(baseline, before);
    const LaunchPace is = launch_pace(test, after);
    if (was.launches == 0 || std::abs(is.launches / was.launches - 1) > kAsOften ||
        (is.gap_ns - was.gap_ns) * is.launches / change < kOfTheChange)
        return {};
    return "the host takes %1 -> %2 from one launch to the next (%3 launches an iteration)"_text(
        time_words(was.gap_ns, 3), time_words(is.gap_ns, 3), fmt::format("{:.0f}", is.launches));
}

} // namespace rankscope
