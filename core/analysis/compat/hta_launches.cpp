// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's launch statistics, queue length and memory bandwidth.
#include "core/analysis/compat/hta_launches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "core/analysis/compat/hta_clock.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::array kMeasuredKernelCalls{"cudaLaunchKernel"sv, "cudaLaunchKernelExC"sv};
constexpr std::array kMeasuredMemoryCalls{"cudaMemcpyAsync"sv, "cudaMemsetAsync"sv};
constexpr std::array kQueuedCalls{"cudaLaunchKernel"sv, "cudaLaunchKernelExC"sv,      "cuLaunchKernel"sv,
                                  "cuLaunchKernelEx"sv, "cudaMemcpyAsync"sv,          "cudaMemsetAsync"sv,
                                  "hipLaunchKernel"sv,  "hipExtModuleLaunchKernel"sv, "hipMemsetAsync"sv,
                                  "hipMemcpyAsync"sv,   "hipMemcpyWithStream"sv};

/// is_one_of for the names of a rank, each looked at once.
template <std::size_t N>
class NamesAmong {
public:
    NamesAmong(const RankTrace& rank, const std::array<std::string_view, N>& names)
        : rank_(rank), names_(names), known_(rank.names->size()) {}
    bool holds(EventIndex event) {
        std::uint8_t& known = known_[rank_.events.name[event]];
        if (known == 0)
            known = is_one_of(rank_.event_name(event), names_) ? 2 : 1;
        return known == 2;
    }

private:
    const RankTrace& rank_;
    const std::array<std::string_view, N>& names_;
    std::vector<std::uint8_t> known_; ///< by name: 0 not looked at, 1 no, 2 yes
};

double us(TimeNs ns) { return static_cast<double>(ns) / 1000.0; }

} // namespace

std::vector<HtaLaunch> hta_launches(const RankTrace& rank, const std::vector<HtaRow>& rows) {
    const HtaClock clock(rank);
    NamesAmong kernel_calls(rank, kMeasuredKernelCalls);
    NamesAmong memory_calls(rank, kMeasuredMemoryCalls);
    std::vector<HtaLaunch> launches;
    for (const HtaRow& row : rows) {
        const EventIndex call = rank.events.link[row.event];
        if (call == kNoEvent)
            continue;
        const bool memory = memory_calls.holds(call);
        if (memory || kernel_calls.holds(call)) {
            const TimeRange range = clock.range(rank.events, call);
            launches.push_back({call, us(range.end - range.begin), us(row.range.end - row.range.begin),
                                us(std::max<TimeNs>(0, row.range.begin - range.end)), memory});
        }
    }
    std::stable_sort(launches.begin(), launches.end(), [&](const HtaLaunch& a, const HtaLaunch& b) {
        return rank.events.ordinal[a.call] < rank.events.ordinal[b.call];
    });
    return launches;
}

std::vector<HtaQueuePoint> hta_queue(const RankTrace& rank, const std::vector<HtaRow>& rows) {
    const HtaClock clock(rank);
    NamesAmong calls(rank, kQueuedCalls);
    struct Steps {
        std::vector<HtaQueuePoint> launches;
        std::vector<HtaQueuePoint> starts;
    };
    std::map<std::int64_t, Steps> streams;
    std::vector<Steps*> of_lane(rank.lanes.size());
    for (const HtaRow& row : rows) {
        const EventIndex call = rank.events.link[row.event];
        if (call == kNoEvent || !calls.holds(call))
            continue;
        const Lane& lane = rank.lane_of(row.event);
        Steps*& steps = of_lane[static_cast<std::size_t>(&lane - rank.lanes.data())];
        steps = steps == nullptr ? &streams[lane.stream] : steps;
        steps->launches.push_back({lane.stream, call, clock.start(rank.events.start[call]), 1});
        steps->starts.push_back({lane.stream, row.event, row.range.begin, -1}); // in order, as rows are
    }
    std::vector<HtaQueuePoint> points;
    for (auto& [stream, steps] : streams) {
        std::sort(steps.launches.begin(), steps.launches.end(), [&](const HtaQueuePoint& a, const HtaQueuePoint& b) {
            return a.time != b.time ? a.time < b.time : rank.events.ordinal[a.event] < rank.events.ordinal[b.event];
        });
        const auto begin = static_cast<std::ptrdiff_t>(points.size());
        // Of points at one time the launches come first.
        std::merge(steps.launches.begin(), steps.launches.end(), steps.starts.begin(), steps.starts.end(),
                   std::back_inserter(points),
                   [](const HtaQueuePoint& a, const HtaQueuePoint& b) { return a.time < b.time; });
        std::int64_t length = 0;
        for (auto point = points.begin() + begin; point != points.end(); ++point)
            point->length = length += point->length;
    }
    return points;
}

