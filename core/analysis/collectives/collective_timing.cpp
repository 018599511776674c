// SPDX-License-Identifier: GPL-3.0-or-later
// Latency, skew and bandwidth of each collective call.
#include "core/analysis/collectives/collective_timing.h"

#include <algorithm>
#include <limits>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

std::int64_t size_of_group(const CommGroup& group, const CommCall& call) {
    if (group.point_to_point)
        return 2;
    return call.args != nullptr && call.args->group_size > 0 ? call.args->group_size
                                                             : static_cast<std::int64_t>(group.ranks.size());
}

/// Mean over the members that say how much they move.
std::int64_t mean_message(const Run& run, const CollectiveMatching& matching, const CollectiveTiming& timing) {
    std::int64_t sum = 0;
    std::int64_t known = 0;
    for (const auto& member : timing.members) {
        const std::int64_t bytes = message_bytes(run, matching.call(member));
        sum += bytes == kUnknown ? 0 : bytes;
        known += bytes == kUnknown ? 0 : 1;
    }
    return known == 0 ? kUnknown : sum / known;
}

void measure_times(const CollectiveMatching& matching, const ClockAlignment& clock, CollectiveTiming& timing) {
    constexpr TimeNs kMost = std::numeric_limits<TimeNs>::max();
    constexpr TimeNs kLeast = std::numeric_limits<TimeNs>::min();
    TimeNs last_start = kLeast;
    TimeNs first_end = kMost;
    TimeNs last_end = kLeast;
    double starts = 0;
    timing.start = timing.latency = kMost;
    for (const auto& member : timing.members) {
        const TimeRange recorded = matching.call(member).range;
        const TimeNs start = recorded.begin - clock.offset[member.first];
        const TimeNs end = recorded.end - clock.offset[member.first];
        if (start <= timing.start) {
            timing.start = start;
            timing.first_rank = member.first;
        }
        if (start > last_start) {
            last_start = start;
            timing.last_rank = member.first;
        }
        first_end = std::min(first_end, end);
        last_end = std::max(last_end, end);
        timing.latency = std::min(timing.latency, recorded.end - recorded.begin);
    }
    for (const auto& member : timing.members)
        starts += static_cast<double>(last_start - (matching.call(member).range.begin - clock.offset[member.first]));
    timing.mean_wait = starts / static_cast<double>(timing.members.size());
    timing.start_skew = last_start - timing.start;
    timing.end_skew = last_end - first_end;
    timing.wall = last_end - timing.start;
}

CollectiveTiming time_call(const Run& run, const CollectiveMatching& matching, const ClockAlignment& clock,
                           std::uint32_t group, std::vector<std::pair<std::uint32_t, std::uint32_t>> members) {
    const CommCall& first = matching.call(members.front());
    CollectiveTiming timing;
    timing.group = group;
    timing.kind =
        matching.groups[group].point_to_point ? CollectiveKind::send_recv : first.kind; // both ends are one call
    timing.uneven = is_uneven(run, first);
    timing.members = std::move(members);
    timing.alone = timing.members.size() == 1;
    measure_times(matching, clock, timing);
    timing.group_size = size_of_group(matching.groups[group], first);
    timing.bytes = mean_message(run, matching, timing);
    timing.algbw = timing.busbw = std::numeric_limits<double>::quiet_NaN();
    if (timing.bytes != kUnknown && timing.latency > 0 && timing.group_size > 1) {
        timing.algbw = static_cast<double>(timing.bytes) / static_cast<double>(timing.latency);
        timing.busbw = timing.algbw * bus_factor(timing.kind, timing.group_size);
    }
    return timing;
}

/// Groups of which the run has one member only: nothing there could be matched.
std::vector<bool> lone_groups(const Run& run, const CollectiveMatching& matching) {
    std::vector<bool> lone;
    for (const CommGroup& group : matching.groups) {
        const auto traced = std::count_if(run.ranks.begin(), run.ranks.end(), [&](const auto& rank) {
            return std::find(group.ranks.begin(), group.ranks.end(), rank->rank) != group.ranks.end();
        });
        lone.push_back(traced == 1);
    }
    return lone;
}

} // namespace

std::int64_t message_bytes(const Run& run, const CommCall& call) {
    if (call.args == nullptr)
        return kUnknown;
    const std::int64_t elements =
        call.kind == CollectiveKind::all_gather ? call.args->out_elements : call.args->in_elements;
    const int size = dtype_bytes(run.names->view(call.args->dtype));
    return elements < 0 || size == 0 ? kUnknown : elements * size;
}

bool is_uneven(const Run& run, const CommCall& call) {
    if (call.kind != CollectiveKind::all_to_all || call.args == nullptr)
        return false;
    std::string name = lower_case(run.names->view(call.args->collective));
    std::erase(name, '_');
    return contains(name, "alltoallv");
}

double bus_factor(CollectiveKind kind, std::int64_t group_size) {
    const auto n = static_cast<double>(group_size);
    switch (kind) {
    case CollectiveKind::all_reduce: return 2 * (n - 1) / n;
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_gather:
    case CollectiveKind::all_to_all: return (n - 1) / n;
    default: return 1;
    }
}

std::vector<CollectiveTiming> time_collectives(const Run& run, const CollectiveMatching& matching,
                                               const ClockAlignment& clock) {
    std::vector<CollectiveTiming> timings;
    for (std::uint32_t i = 0; i < matching.matched.size(); ++i) {
        const MatchedCall& matched = matching.matched[i];
        if (matched.complete) {
            timings.push_back(time_call(run, matching, clock, matched.group, matched.members));
            timings.back().matched = i;
        }
    }
    const std::vector<bool> lone = lone_groups(run, matching);
    for (std::uint32_t r = 0; r < matching.calls.size(); ++r) {
        for (std::uint32_t c = 0; c < matching.calls[r].size(); ++c) {
            const std::uint32_t group = matching.calls[r][c].group;
            if (lone[group])
                timings.push_back(time_call(run, matching, clock, group, {{r, c}}));
        }
    }
    std::stable_sort(timings.begin(), timings.end(),
                     [](const CollectiveTiming& a, const CollectiveTiming& b) { return a.start < b.start; });
    return timings;
}

} // namespace rankscope
