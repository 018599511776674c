// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and distances of communication calls by dimension.
#include "core/analysis/collectives/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>

#include "core/analysis/basics/per_rank.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

using TrafficKey = std::tuple<ParallelDimension, std::uint32_t, CollectiveKind>;

bool is_in(const NumberSet<std::int64_t>& steps, const WorkSteps& work_steps, EventIndex event) {
    const ProfilerStep* own = work_steps.of(event);
    return own != nullptr && steps.contains(own->number);
}

struct Distances {
    std::vector<double> start_to_start;
    std::vector<double> idle;

    void add(TimeRange before, TimeRange after) {
        start_to_start.push_back(static_cast<double>(after.begin - before.begin));
        idle.push_back(static_cast<double>(std::max<TimeNs>(0, after.begin - before.end)));
    }
};

struct RankWindows {
    std::vector<TrafficWindow> windows;
    Statistics idle;
};

/// calls: in order of start; dimensions: theirs. What lies between two of different stretches is no window.
RankWindows windows_of(std::uint32_t rank, const std::vector<CommCall>& calls,
                       const std::vector<ParallelDimension>& dimensions) {
    std::map<std::pair<ParallelDimension, ParallelDimension>, Distances> pairs;
    std::map<ParallelDimension, TimeRange> last;
    Distances all;
    TimeRange before; // its end: the latest so far, so that a long call hides the short ones inside it
    bool is_first = true;
    for (std::size_t c = 0; c < calls.size(); ++c) {
        const TimeRange range = calls[c].range;
        if (c > 0 && calls[c].stretch != calls[c - 1].stretch) {
            last.clear();
            is_first = true;
        }
        const auto found = last.find(dimensions[c]);
        if (found != last.end()) {
            pairs[{dimensions[c], dimensions[c]}].add(found->second, range);
            found->second = {range.begin, std::max(found->second.end, range.end)};
        } else {
            last.emplace(dimensions[c], range);
        }
        if (!is_first) {
            all.add(before, range);
            if (dimensions[c - 1] != dimensions[c])
                pairs[{dimensions[c - 1], dimensions[c]}].add(before, range);
        }
        before = {range.begin, is_first ? range.end : std::max(before.end, range.end)};
        is_first = false;
    }
    RankWindows result;
    for (auto& [pair, distances] : pairs) {
        const double p95_start = nearest_rank_percentile(distances.start_to_start, 0.95);
        const double p95_idle = nearest_rank_percentile(distances.idle, 0.95);
        result.windows.push_back({rank, pair.first, pair.second, statistics_of(std::move(distances.start_to_start)),
                                  statistics_of(std::move(distances.idle)), p95_start, p95_idle});
    }
    result.idle = statistics_of(std::move(all.idle));
    return result;
}

} // namespace

ParallelDimension dimension_of_call(const GroupDimension& group, const CommCall& call, const Parallelism& parallelism) {
    return group.method == DimensionMethod::kind ? dimension_by_kind(call, parallelism) : group.dimension;
}

TrafficAnalysis analyse_traffic(const Run& run, const CollectiveMatching& matching,
                                std::span<const std::vector<ProfilerStep>> steps) {
    count_work("analyse_traffic");
    TrafficAnalysis result;
    result.groups = dimensions_of_groups(run, matching);
    const Parallelism parallelism = parallelism_of(run.config);
    for (const std::vector<ProfilerStep>& of_rank : steps)
        result.steps = std::max(result.steps, std::ssize(of_rank));
    std::map<TrafficKey, TrafficRow> rows;
    std::vector<std::vector<ParallelDimension>> dimensions(matching.calls.size());
    for (std::size_t r = 0; r < matching.calls.size(); ++r) {
        const WorkSteps work_steps(*run.ranks[r]);
        NumberSet<std::int64_t> numbers;
        if (result.steps > 0)
            for (const ProfilerStep& step : steps[r])
                numbers.insert(step.number);
        std::map<TrafficKey, TrafficRow> own;
        for (const CommCall& call : matching.calls[r]) {
            const GroupDimension& group = result.groups[call.group];
            const ParallelDimension dimension = dimension_of_call(group, call, parallelism);
            dimensions[r].push_back(dimension);
            if (result.steps > 0 && !is_in(numbers, work_steps, call.event)) {
                ++result.outside_steps;
                continue;
            }
            const bool by_kind = group.method == DimensionMethod::kind && dimension == ParallelDimension::unknown;
            TrafficRow& row = own[{dimension, call.group, call.kind}];
            row.dimension = dimension;
            row.method = by_kind ? DimensionMethod::none : group.method;
            row.group = call.group;
            row.kind = call.kind;
            ++row.calls;
            row.time += call.range.length();
            const std::int64_t bytes = message_bytes(run, call);
            row.without_size += bytes == kUnknown ? 1 : 0;
            row.bytes += bytes == kUnknown ? 0 : bytes;
        }
        const std::int64_t own_steps = r < steps.size() ? std::ssize(steps[r]) : 0;
        const auto in_all_steps = [&](std::int64_t value) {
            return own_steps == 0 || own_steps == result.steps
                       ? value
                       : std::llround(static_cast<double>(value) * static_cast<double>(result.steps) /
                                      static_cast<double>(own_steps));
        };
        for (TrafficRow& more : own | std::views::values) {
            TrafficRow& row = rows[{more.dimension, more.group, more.kind}];
            row.dimension = more.dimension;
            row.method = more.method;
            row.group = more.group;
            row.kind = more.kind;
            row.calls += in_all_steps(more.calls);
            row.time += in_all_steps(more.time);
            row.without_size += in_all_steps(more.without_size);
            row.bytes += in_all_steps(more.bytes);
        }
    }
    for (const auto& [key, row] : rows)
        result.rows.push_back(row);
    std::stable_sort(
        result.rows.begin(), result.rows.end(),
        [](const TrafficRow& a, const TrafficRow& b) { return a.bytes > b.bytes; });
    for (RankWindows& rank : per_rank<RankWindows>(run, [&](const RankTrace&, std::size_t r) {
             return windows_of(static_cast<std::uint32_t>(r), matching.calls[r], dimensions[r]);
         })) {
        result.windows.insert(result.windows.end(), rank.windows.begin(), rank.windows.end());
        result.idle.push_back(rank.idle);
    }
    return result;
}

} // namespace rankscope
