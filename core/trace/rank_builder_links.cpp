// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs to what: launches to GPU work, operators to what they launch, side tables, flows and samples to their
// events.
#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

#include <tbb/parallel_invoke.h>
#include <tbb/parallel_sort.h>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/trace/launch_calls.h"
#include "core/trace/rank_builder.h"
#include "core/trace/rank_builder_parts.h"
#include "core/trace/row_placement.h"

namespace rankscope {
namespace {

/// Replaces the stored event while the new one is before it.
template <typename Before>
void keep_first(EventIndex& stored, EventIndex event, Before before) {
    std::atomic_ref<EventIndex> shared(stored);
    EventIndex known = shared.load(std::memory_order_relaxed);
    while ((known == kNoEvent || before(event, known)) &&
           !shared.compare_exchange_weak(known, event, std::memory_order_relaxed)) {
    }
}

/// Launches of kernels, and those of them without GPU work. Those of a graph's capture do not count, for what is
/// captured does not run. Nor do the last ones, whose work may run after the recording: those that no later launch has
/// work of, and no later wait for the GPU. has_work(call).
template <typename HasWork>
std::pair<std::int64_t, std::int64_t> launches_without_work(const RankTrace& trace, HasWork has_work) {
    const EventTable& table = trace.events;
    PlaceMap<NameId, LaunchCall> names;
    std::vector<std::pair<TimeNs, bool>> launches; // when, and whether it has work
    TimeNs done_until = std::numeric_limits<TimeNs>::min();
    for (const Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::cpu_thread)
            continue;
        std::vector<std::pair<TimeNs, LaunchCall>> captures;
        std::vector<EventIndex> of_lane;
        for (EventIndex e = lane.begin; e < lane.end; ++e) {
            if (!is_launch_call(table.kind[e]))
                continue;
            const auto [known, added] = names.try_emplace(table.name[e], LaunchCall::other);
            if (added)
                known->second = launch_call_of(trace.names->view(table.name[e]));
            if (known->second == LaunchCall::launches)
                of_lane.push_back(e);
            else if (known->second == LaunchCall::waits)
                done_until = std::max(done_until, table.start[e]);
            else if (known->second != LaunchCall::other)
                captures.emplace_back(table.start[e], known->second);
        }
        std::ranges::sort(captures);
        for (const EventIndex e : of_lane) {
            const auto after = std::ranges::upper_bound(captures, std::pair(table.start[e], LaunchCall::capture_ends));
            if (after == captures.begin() || std::prev(after)->second == LaunchCall::capture_ends) {
                launches.emplace_back(table.start[e], has_work(e));
                if (launches.back().second)
                    done_until = std::max(done_until, table.start[e]);
            }
        }
    }
    if (std::ranges::none_of(launches, &std::pair<TimeNs, bool>::second))
        return {};
    std::pair<std::int64_t, std::int64_t> counts;
    for (const auto& [start, works] : launches) {
        counts.first += start <= done_until ? 1 : 0;
        counts.second += start <= done_until && !works ? 1 : 0;
    }
    return counts;
}

/// Work that starts inside the work before it in its stream, and by how much at most.
struct Overlaps {
    std::int64_t count = 0;
    TimeNs most = 0;
};

/// Whether a call launches a kernel that starts when the one before it in its stream has ended, and not before. Calls
/// that take attributes may ask for less (cudaLaunchKernelExC, cuLaunchKernelEx, hipExtLaunchKernel), and graphs run
/// their branches side by side.
bool starts_in_order(std::string_view call) { return contains(call, "LaunchKernel") && !contains(call, "Ex"); }

/// Work may start up to 20 us before the work before it ends: clocks are no better, and a program may ask for it
/// (programmatic dependent launch). More is an overlap, unless the launch may ask for it: then only more than half of
/// the shorter of the two is. The branches of a graph share a stream's number: there half of the work itself counts.
bool is_overlap(const RankTrace& trace, EventIndex before, EventIndex work, TimeNs overlap) {
    constexpr TimeNs kDependentLaunch = 20'000;
    if (overlap <= kDependentLaunch)
        return false;
    const EventTable& table = trace.events;
    const EventIndex call = table.link[work];
    const std::string_view name = call == kNoEvent ? std::string_view() : trace.names->view(table.name[call]);
    if (table.kind[work] == EventKind::kernel && starts_in_order(name))
        return true;
    const bool may_be_branch = !contains(name, "LaunchKernel");
    const TimeNs shorter = std::min(table.duration[before], table.duration[work]);
    return overlap > (may_be_branch ? table.duration[work] : shorter) / 2;
}

Overlaps overlaps_in_streams(const RankTrace& trace) {
    const EventTable& table = trace.events;
    Overlaps overlaps;
    for (const Lane& lane : trace.lanes) {
        std::vector<EventIndex> work; // a lane's events lie row by row
        for (EventIndex e = lane.begin; lane.kind == LaneKind::gpu_stream && e < lane.end; ++e)
            if (is_gpu_work(table.kind[e]))
                work.push_back(e);
        if (work.empty())
            continue;
        std::ranges::stable_sort(work, {}, [&](EventIndex e) { return table.start[e]; });
        EventIndex before = work.front(); // of those so far, what ends last
        for (const EventIndex e : std::span(work).subspan(1)) {
            const TimeNs overlap = std::min(table.end(before), table.end(e)) - table.start[e];
            if (is_overlap(trace, before, e, overlap)) {
                ++overlaps.count;
                overlaps.most = std::max(overlaps.most, overlap);
            }
            if (table.end(e) > table.end(before))
                before = e;
        }
    }
    return overlaps;
}

/// Not so of an operation timeline, whose lanes are no streams.
bool has_launched_work(const EventTable& table) {
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (table.link[i] != kNoEvent)
            return true;
    return false;
}

/// What the recorder wrote that cannot be so.
void note_doubts(RankTrace& trace, const RawEvents& events, const SortedEvents& sorted, const EventOfId& calls) {
    constexpr std::int64_t kFewLaunches = 3;
    constexpr std::int64_t kOneInSoMany = 100;
    const EventTable& table = trace.events;
    const auto note = [&](NoticeCode code, Message message, std::int64_t count) {
        if (count > 0)
            add_notice(trace.notices, {code, std::move(message), trace.file.string(), count});
    };
    note("repeated_events", "events stand in the file a second time; each counts once"_text(), sorted.repeated);
    if (!has_launched_work(table))
        return;
    const auto [launches, without] = launches_without_work(trace, [&](EventIndex call) {
        if (table.link[call] != kNoEvent)
            return true;
        const std::int64_t id = events.correlation(sorted.order[call]);
        const EventIndex same = calls.find(id); // of the driver, inside one of the runtime
        return id == kUnknown || (same != kNoEvent && table.link[same] != kNoEvent);
    });
    if (without >= kFewLaunches && without * kOneInSoMany >= launches)
        note("lost_gpu_work",
             "launches have no GPU work; computation and idle time of the rank are not comparable"_text(), without);
}

} // namespace

