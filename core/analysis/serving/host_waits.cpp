// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/host_waits.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace rankscope {

bool is_engine_range(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kPrefixes{
        "gpu_model_runner: ", "schedule: ", "llm_engine step: ", "scheduler.", "cuda_graph_runner.", "tp_worker."};
    return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::vector<HostRange> engine_ranges(const RankTrace& rank) {
    std::vector<HostRange> recorded;
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i)
        if (rank.events.kind[i] == EventKind::annotation && is_engine_range(rank.event_name(i)))
            recorded.push_back({rank.events.range(i), rank.event_name(i)});
    std::ranges::stable_sort(recorded, [](const HostRange& a, const HostRange& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
    });
    std::vector<HostRange> innermost;
    std::vector<HostRange> open; // the one that started last is the last
    TimeNs reached = std::numeric_limits<TimeNs>::min();
    const auto go_on_until = [&](TimeNs until) {
        while (!open.empty() && reached < until) {
            const HostRange top = open.back();
            const TimeNs end = std::min(top.range.end, until);
            if (reached < end)
                innermost.push_back({{reached, end}, top.name});
            reached = std::max(reached, end);
            if (top.range.end <= until)
                open.pop_back();
        }
        reached = until;
    };
    for (const HostRange& range : recorded) {
        go_on_until(range.range.begin);
        open.push_back(range);
    }
    go_on_until(std::numeric_limits<TimeNs>::max());
    return innermost;
}

std::vector<HostWait> host_waits(std::span<const HostRange> ranges, const IntervalSet& idle) {
    std::map<std::string_view, TimeNs> by_name;
    for (const TimeRange& wait : idle) {
        TimeNs outside = wait.length();
        for (auto at = std::ranges::upper_bound(ranges, wait.begin, {}, [](const HostRange& r) { return r.range.end; });
             at != ranges.end() && at->range.begin < wait.end; ++at) {
            const TimeNs inside = at->range.clipped_to(wait).length();
            by_name[at->name] += inside;
            outside -= inside;
        }
        if (outside > 0)
            by_name[{}] += outside;
    }
    std::vector<HostWait> waits;
    for (const auto& [name, time] : by_name)
        waits.push_back({name, time});
    return waits;
}

} // namespace rankscope
