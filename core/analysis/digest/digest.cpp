// SPDX-License-Identifier: GPL-3.0-or-later
// Marks the events that an analysis looks at, then leaves the others out.
#include "core/analysis/digest/digest.h"

#include <algorithm>
#include <numeric>

#include "core/analysis/compat/ccl_bench.h"
#include "core/analysis/compat/ccl_bench_pipeline.h"
#include "core/analysis/compat/hta_clock.h"
#include "core/analysis/compat/hta_rows.h"
#include "core/analysis/gpu/host_points.h"
#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/trace/engine_steps.h"
#include "core/trace/side_tables.h"

namespace rankscope {
namespace {

class Marks {
public:
    explicit Marks(const RankTrace& trace) : trace_(trace), kept_(trace.events.size()), passed_(trace.events.size()) {}

    std::vector<bool> take() {
        const EventTable& events = trace_.events;
        for (EventIndex i = 0; i < events.size(); ++i)
            kept_[i] = i < events.gpu_count || counts_alone(i);
        for (const CollectiveEntry& call : trace_.collectives)
            keep(call.event);
        for (const ProfilerStep& step : trace_.steps)
            keep(step.event);
        for (EventIndex i = 0; i < events.size(); ++i)
            if (is_launch_call(events.kind[i]) && events.link[i] != kNoEvent)
                keep_with_parents(i);
        for (const EventIndex op : trace_.gpu.operator_event)
            keep_with_parents(op);
        keep_borders();
        return std::move(kept_);
    }

private:
    /// Whatever stands around it.
    [[nodiscard]] bool counts_alone(EventIndex i) const {
        const EventKind kind = trace_.events.kind[i];
        switch (kind) {
        case EventKind::gpu_annotation:
        case EventKind::graph_launch:
        case EventKind::captured_op:
        case EventKind::captured_scope:
        case EventKind::gpu_sync:
        case EventKind::annotation:
        case EventKind::span: return true;
        case EventKind::runtime:
        case EventKind::driver:
            return trace_.events.link[i] != kNoEvent || host_role(kind, trace_.event_name(i)).counts;
        default: return tells_engine_steps(kind, trace_.event_name(i)) || host_role(kind, trace_.event_name(i)).counts;
        }
    }

    void keep(EventIndex i) {
        if (i != kNoEvent)
            kept_[i] = true;
    }

    /// Operators around what launches are what operators are ranked by; of other frames only what names a backward
    /// pass or a module.
    void keep_with_parents(EventIndex i) {
        for (; i != kNoEvent && !passed_[i]; i = trace_.parent_of(i)) {
            passed_[i] = true;
            const EventKind kind = trace_.events.kind[i];
            const bool frame = kind == EventKind::python || kind == EventKind::other || kind == EventKind::overhead;
            const std::string_view name = trace_.event_name(i);
            kept_[i] = kept_[i] || !frame || contains(name, "ackward") || name.starts_with("nn.Module: ");
        }
    }

    /// The first and the last start of all, and the last before the last step, decide about spans (hta_launches.cpp).
    void keep_borders() {
        const EventTable& events = trace_.events;
        const HtaClock clock(trace_);
        const TimeNs until = hta_kept_until(trace_, clock, {true, false});
        EventIndex first = kNoEvent;
        EventIndex last = kNoEvent;
        EventIndex last_before = kNoEvent;
        for (EventIndex i = events.gpu_count; i < events.size(); ++i) {
            if (events.kind[i] == EventKind::span || events.kind[i] == EventKind::gpu_sync ||
                is_graph_slice(events.kind[i]))
                continue;
            first = first == kNoEvent || events.start[i] < events.start[first] ? i : first;
            last = last == kNoEvent || events.start[i] > events.start[last] ? i : last;
            if (clock.start(events.start[i]) < until &&
                (last_before == kNoEvent || events.start[i] > events.start[last_before]))
                last_before = i;
        }
        keep(first);
        keep(last);
        keep(last_before);
    }

    const RankTrace& trace_;
    std::vector<bool> kept_;
    std::vector<bool> passed_;
};

/// New places of the kept events, kNoEvent for the others.
std::vector<EventIndex> places(const std::vector<bool>& kept) {
    std::vector<EventIndex> place(kept.size(), kNoEvent);
    EventIndex next = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i])
            place[i] = next++;
    return place;
}

template <typename T>
Column<T> kept_values(const Column<T>& column, const std::vector<bool>& kept) {
    std::vector<T> values;
    for (std::size_t i = 0; i < column.size(); ++i)
        if (kept[i])
            values.push_back(column[i]);
    return values;
}