void note_overlaps(RankTrace& trace) {
    if (!has_launched_work(trace.events))
        return;
    if (const Overlaps overlaps = overlaps_in_streams(trace); overlaps.count > 0)
        add_notice(trace.notices, {"overlapping_work",
                                   "GPU work starts inside the work before it in its stream, by up to %1"_text(
                                       time_words(static_cast<double>(overlaps.most))),
                                   trace.file.string(), overlaps.count});
}

/// Joins on the correlation id.
void RankBuilder::link_launches(const SortedEvents& sorted, const IdRange& calls) {
    EventTable& table = trace_.events;
    EventOfId call_of(calls);
    // When several calls carry one id the last in the file wins, as in HTA.
    const auto later_in_file = [&](EventIndex a, EventIndex b) {
        return std::tuple(table.ordinal[a], a) > std::tuple(table.ordinal[b], b);
    };
    for_each_index(EventIndex{0}, table.size(), [&](EventIndex i) {
        if (is_launch_call(table.kind[i]))
            call_of.offer(events_.correlation(sorted.order[i]), i, later_in_file);
    });
    PageArray<EventIndex> link(table.size());
    for_each_index(
        EventIndex{0}, table.size(), [&](EventIndex i) { link[i] = kNoEvent; });
    const auto first_cpu =
        std::ranges::find_if(trace_.lanes, [](const Lane& lane) { return lane.kind >= LaneKind::cpu_thread; });
    const EventIndex gpu_lanes_end = first_cpu == trace_.lanes.end() ? table.size() : first_cpu->begin;
    const auto earlier = [&](EventIndex a, EventIndex b) {
        return std::tuple(table.start[a], a) < std::tuple(table.start[b], b);
    };
    for_each_index(EventIndex{0}, gpu_lanes_end, [&](EventIndex i) {
        if (!is_gpu_work(table.kind[i]) && table.kind[i] != EventKind::gpu_sync)
            return;
        link[i] = call_of.find(events_.correlation(sorted.order[i]));
        if (link[i] != kNoEvent)
            keep_first(link[link[i]], i, earlier);
    });
    table.link = std::move(link);
    mend_cut_work(trace_, sorted);
    note_doubts(trace_, events_, sorted, call_of);
}

