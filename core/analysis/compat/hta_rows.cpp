// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's view of a rank's GPU rows.
#include "core/analysis/compat/hta_rows.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "core/analysis/compat/hta_clock.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

struct StepRow {
    std::string_view name;
    TimeNs start;
};

bool is_step_name(std::string_view name) {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    return name.size() > kPrefix.size() && name.starts_with(kPrefix) && name[kPrefix.size()] >= '0' &&
           name[kPrefix.size()] <= '9';
}

/// Steps as HTA finds them: by name only, so their copies on the GPU count as well.
std::vector<StepRow> step_rows(const RankTrace& rank) {
    std::vector<StepRow> rows;
    for (const ProfilerStep& step : rank.steps)
        if (rank.source == TraceSource::nsys || is_step_name(rank.event_name(step.event)))
            rows.push_back({rank.event_name(step.event), step.range.begin});
    for (const Lane& lane : rank.lanes) {
        for (EventIndex i = lane.begin; lane.kind == LaneKind::gpu_annotation && i < lane.end; ++i)
            if (is_step_name(rank.event_name(i)))
                rows.push_back({rank.event_name(i), rank.events.start[i]});
    }
    return rows;
}

bool has_several_steps(const Run& run) {
    std::set<std::string_view> names;
    for (const auto& rank : run.ranks) {
        for (const StepRow& row : step_rows(*rank))
            names.insert(row.name);
        if (names.size() > 1)
            return true;
    }
    return false;
}

/// How many kept calls launched the work that a call stands for.
std::vector<std::uint8_t> kept_launches(const RankTrace& rank, const HtaClock& clock, HtaFilter filter) {
    const EventTable& events = rank.events;
    const TimeNs end = hta_kept_until(rank, clock, filter);
    std::vector<std::uint8_t> launches(events.size());
    for (EventIndex call = events.gpu_count; call < events.size(); ++call)
        if (is_launch_call(events.kind[call]) && events.link[call] != kNoEvent && clock.start(events.start[call]) < end)
            ++launches[events.link[events.link[call]]];
    return launches;
}

class HtaClasses {
public:
    explicit HtaClasses(const RankTrace& rank) : rank_(rank), by_name_(rank.names->size()) {}
    HtaClass of(EventIndex event) {
        std::optional<HtaClass>& known = by_name_[rank_.events.name[event]];
        if (!known)
            known = hta_class(rank_.event_name(event));
        return *known;
    }

private:
    const RankTrace& rank_;
    std::vector<std::optional<HtaClass>> by_name_;
};

template <typename Keep>
std::vector<TimeRange> merge_rows(const std::vector<HtaRow>& rows, Keep&& keep) {
    std::vector<TimeRange> merged;
    for (const HtaRow& row : rows) {
        if (!keep(row))
            continue;
        if (merged.empty() || row.range.begin > merged.back().end)
            merged.push_back(row.range);
        else
            merged.back().end = std::max(merged.back().end, row.range.end);
    }
    return merged;
}

} // namespace

std::string_view hta_class_word(HtaClass c) {
    constexpr std::array<std::string_view, 4> kWords{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};
    return kWords[static_cast<std::size_t>(c)];
}

HtaClass hta_class(std::string_view name) {
    using namespace std::string_view_literals;
    static constexpr std::array kCommunication{"nccl"sv, "hip"sv, "hccl"sv};
    static constexpr std::array kMemory{"Memcpy"sv, "Memset"sv, "dma"sv};
    static constexpr std::array kOtherWords{"Memcpy"sv, "Memset"sv, "dma"sv, "Sync"sv};
    static constexpr std::array kOtherStarts{"Stream Wait Event"sv,
                                             "runFunction"sv,
                                             "job_exe"sv,
                                             "packet"sv,
                                             "pe_exe"sv,
                                             "cpum_exe_subgraph"sv,
                                             "collective_subgraph_execution"sv};
    if (starts_with_any(name, kCommunication) || contains(name, "ncclKernel"))
        return HtaClass::communication;
    if (starts_with_any(name, kMemory))
        return HtaClass::memory;
    const bool launch = name.starts_with("cuda") && contains(name, "LaunchKernel");
    return launch || contains_any(name, kOtherWords) || starts_with_any(name, kOtherStarts) ? HtaClass::other
                                                                                            : HtaClass::computation;
}

HtaFilter hta_filter(const Run& run, bool include_last_step) { return {has_several_steps(run), include_last_step}; }

TimeNs hta_kept_until(const RankTrace& rank, const HtaClock& clock, HtaFilter filter) {
    if (!filter.by_step || filter.include_last_step)
        return std::numeric_limits<TimeNs>::max();
    // A rank without steps keeps nothing: HTA compares with its own first CPU event then.
    TimeNs last_start = std::numeric_limits<TimeNs>::min();
    for (const StepRow& row : step_rows(rank))
        last_start = std::max(last_start, clock.start(row.start));
    return last_start;
}

std::vector<HtaRow> hta_gpu_rows(const RankTrace& rank, HtaFilter filter) {
    const EventTable& events = rank.events;
    const HtaClock clock(rank);
    const std::vector<std::uint8_t> launches =
        filter.by_step ? kept_launches(rank, clock, filter) : std::vector<std::uint8_t>{};
    HtaClasses classes(rank);
    std::vector<HtaRow> rows;
    for (const Lane& lane : rank.lanes) {
        const bool has_stream = lane.stream >= 0 || lane.kind == LaneKind::gpu_stream;
        if (!has_stream || (lane.kind != LaneKind::gpu_stream && lane.kind != LaneKind::gpu_sync))
            continue;
        for (EventIndex i = lane.begin; i < lane.end; ++i) {
            std::uint8_t copies = 1;
            if (filter.by_step)
                copies = events.link[i] == kNoEvent ? std::uint8_t{0} : launches[events.link[i]];
            const TimeRange range = clock.range(events.start[i], events.duration[i]);
            rows.insert(rows.end(), copies, HtaRow{range, i, classes.of(i)});
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const HtaRow& a, const HtaRow& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin
                                              : events.ordinal[a.event] < events.ordinal[b.event];
    });
    return rows;
}

std::vector<TimeRange> hta_merge(const std::vector<HtaRow>& rows) {
    return merge_rows(
        rows, [](const HtaRow&) { return true; });
}

std::vector<TimeRange> hta_merge(const std::vector<HtaRow>& rows, HtaClass only) {
    return merge_rows(
        rows, [only](const HtaRow& row) { return row.hta_class == only; });
}

TimeNs hta_measure(const std::vector<TimeRange>& merged) {
    TimeNs total = 0;
    for (const TimeRange& range : merged)
        total += range.end - range.begin;
    return total;
}

} // namespace rankscope