std::vector<HtaQueueSummary> hta_queue_summary(const std::vector<HtaQueuePoint>& points, std::int64_t full) {
    std::vector<HtaQueueSummary> summaries;
    for (auto begin = points.begin(); begin != points.end();) {
        const auto end =
            std::find_if(begin, points.end(), [&](const HtaQueuePoint& p) { return p.stream != begin->stream; });
        HtaQueueSummary summary{begin->stream, {}, 0};
        std::vector<double> lengths;
        for (auto point = begin; point != end; ++point) {
            lengths.push_back(static_cast<double>(point->length));
            if (point->length >= full && point + 1 != end)
                summary.full_us += us((point + 1)->time - point->time);
        }
        summary.length = hta_describe(std::move(lengths));
        summaries.push_back(summary);
        begin = end;
    }
    return summaries;
}

std::vector<HtaBandwidthPoint> hta_memory_bandwidth(const RankTrace& rank, const std::vector<HtaRow>& rows) {
    std::map<std::string, std::vector<HtaBandwidthPoint>> by_name;
    for (const HtaRow& row : rows) {
        if (row.hta_class != HtaClass::memory)
            continue;
        const std::string_view full = rank.event_name(row.event);
        const std::string name(full.starts_with("Memset")   ? "Memset"sv
                               : full.starts_with("Memcpy") ? full.substr(0, 11)
                                                            : "Memcpy Unknown"sv);
        const auto transfer = std::ranges::lower_bound(rank.memory_transfers, row.event, {}, &MemoryTransfer::event);
        const bool known = transfer != rank.memory_transfers.end() && transfer->event == row.event;
        const double gb_s = known ? transfer->bandwidth_gb_s : 0;
        const TimeNs duration = row.range.end - row.range.begin;
        by_name[name].push_back({name, row.range.begin, gb_s});
        by_name[name].push_back({name, row.range.begin + (duration == 0 ? 1000 : duration), -gb_s});
    }
    std::vector<HtaBandwidthPoint> points;
    for (auto& [name, steps] : by_name) {
        // HTA lists all starts before all ends.
        std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
            return std::tuple(a.time, std::signbit(a.gb_s)) < std::tuple(b.time, std::signbit(b.gb_s));
        });
        double sum = 0;
        for (HtaBandwidthPoint& step : steps)
            step.gb_s = sum += step.gb_s;
        points.insert(points.end(), steps.begin(), steps.end());
    }
    return points;
}

std::vector<HtaBandwidthSummary> hta_bandwidth_summary(const std::vector<HtaBandwidthPoint>& points) {
    std::map<std::string, std::vector<double>> by_name;
    for (const HtaBandwidthPoint& point : points)
        if (point.gb_s > 0)
            by_name[point.name].push_back(point.gb_s);
    std::vector<HtaBandwidthSummary> summaries;
    for (auto& [name, values] : by_name)
        summaries.push_back({name, hta_describe(std::move(values))});
    return summaries;
}

TimeNs hta_first_start(const Run& run) {
    TimeNs first = std::numeric_limits<TimeNs>::max();
    for (const auto& rank : run.ranks) {
        const HtaClock clock(*rank);
        for (EventIndex i = 0; i < rank->events.size(); ++i)
            if (rank->events.kind[i] != EventKind::span)
                first = std::min(first, clock.start(rank->events.start[i]));
    }
    return first;
}

TimeNs hta_start_span(const RankTrace& rank, const std::vector<HtaRow>& rows, HtaFilter filter) {
    const HtaClock clock(rank);
    const TimeNs until = hta_kept_until(rank, clock, filter);
    TimeNs first = std::numeric_limits<TimeNs>::max();
    TimeNs last = std::numeric_limits<TimeNs>::min();
    const auto add = [&](TimeNs time) {
        first = std::min(first, time);
        last = std::max(last, time);
    };
    for (const HtaRow& row : rows)
        add(row.range.begin);
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i) {
        const EventKind kind = rank.events.kind[i];
        const TimeNs start = clock.start(rank.events.start[i]);
        if (kind != EventKind::span && kind != EventKind::gpu_sync && !is_graph_slice(kind) && start < until)
            add(start);
    }
    return first > last ? 0 : last - first; // nothing was added: no span
}

} // namespace rankscope
