// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/log_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace rankscope {
namespace {

constexpr TimeNs kLogSecond = 1'000'000'000;
constexpr TimeNs kQuarterHour = kHourNs / 4;
/// Drivers tell a utilization of up to so long ago (kMostLate), and clocks of one machine agree.
constexpr TimeNs kMostLate = 300'000'000;
/// Root mean square, in percentage points: what fits, and by how much better than any other offset. Real: 1 to 15
/// points with the right offset (tests/data/real).
constexpr double kFits = 40;
constexpr double kClearly = 12;
/// Samples with the activity, over all offsets.
constexpr std::size_t kMostCompared = 50'000'000;

TimeRange span_of(std::span<const MatchedGpu> gpus) {
    TimeRange all{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for (const MatchedGpu& gpu : gpus) {
        all.begin = std::min(all.begin, gpu.activity->span().begin);
        all.end = std::max(all.end, gpu.activity->span().end);
    }
    return all;
}

/// Times since 1970: since 2000, in any case.
bool counts_from_1970(TimeRange span) {
    constexpr TimeNs kYear2000 = TimeNs{946'684'800} * kLogSecond;
    return span.begin > kYear2000;
}

/// A log that ends before the trace starts, or starts after its end, says nothing of it.
bool overlaps(const HardwareLog& log, TimeRange trace, TimeNs offset) {
    const TimeRange own = log.span();
    return own.begin + offset <= trace.end && own.end + offset + log.resolution >= trace.begin;
}

TimeNs floor_to(TimeNs time, TimeNs unit) {
    const TimeNs rest = time % unit;
    return time - (rest < 0 ? rest + unit : rest);
}

/// Offsets that zones have and with which the log overlaps the traces.
std::vector<TimeNs> offsets_of_zones(const HardwareLog& log, TimeRange trace) {
    if (log.clock == HardwareClock::unix_time)
        return overlaps(log, trace, 0) ? std::vector<TimeNs>{0} : std::vector<TimeNs>();
    const TimeRange own = log.span();
    // A zone is 12 hours behind UTC to 14 ahead: UTC is the local time less that. A time of day has no date either.
    const bool of_day = log.clock == HardwareClock::of_day;
    const TimeNs first = of_day ? floor_to(trace.begin - own.end, kQuarterHour) : -14 * kHourNs;
    const TimeNs last = of_day ? trace.end - own.begin + kQuarterHour : 12 * kHourNs;
    constexpr std::size_t kMostOffsets = 4096;
    std::vector<TimeNs> offsets;
    for (TimeNs offset = first; offset <= last && offsets.size() < kMostOffsets; offset += kQuarterHour)
        if (overlaps(log, trace, offset))
            offsets.push_back(offset);
    return offsets;
}

/// With each of the offsets. Of a log of hours beside a trace of days a part of the rows is compared.
std::vector<ActivityFit> fits_at(const HardwareLog& log, std::span<const MatchedGpu> gpus,
                                 std::span<const TimeNs> offsets) {
    const TimeNs early = log.resolution >= kLogSecond ? log.resolution : 0, late = early + kMostLate;
    std::size_t rows = 0;
    for (const TimeNs offset : offsets)
        rows += rows_to_compare(gpus, offset, early, late);
    std::vector<ActivityFit> fits;
    for (const TimeNs offset : offsets)
        fits.push_back(fit_activity(gpus, offset, early, late, rows / kMostCompared + 1));
    return fits;
}

LogTimes by_zone(const HardwareLog& log, std::span<const MatchedGpu> gpus, TimeRange trace, bool needs_activity) {
    LogTimes result;
    const std::vector<TimeNs> offsets = offsets_of_zones(log, trace);
    if (offsets.empty()) {
        result.why_not = log.clock == HardwareClock::unix_time
                             ? "it has no time in common with the traces"_text()
                             : "it has no time in common with the traces, in whatever time zone"_text();
        return result;
    }
    const std::vector<ActivityFit> fits = fits_at(log, gpus, offsets);
    if (offsets.size() == 1) {
        result.offset = offsets.front();
        result.fit = fits.front();
        if (result.fit.compared > 0 && result.fit.residual_points > kFits)
            result.why_not =
                "its utilization differs from the GPUs' activity in the traces by %1 percentage points"_text(
                    fmt::format("{:.0f}", result.fit.residual_points));
        else if (result.fit.compared == 0 && needs_activity)
            result.why_not = "the GPU has another number in the traces, and no sample of its utilization lies inside "
                             "them"_text();
        return result;
    }
    std::size_t best = offsets.size();
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (fits[i].compared == 0 || fits[i].residual_points > kFits)
            continue;
        ++fitting;
        if (best == offsets.size() || fits[i].residual_points < fits[best].residual_points)
            best = i;
    }
    // What cannot be compared cannot be excluded.
    const auto rivals = std::ranges::count_if(fits, [&](const ActivityFit& fit) {
        return fit.compared == 0 || (best < fits.size() && fit.residual_points < fits[best].residual_points + kClearly);
    });
    if (best < fits.size() && rivals == 1) {
        result.offset = offsets[best];
        result.fit = fits[best];
    } else if (fitting == 0 && rivals == 0) {
        result.why_not = "its utilization fits the GPUs' activity in no time zone"_text();
    } else {
        result.why_not = "its times have no zone, and several zones fit the traces"_text();
    }
    return result;
}

/// Of times that count from something else: the one place at which the log fits.
LogTimes by_activity(const HardwareLog& log, std::span<const MatchedGpu> gpus, TimeRange trace) {
    constexpr std::size_t kLeastSamples = 4;
    constexpr double kLeastSpread = 10, kFitsAlone = 25;
    constexpr TimeNs kMostSteps = 20'000;
    LogTimes result;
    result.why_not =
        "the times of the traces do not count from 1970, and the GPUs' activity does not tell where in the "
        "log they are"_text();
    const TimeRange own = log.span();
    TimeNs window = std::numeric_limits<TimeNs>::max();
    for (const MatchedGpu& gpu : gpus)
        window = std::min(window, gpu.window);
    const TimeNs first = trace.begin - own.begin, last = trace.end - own.end;
    const TimeNs low = std::min(first, last), high = std::max(first, last);
    TimeNs inside = 1; // samples of one step
    for (const MatchedGpu& gpu : gpus)
        inside += trace.length() / std::max<TimeNs>(1, own.length() / static_cast<TimeNs>(gpu.gpu->rows.size()));
    const TimeNs steps = std::clamp<TimeNs>(static_cast<TimeNs>(kMostCompared) / inside, 1, kMostSteps);
    const TimeNs step = std::max(window / 4, (high - low) / steps + 1);
    std::vector<std::pair<TimeNs, ActivityFit>> fits;
    for (TimeNs offset = low; offset <= high; offset += step)
        if (const ActivityFit fit = fit_activity(gpus, offset, 0, 0);
            fit.compared >= kLeastSamples && fit.spread_points >= kLeastSpread)
            fits.emplace_back(offset, fit);
    if (fits.empty())
        return result;
    const auto best = std::ranges::min_element(fits, {}, [](const auto& fit) { return fit.second.residual_points; });
    const TimeNs apart = std::max(window, kLogSecond);
    const bool clear = std::ranges::none_of(fits, [&](const auto& fit) {
        return std::abs(fit.first - best->first) > apart &&
               fit.second.residual_points < best->second.residual_points + kClearly;
    });
    if (!clear || best->second.residual_points > kFitsAlone)
        return result;
    result.why_not = {};
    result.offset = best->first;
    result.by_activity = true;
    result.fit = best->second;
    return result;
}

} // namespace

LogTimes log_times(const HardwareLog& log, std::span<const MatchedGpu> gpus, bool needs_activity) {
    const TimeRange trace = span_of(gpus);
    if (log.clock == HardwareClock::none || log.span().empty() || trace.empty()) {
        LogTimes none;
        none.why_not = "it has no times"_text();
        return none;
    }
    return counts_from_1970(trace) ? by_zone(log, gpus, trace, needs_activity) : by_activity(log, gpus, trace);
}

} // namespace rankscope