/// GPU work belongs to the operator with its External id. Older traces repeat the correlation id there; then it is
/// the innermost operator around the launch. So it is where the id leads to an operator that starts after the launch,
/// and where all operators have one id.
void RankBuilder::link_operators(const SortedEvents& sorted, const IdRange& operators) {
    const EventTable& table = trace_.events;
    EventOfId operator_of(operators);
    const bool ids_tell = operators.lowest < operators.highest || operators.count == 1;
    for_each_index(EventIndex{0}, table.size(), [&](EventIndex i) {
        if (table.kind[i] == EventKind::cpu_op)
            operator_of.offer(events_.external_id(sorted.order[i]), i, std::greater());
    });
    GpuColumns& gpu = trace_.gpu;
    gpu.operator_event.assign(table.gpu_count, kNoEvent);
    if (!launch_shapes_.empty())
        gpu.correlation.resize(table.gpu_count);
    for_each_index(EventIndex{0}, table.gpu_count, [&](EventIndex i) {
        const std::int64_t correlation = events_.correlation(sorted.order[i]);
        const std::int64_t external_id = events_.external_id(sorted.order[i]);
        EventIndex found = external_id != correlation ? operator_of.find(external_id) : kNoEvent;
        const EventIndex call = table.link[i];
        if (call != kNoEvent && (!ids_tell || found == kNoEvent || table.start[found] > table.start[call])) {
            const EventIndex around = sorted.innermost_operator[call - table.gpu_count];
            found = around != kNoEvent ? around : found;
        }
        gpu.operator_event[i] = found;
        if (!gpu.correlation.empty())
            gpu.correlation[i] = correlation;
    });
}

void RankBuilder::attach_side_tables() {
    const EventTable& table = trace_.events;
    if (collectives_.empty() && transfers_.empty() && inputs_.empty() && occupancy_.empty() && launch_shapes_.empty())
        return;
    const std::uint32_t last = table.ordinal.empty() ? 0 : *std::ranges::max_element(table.ordinal);
    std::vector<EventIndex> event_of(std::size_t{last} + 1, kNoEvent);
    for_each_index(EventIndex{0}, table.size(),
                   [&](EventIndex i) { keep_first(event_of[table.ordinal[i]], i, std::greater()); });

    // A start without its end has arguments, but is no event.
    const auto drop_lonely = [&](auto& entries) {
        std::erase_if(entries,
                      [&](const auto& entry) { return entry.ordinal > last || event_of[entry.ordinal] == kNoEvent; });
    };
    drop_lonely(collectives_);
    drop_lonely(transfers_);
    drop_lonely(inputs_);
    drop_lonely(occupancy_);
    drop_lonely(launch_shapes_);
    const auto attach = [&](auto& from, auto& to) {
        to.reserve(from.size());
        for (auto& [ordinal, value] : from) {
            value.event = event_of[ordinal];
            to.push_back(value);
        }
        std::ranges::sort(to, {}, [](const auto& entry) { return entry.event; });
        from = {};
    };
    const auto attach_shapes = [&] {
        if (!launch_shapes_.empty())
            trace_.gpu.launch_shape.assign(table.gpu_count, launch_shape({}));
        for (const auto& [ordinal, shape] : launch_shapes_)
            if (event_of[ordinal] < table.gpu_count)
                trace_.gpu.launch_shape[event_of[ordinal]] = shape;
        launch_shapes_ = {};
    };
    tbb::parallel_invoke([&] { attach(collectives_, trace_.collectives); },
                         [&] { attach(transfers_, trace_.memory_transfers); }, [&] { attach_inputs(event_of); },
                         attach_shapes, [&] { attach_occupancy(event_of); });
}