void keep_events(RankTrace& digest, const std::vector<bool>& kept, const std::vector<EventIndex>& place) {
    EventTable& events = digest.events;
    events.start = kept_values(events.start, kept);
    events.duration = kept_values(events.duration, kept);
    events.name = kept_values(events.name, kept);
    events.kind = kept_values(events.kind, kept);
    events.ordinal = kept_values(events.ordinal, kept);
    std::vector<EventIndex> links;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i])
            links.push_back(events.link[i] == kNoEvent ? kNoEvent : place[events.link[i]]);
    events.link = std::move(links);
    for (EventIndex& op : digest.gpu.operator_event)
        op = op == kNoEvent ? kNoEvent : place[op];
}

/// Lanes and rows that have lost all their events go.
void keep_places(RankTrace& digest, const RankTrace& trace, const std::vector<bool>& kept) {
    digest.lanes.clear();
    digest.rows.clear();
    EventIndex next = 0;
    for (const Lane& lane : trace.lanes) {
        Lane shorter = lane;
        shorter.begin = next;
        shorter.first_row = static_cast<std::uint32_t>(digest.rows.size());
        for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
            const EventIndex begin = next;
            for (EventIndex i = trace.rows[r].begin; i < trace.rows[r].end; ++i)
                next += kept[i] ? 1 : 0;
            if (next > begin)
                digest.rows.push_back({begin, next});
        }
        shorter.end = next;
        shorter.row_count = static_cast<std::uint32_t>(digest.rows.size()) - shorter.first_row;
        if (shorter.end > shorter.begin)
            digest.lanes.push_back(std::move(shorter));
    }
}

/// Entries of events that are kept, at their new places.
template <typename Entry>
void keep_entries(std::vector<Entry>& table, EventIndex Entry::*event, const std::vector<EventIndex>& place) {
    for (Entry& entry : table)
        entry.*event = entry.*event == kNoEvent ? kNoEvent : place[entry.*event];
    std::erase_if(table, [event](const Entry& entry) { return entry.*event == kNoEvent; });
}

} // namespace

std::shared_ptr<const RankTrace> digest_of(const RankTrace& trace, FileStamp source, const Run& beside) {
    auto digest = std::make_shared<RankTrace>(trace);
    const std::vector<bool> kept = Marks(trace).take();
    const std::vector<EventIndex> place = places(kept);
    keep_events(*digest, kept, place);
    keep_places(*digest, trace, kept);
    keep_entries(digest->steps, &ProfilerStep::event, place);
    keep_entries(digest->collectives, &CollectiveEntry::event, place);
    for_each_side_table(*digest, [&](auto& table, const auto&... fields) {
        const auto keep = [&](const auto& field) {
            if constexpr (kind_of<decltype(field)> == FieldKind::owner)
                keep_entries(table, field.member, place);
        };
        (keep(fields), ...);
    });
    for (Flow& flow : digest->flows)
        flow = {place[flow.from], place[flow.to]};
    std::erase_if(digest->flows, [](const Flow& flow) { return flow.from == kNoEvent || flow.to == kNoEvent; });
    PlaceMap<EventIndex, EventIndex> kept_around; // so that nothing is walked over twice
    for (MemorySample& sample : digest->memory_samples) {
        std::vector<EventIndex> walked;
        EventIndex around = sample.operator_event;
        for (; around != kNoEvent && (!kept[around] || trace.events.kind[around] != EventKind::cpu_op);
             around = trace.parent_of(around)) {
            if (const auto known = kept_around.find(around); known != kept_around.end()) {
                around = known->second;
                break;
            }
            walked.push_back(around);
        }
        for (const EventIndex event : walked)
            kept_around[event] = around;
        sample.operator_event = around == kNoEvent ? kNoEvent : place[around];
    }
    digest->instants.clear();
    digest->locator.points = nullptr;
    digest->file = source.path;

    // Work of the GPU stays. Where another rank counts this one's calls of the host (Nsight Systems), they are more
    // than on_timeline says, before and after.
    Accounting& accounting = digest->accounting;
    std::uint64_t recorded = 0; // slices of graphs are derived: no events of the file
    for (EventIndex i = 0; i < digest->events.size(); ++i)
        recorded += is_graph_slice(digest->events.kind[i]) ? 0 : 1;
    const std::uint64_t left = std::min(accounting.on_timeline, recorded);
    accounting.add(NotShown::digest, accounting.on_timeline - left);
    accounting.on_timeline = left;

    auto facts = std::make_shared<DigestFacts>();
    facts->source = std::move(source);
    facts->recorded_events = trace.events.size();
    facts->fractional_times = HtaClock(trace).rounds();
    facts->ccl_bench_counts = ccl_bench_counts(trace);
    facts->ccl_bench_bubble = ccl_bench_bubble(trace);
    facts->ccl_bench_traffic = ccl_bench_traffic(trace);
    facts->config = beside.config;
    facts->serving = beside.serving;
    facts->expert_loads = beside.expert_loads;
    digest->digest = std::move(facts);
    return digest;
}

} // namespace rankscope
