// SPDX-License-Identifier: GPL-3.0-or-later
// Latency, skew and bandwidth of each collective call.
#include "core/analysis/collectives/collective_timing.h"

#include <algorithm>
#include <limits>

#include "core/base/text_match.h"
#include "core/base/work_count.h"

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

void measure_times(CollectiveTiming& timing) {
    constexpr TimeNs kMost = std::numeric_limits<TimeNs>::max();
    constexpr TimeNs kLeast = std::numeric_limits<TimeNs>::min();
    TimeNs last_start = kLeast;
    TimeNs before_last = kLeast;
    TimeNs first_end = kMost;
    TimeNs last_end = kLeast;
    double starts = 0;
    timing.start = timing.latency = kMost;
    for (const TimedMember& member : timing.members) {
        const auto [start, end] = member.range;
        if (start <= timing.start) {
            timing.start = start;
            timing.first_rank = member.rank;
        }
        before_last = std::max(before_last, std::min(start, last_start));
        if (start > last_start) {
            last_start = start;
            timing.last_rank = member.rank;
        }
        first_end = std::min(first_end, end);
        last_end = std::max(last_end, end);
        timing.latency = std::min(timing.latency, end - start);
        timing.longest = std::max(timing.longest, end - start);
    }
    for (const TimedMember& member : timing.members)
        starts += static_cast<double>(last_start - member.range.begin);
    timing.mean_wait = starts / static_cast<double>(timing.members.size());
    timing.start_skew = last_start - timing.start;
    timing.last_apart = timing.members.size() < 2 ? 0 : last_start - before_last;
    timing.end_skew = last_end - first_end;
    timing.wall = last_end - timing.start;
}

CollectiveTiming time_call(const Run& run, const CollectiveMatching& matching, const ClockAlignment& clock,
                           const MatchedCall& call, bool alone) {
    const CommCall& first = matching.call(call.members.front());
    const CommGroup& group = matching.groups[call.group];
    CollectiveTiming timing;
    timing.group = call.group;
    timing.kind = group.point_to_point ? CollectiveKind::send_recv : first.kind; // both ends are one call
    timing.uneven = is_uneven(run, first);
    timing.complete = call.complete;
    timing.alone = alone;
    for (const auto& member : call.members) {
        timing.members.push_back(
            {member.first, member.second, clock.aligned(member.first, matching.call(member).range)});
    }
    measure_times(timing);
    timing.group_size = size_of_group(group, first);
    timing.algbw = timing.busbw = std::numeric_limits<double>::quiet_NaN();
    if (timing.whole())
        timing.bytes = mean_message(run, matching, timing);
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

CallTable time_collectives(const Run& run, const CollectiveMatching& matching, const ClockAlignment& clock) {
    count_work("time_collectives");
    CallTable table;
    for (std::uint32_t i = 0; i < matching.matched.size(); ++i) {
        table.all.push_back(time_call(run, matching, clock, matching.matched[i], false));
        table.all.back().matched = i;
    }
    const std::vector<bool> lone = lone_groups(run, matching);
    for (std::uint32_t r = 0; r < matching.calls.size(); ++r)
        for (std::uint32_t c = 0; c < matching.calls[r].size(); ++c)
            if (const CommCall& call = matching.calls[r][c]; lone[call.group])
                table.all.push_back(time_call(run, matching, clock, {call.group, call.kind, false, {{r, c}}}, true));
    for (std::uint32_t i = 0; i < table.all.size(); ++i)
        if (table.all[i].whole())
            table.whole.push_back(i);
    std::ranges::stable_sort(table.whole, {}, [&](std::uint32_t i) { return table.all[i].start; });
    return table;
}

} // namespace rankscope