/// Of operators that launch GPU work, themselves or by an operator inside them.
void RankBuilder::attach_inputs(const std::vector<EventIndex>& event_of) {
    std::vector<bool> launches(inputs_.empty() ? 0 : trace_.events.size());
    if (!inputs_.empty())
        for (const EventIndex op : trace_.gpu.operator_event)
            for (EventIndex at = op; at != kNoEvent && !launches[at]; at = trace_.parent_of(at))
                launches[at] = true;
    for (const Inputs& inputs : inputs_)
        if (const EventIndex event = event_of[inputs.ordinal]; keep_all_inputs_ || launches[event])
            trace_.operator_inputs.push_back({event, inputs.shapes, inputs.sequence});
    tbb::parallel_sort(trace_.operator_inputs, [](const InputsEntry& a, const InputsEntry& b) {
        return std::tuple(a.event, a.shapes, a.sequence) < std::tuple(b.event, b.shapes, b.sequence);
    });
    inputs_ = {};
    input_shapes_ = {};
}

/// Kernels of one launch configuration have the same occupancy, so each pair is kept once.
void RankBuilder::attach_occupancy(const std::vector<EventIndex>& event_of) {
    if (occupancy_.empty())
        return;
    constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();
    const auto bits = [](const Occupancy& o) {
        return std::pair(std::bit_cast<std::uint32_t>(o.blocks_per_sm), std::bit_cast<std::uint32_t>(o.percent));
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    GpuColumns& gpu = trace_.gpu;
    const auto index_of = [&](const Occupancy& occupancy) {
        const auto [at, added] = known.try_emplace(bits(occupancy), static_cast<std::uint32_t>(gpu.occupancies.size()));
        if (added)
            gpu.occupancies.push_back(occupancy);
        return at->second;
    };
    gpu.occupancy.assign(trace_.events.gpu_count, index_of({kAbsent, kAbsent}));
    for (const KernelOccupancy& o : occupancy_)
        if (event_of[o.ordinal] < trace_.events.gpu_count)
            gpu.occupancy[event_of[o.ordinal]] = index_of({o.blocks_per_sm, o.occupancy_percent});
    occupancy_ = {};
}

namespace {

/// The innermost event around a time, looked for in each row from the deepest.
EventIndex innermost_in(const RankTrace& trace, const Lane& lane, TimeNs time) {
    const EventTable& table = trace.events;
    for (std::uint32_t row = lane.first_row + lane.row_count; row-- > lane.first_row;) {
        const auto first = table.start.begin() + trace.rows[row].begin;
        const auto after = std::upper_bound(first, table.start.begin() + trace.rows[row].end, time);
        if (after == first)
            continue;
        const auto candidate = static_cast<EventIndex>(std::distance(table.start.begin(), after) - 1);
        if (table.end(candidate) >= time)
            return candidate;
    }
    return kNoEvent;
}

/// The same for many ascending times in a lane of many rows: events and times in turn.
void sweep_lane(const RankTrace& trace, const Lane& lane, std::span<const std::pair<TimeNs, std::size_t>> times,
                std::vector<EventIndex>& found) {
    const EventTable& table = trace.events;
    std::vector<std::pair<EventIndex, std::uint32_t>> events; // with their rows
    events.reserve(lane.end - lane.begin);
    for (std::uint32_t row = 0; row < lane.row_count; ++row)
        for (EventIndex i = trace.rows[lane.first_row + row].begin; i < trace.rows[lane.first_row + row].end; ++i)
            events.emplace_back(i, row);
    tbb::parallel_sort(events, [&](const auto& a, const auto& b) {
        return std::tuple(table.start[a.first], a.first) < std::tuple(table.start[b.first], b.first);
    });
    RowEnds ends;
    for (std::uint32_t row = 0; row < lane.row_count; ++row)
        ends.add_row();
    std::vector<EventIndex> last(lane.row_count, kNoEvent);
    auto next = events.begin();
    for (const auto& [time, place] : times) {
        for (; next != events.end() && table.start[next->first] <= time; ++next) {
            ends.set(next->second, table.end(next->first));
            last[next->second] = next->first;
        }
        const std::uint32_t row = ends.nearest(lane.row_count, time);
        found[place] = row == RowEnds::kNoRow ? kNoEvent : last[row];
    }
}

} // namespace

/// The innermost event of the CPU around each; kNoEvent without.
std::vector<EventIndex> RankBuilder::innermost_at(const std::vector<Moment>& moments) const {
    constexpr std::uint32_t kManyRows = 64;
    std::vector<const Lane*> lane_of_track(tracks_.size(), nullptr);
    for (std::size_t i = 0; i < trace_.lanes.size(); ++i)
        if (trace_.lanes[i].kind == LaneKind::cpu_thread)
            lane_of_track[lane_tracks_[i]] = &trace_.lanes[i];
    std::vector<EventIndex> found(moments.size(), kNoEvent);
    for_each_index(std::size_t{0}, moments.size(), [&](std::size_t m) {
        if (const Lane* lane = lane_of_track[moments[m].track]; lane != nullptr && lane->row_count <= kManyRows)
            found[m] = innermost_in(trace_, *lane, moments[m].time);
    });
    std::map<const Lane*, std::vector<std::pair<TimeNs, std::size_t>>> in_deep_lanes;
    for (std::size_t m = 0; m < moments.size(); ++m)
        if (const Lane* lane = lane_of_track[moments[m].track]; lane != nullptr && lane->row_count > kManyRows)
            in_deep_lanes[lane].emplace_back(moments[m].time, m);
    for (auto& [lane, times] : in_deep_lanes) {
        tbb::parallel_sort(times);
        sweep_lane(trace_, *lane, times, found);
    }
    return found;
}

void RankBuilder::bind_memory_samples(const SortedEvents& sorted) {
    std::vector<Moment> moments(memory_tracks_.size());
    for (std::size_t i = 0; i < moments.size(); ++i)
        moments[i] = {memory_tracks_[i], trace_.memory_samples[i].time};
    const std::vector<EventIndex> around = innermost_at(moments);
    for (std::size_t i = 0; i < around.size(); ++i)
        if (around[i] != kNoEvent)
            trace_.memory_samples[i].operator_event = sorted.innermost_operator[around[i] - trace_.events.gpu_count];
    memory_tracks_ = {};
}

void RankBuilder::bind_flows() {
    std::vector<Moment> moments(flow_points_.size());
    for (std::size_t i = 0; i < moments.size(); ++i)
        moments[i] = {flow_points_[i].track, flow_points_[i].time};
    const std::vector<EventIndex> event_at = innermost_at(moments);
    std::map<std::int64_t, EventIndex> from;
    for (std::size_t i = 0; i < moments.size(); ++i)
        if (flow_points_[i].starts)
            from[flow_points_[i].id] = event_at[i];
    for (std::size_t i = 0; i < moments.size(); ++i) {
        if (flow_points_[i].starts)
            continue;
        const auto start = from.find(flow_points_[i].id);
        if (start != from.end() && start->second != kNoEvent && event_at[i] != kNoEvent)
            trace_.flows.push_back({start->second, event_at[i]});
    }
    flow_points_ = {};
}

} // namespace rankscope
