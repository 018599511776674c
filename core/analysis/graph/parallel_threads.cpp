// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/graph/parallel_threads.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/per_rank.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// Of a thread's lane, when it is inside a call; empty where it launches nothing.
IntervalSet calls_of_thread(const RankTrace& rank, const Lane& lane) {
    std::vector<TimeRange> calls;
    bool launches = false;
    for (EventIndex i = lane.begin; i < lane.end; ++i) {
        if (rank.events.kind[i] != EventKind::runtime && rank.events.kind[i] != EventKind::driver)
            continue;
        calls.push_back(rank.events.range(i));
        const EventIndex work = rank.events.link[i];
        launches = launches || (work != kNoEvent && is_gpu_work(rank.events.kind[work]));
    }
    return launches ? merge(std::move(calls)) : IntervalSet();
}

double parallel_calls(const RankTrace& rank) {
    std::vector<std::pair<TimeNs, int>> changes; // in how many threads are inside a call
    for (const Lane& lane : rank.lanes)
        for (const TimeRange& call : calls_of_thread(rank, lane)) {
            changes.emplace_back(call.begin, 1);
            changes.emplace_back(call.end, -1);
        }
    std::ranges::sort(changes);
    TimeNs several = 0;
    int inside = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        several += inside >= 2 ? changes[i].first - changes[i - 1].first : 0;
        inside += changes[i].second;
    }
    const TimeNs length = changes.empty() ? 0 : changes.back().first - changes.front().first;
    return length == 0 ? 0 : static_cast<double>(several) / static_cast<double>(length);
}

} // namespace

double share_of_parallel_calls(const Run& run) {
    count_work("share_of_parallel_calls");
    const auto shares = per_rank<double>(run, [](const RankTrace& rank, std::size_t) { return parallel_calls(rank); });
    return shares.empty() ? 0 : *std::ranges::max_element(shares);
}

} // namespace rankscope
