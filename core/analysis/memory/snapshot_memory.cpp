// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_memory.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/memory/segment_history.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

void add_blocks(const MemorySnapshot& snapshot, const SnapshotSegment& segment, SegmentBytes& sum) {
    const auto blocks = std::span(snapshot.blocks).subspan(segment.first_block, segment.block_count);
    const bool in_use = std::ranges::any_of(blocks, [](const auto& b) { return b.state != BlockState::inactive; });
    ++sum.segments;
    sum.reserved += segment.bytes;
    for (const SnapshotBlock& block : blocks) {
        StateBytes& state = sum.states[static_cast<std::size_t>(block.state)];
        ++state.blocks;
        state.bytes += block.bytes;
        state.requested += block.requested;
        if (block.state == BlockState::active)
            sum.rounding += block.bytes - block.requested;
        else if (block.state == BlockState::inactive)
            (in_use ? sum.fragmented : sum.unused_segments) += block.bytes;
    }
}

using Segments = std::span<const SnapshotSegment* const>;

void add_segments(const MemorySnapshot& snapshot, Segments segments, DeviceSnapshot& of) {
    std::map<std::tuple<std::int64_t, std::int64_t, bool>, SegmentBytes> pools;
    for (const SnapshotSegment* const segment : segments) {
        add_blocks(snapshot, *segment, of.total);
        add_blocks(snapshot, *segment, pools[{segment->pool_first, segment->pool_second, segment->is_large}]);
    }
    for (const auto& [key, bytes] : pools)
        of.pools.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), bytes});
}

/// As memory_viz's process_alloc_data: what is freed without having been allocated was there before, and so was what
/// the snapshot has as active and the events do not.
void add_allocations(const MemorySnapshot& snapshot, Segments segments, std::span<const SnapshotEvent> events,
                     DeviceSnapshot& of) {
    NumberMap<std::uint64_t, std::size_t> live; // address -> index in allocations
    for (std::size_t i = 0; i < events.size(); ++i) {
        const SnapshotEvent& event = events[i];
        const auto at = static_cast<std::uint32_t>(i);
        if (event.action == MemoryAction::alloc) {
            live[event.address] = of.allocations.size();
            of.allocations.push_back(
                {event.address, event.bytes, event.stack, event.category, at, SnapshotAllocation::kNever, false});
        } else if (event.action == MemoryAction::free_completed) {
            if (const auto known = live.find(event.address); known != live.end()) {
                of.allocations[known->second].until = at;
                live.erase(known);
            } else {
                of.allocations.push_back({event.address, event.bytes, kNoStack, event.category, 0, at, true});
            }
        }
    }
    for (const SnapshotSegment* const segment : segments)
        for (const SnapshotBlock& block :
             std::span(snapshot.blocks).subspan(segment->first_block, segment->block_count))
            if (block.state == BlockState::active && !live.contains(block.address))
                of.allocations.push_back(
                    {block.address, block.requested, block.stack, 0, 0, SnapshotAllocation::kNever, true});
}

bool changes_memory(MemoryAction action) {
    switch (action) {
    case MemoryAction::alloc:
    case MemoryAction::free_completed:
    case MemoryAction::segment_alloc:
    case MemoryAction::segment_free:
    case MemoryAction::segment_map:
    case MemoryAction::segment_unmap: return true;
    default: return false;
    }
}

/// Changes of what is active, by event.
std::vector<std::int64_t> active_changes(const DeviceSnapshot& of, std::size_t events) {
    std::vector<std::int64_t> changes(events, 0);
    for (const SnapshotAllocation& allocation : of.allocations) {
        if (!allocation.before)
            changes[allocation.from] += allocation.bytes;
        if (allocation.until != SnapshotAllocation::kNever)
            changes[allocation.until] -= allocation.bytes;
    }
    return changes;
}

SegmentHistory history_of(Segments segments, const DeviceSnapshot& of) {
    std::vector<std::uint64_t> addresses;
    for (const SnapshotAllocation& allocation : of.allocations)
        addresses.push_back(allocation.address);
    SegmentHistory history(std::move(addresses));
    for (const SnapshotSegment* const segment : segments)
        history.add_segment(*segment);
    for (const SnapshotAllocation& allocation : of.allocations)
        if (allocation.until == SnapshotAllocation::kNever)
            history.add_active(allocation.address, allocation.bytes);
    return history;
}

void add_points(Segments segments, std::span<const SnapshotEvent> events, DeviceSnapshot& of) {
    for (const SnapshotAllocation& allocation : of.allocations)
        of.active_at_start += allocation.before ? allocation.bytes : 0;
    const std::vector<std::int64_t> changes = active_changes(of, events.size());
    std::int64_t active = of.active_at_start;
    of.active_peak = active;
    for (std::size_t i = 0; i < events.size(); ++i) {
        active += changes[i];
        if (!changes_memory(events[i].action))
            continue;
        of.points.push_back({static_cast<std::uint32_t>(i), events[i].time, active, 0, 0});
        if (active > of.active_peak) {
            of.active_peak = active;
            of.peak = of.points.size() - 1;
        }
    }
    SegmentHistory history = history_of(segments, of);
    of.reserved_peak = history.reserved();
    of.fragmented_peak = history.fragmented();
    for (auto point = of.points.rbegin(); point != of.points.rend(); ++point) {
        point->reserved = history.reserved();
        point->fragmented = history.fragmented();
        history.undo(events[point->event]);
        of.reserved_peak = std::max(of.reserved_peak, history.reserved());
        of.fragmented_peak = std::max(of.fragmented_peak, history.fragmented());
    }
    of.reserved_at_start = history.reserved();
    of.fragmented_at_start = history.fragmented();
    of.unexplained = history.unexplained();
}

void add_out_of_memory(std::span<const SnapshotEvent> events, DeviceSnapshot& of) {
    for (std::size_t i = 0; i < events.size(); ++i) {
        const SnapshotEvent& event = events[i];
        if (event.action != MemoryAction::out_of_memory)
            continue;
        SnapshotOutOfMemory out{event.time,         event.bytes,          static_cast<std::int64_t>(event.address),
                                of.active_at_start, of.reserved_at_start, event.stack};
        const auto after = std::ranges::upper_bound(of.points, i, {}, &SnapshotPoint::event);
        if (after != of.points.begin()) {
            out.active = std::prev(after)->active;
            out.reserved = std::prev(after)->reserved;
            out.after = static_cast<std::size_t>(std::prev(after) - of.points.begin());
        }
        of.out_of_memory.push_back(out);
    }
}

std::vector<DeviceSnapshot> devices_of(const RankTrace& rank, std::size_t index) {
    std::vector<DeviceSnapshot> devices;
    if (!rank.memory_snapshot)
        return devices;
    const MemorySnapshot& snapshot = *rank.memory_snapshot;
    std::map<std::int32_t, std::vector<const SnapshotSegment*>> segments;
    for (const SnapshotSegment& segment : snapshot.segments)
        segments[segment.device].push_back(&segment);
    for (const std::int32_t device : snapshot.devices()) {
        DeviceSnapshot of;
        of.rank = index;
        of.device = device;
        const auto events = events_of(snapshot, device);
        add_segments(snapshot, segments[device], of);
        add_allocations(snapshot, segments[device], events, of);
        add_points(segments[device], events, of);
        add_out_of_memory(events, of);
        of.live_at_peak = live_allocations(snapshot, *rank.names, of, of.peak);
        devices.push_back(std::move(of));
    }
    return devices;
}

/// The first that ran out; without such a rank the one that reserved most. Nothing without a snapshot.
std::optional<FirstOut> who_is_first(const std::vector<DeviceSnapshot>& devices) {
    std::optional<FirstOut> first;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (!devices[i].out_of_memory.empty() && (!first || devices[i].out_of_memory.front().time < first->event->time))
            first = FirstOut{i, devices[i].out_of_memory.front(), 0, 0, 0, {}};
    if (!first && !devices.empty()) {
        const auto most = std::ranges::max_element(devices, {}, &DeviceSnapshot::reserved_peak);
        first = FirstOut{static_cast<std::size_t>(most - devices.begin()), {}, 0, 0, 0, {}};
    }
    return first;
}

std::map<std::string, std::int64_t> bytes_by_frame(const DeviceSnapshot& of) {
    std::map<std::string, std::int64_t> bytes;
    for (const LiveAtPeak& live : of.live_at_peak)
        bytes[live.frame] += live.bytes;
    return bytes;
}

/// Of so many peers; those that are not among the values have none.
std::int64_t median_with_zeros(std::vector<std::int64_t> values, std::size_t peers) {
    const std::size_t zeros = peers - values.size(), middle = (peers - 1) / 2;
    if (middle < zeros)
        return 0;
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(middle - zeros));
    return values[middle - zeros];
}

void compare_with_peers(const std::vector<DeviceSnapshot>& devices, FirstOut& first) {
    const DeviceSnapshot& of = devices[first.device];
    std::vector<std::int64_t> active;
    std::vector<std::int64_t> reserved;
    std::map<std::string, std::vector<std::int64_t>> of_peers; // by frame, where there are any
    for (const DeviceSnapshot& other : devices) {
        if (other.rank == of.rank)
            continue;
        active.push_back(other.active_peak);
        reserved.push_back(other.reserved_peak);
        for (const auto& [frame, bytes] : bytes_by_frame(other))
            of_peers[frame].push_back(bytes);
    }
    first.peers = static_cast<std::int64_t>(active.size());
    if (active.empty())
        return;
    first.peers_active_peak = lower_median(active);
    first.peers_reserved_peak = lower_median(reserved);
    const auto own = bytes_by_frame(of);
    for (const auto& [frame, bytes] : own)
        of_peers.try_emplace(frame);
    for (auto& [frame, bytes] : of_peers) {
        const auto known = own.find(frame);
        const PeakDifference difference{frame, known == own.end() ? 0 : known->second,
                                        median_with_zeros(std::move(bytes), active.size())};
        if (std::abs(difference.bytes - difference.peers_median) * 100 >= std::max<std::int64_t>(1, of.active_peak))
            first.differences.push_back(difference);
    }
    std::ranges::stable_sort(first.differences, std::greater<>(), [](const PeakDifference& difference) {
        return std::abs(difference.bytes - difference.peers_median);
    });
}

std::string frame_words(const MemorySnapshot& snapshot, const StringTable& names, std::uint32_t index) {
    const SnapshotFrame& frame = snapshot.frames[index];
    std::string_view file = names.view(frame.file);
    if (const std::size_t slash = file.find_last_of('/'); slash != std::string_view::npos)
        file.remove_prefix(slash + 1);
    constexpr std::size_t kMostCharacters = 500; // a file of megabytes of name may be that of each frame
    return fmt::format("{}:{} {}", shortened(file, kMostCharacters), frame.line,
                       shortened(names.view(frame.function), kMostCharacters));
}

/// As memory_viz leaves out: frames of the recorder and of the interpreter.
bool is_told_by_memory_viz(std::string_view function, std::string_view file) {
    using namespace std::string_view_literals;
    static constexpr std::array kFunctions{"unwind::unwind"sv,    "CapturedTraceback::gather"sv,
                                           "gather_with_cpp"sv,   "_start"sv,
                                           "__libc_start_main"sv, "PyEval_"sv,
                                           "PyObject_"sv,         "PyFunction_"sv};
    static constexpr std::array kFiles{"core/boxing"sv,
                                       "/Register"sv,
                                       "/Redispatch"sv,
                                       "pythonrun.c"sv,
                                       "Modules/main.c"sv,
                                       "Objects/call.c"sv,
                                       "Objects/methodobject.c"sv,
                                       "pycore_ceval.h"sv,
                                       "ceval.c"sv,
                                       "cpython/abstract.h"sv};
    return !contains_any(function, kFunctions) && !contains_any(file, kFiles);
}

/// "MeanBackward0" of the function that runs it, in threads of the backward pass, which have no Python frame; else "".
std::string backward_node(std::string_view function) {
    constexpr std::string_view kGenerated = "torch::autograd::generated::";
    const std::size_t apply = function.find("::apply(");
    return function.starts_with(kGenerated) && apply != std::string_view::npos && apply > kGenerated.size()
               ? std::string(function.substr(kGenerated.size(), apply - kGenerated.size()))
               : std::string();
}

/// The innermost user's frame and the next one; without any, another frame and "".
std::pair<std::string, std::string> place_of(const MemorySnapshot& snapshot, const StringTable& names,
                                             SnapshotStack stack) {
    const auto frames = snapshot.stack(stack);
    std::vector<std::string> own;
    for (const std::uint32_t frame : frames) {
        if (is_user_frame(names.view(snapshot.frames[frame].file)))
            own.push_back(frame_words(snapshot, names, frame));
        if (own.size() == 2)
            return {own[0], own[1]};
    }
    if (!own.empty())
        return {own[0], {}};
    const auto first_that = [&](auto&& fits) {
        const auto found = std::ranges::find_if(frames, [&](std::uint32_t frame) {
            return fits(names.view(snapshot.frames[frame].function), names.view(snapshot.frames[frame].file));
        });
        return found == frames.end() ? std::string() : frame_words(snapshot, names, *found);
    };
    for (const std::uint32_t frame : frames)
        if (const std::string node = backward_node(names.view(snapshot.frames[frame].function)); !node.empty())
            return {node, {}};
    std::string python = first_that([](auto, std::string_view file) { return file.ends_with(".py"); });
    return {python.empty() ? first_that(is_told_by_memory_viz) : std::move(python), {}};
}

} // namespace

std::span<const SnapshotEvent> events_of(const MemorySnapshot& snapshot, std::int32_t device) {
    const auto at = std::ranges::find(snapshot.traces, device, [](const auto& trace) { return trace.first; });
    return at == snapshot.traces.end() ? std::span<const SnapshotEvent>() : std::span(at->second);
}

std::string innermost_user_frame(const MemorySnapshot& snapshot, const StringTable& names, SnapshotStack stack) {
    return place_of(snapshot, names, stack).first;
}

std::vector<LiveAtPeak> live_allocations(const MemorySnapshot& snapshot, const StringTable& names,
                                         const DeviceSnapshot& of, std::optional<std::size_t> after) {
    std::map<std::pair<SnapshotStack, NameId>, LiveAtPeak> by_stack;
    for (const SnapshotAllocation& allocation : of.allocations) {
        const bool begun = allocation.before || (after && allocation.from <= of.points[*after].event);
        const bool ended = after && allocation.until <= of.points[*after].event;
        if (!begun || ended)
            continue;
        LiveAtPeak& sum = by_stack[{allocation.stack, allocation.category}];
        sum.bytes += allocation.bytes;
        ++sum.blocks;
        sum.largest = std::max(sum.largest, allocation.bytes);
        sum.before += allocation.before ? allocation.bytes : 0;
    }
    std::map<std::tuple<std::string, std::string, std::string>, LiveAtPeak> by_place;
    for (const auto& [key, part] : by_stack) {
        auto [frame, caller] = place_of(snapshot, names, key.first);
        std::string category(names.view(key.second));
        LiveAtPeak& sum = by_place[{frame, caller, category}];
        sum.frame = std::move(frame);
        sum.caller = std::move(caller);
        sum.category = std::move(category);
        sum.bytes += part.bytes;
        sum.blocks += part.blocks;
        sum.largest = std::max(sum.largest, part.largest);
        sum.before += part.before;
    }
    std::vector<LiveAtPeak> live;
    for (auto& [key, sum] : by_place)
        live.push_back(std::move(sum));
    std::ranges::stable_sort(live, std::greater<>(), &LiveAtPeak::bytes);
    return live;
}

SnapshotMemory analyse_snapshots(const Run& run) {
    SnapshotMemory memory;
    for (auto& devices : per_rank<std::vector<DeviceSnapshot>>(run, devices_of))
        for (DeviceSnapshot& device : devices)
            memory.devices.push_back(std::move(device));
    memory.first_out = who_is_first(memory.devices);
    if (memory.first_out)
        compare_with_peers(memory.devices, *memory.first_out);
    return memory;
}

} // namespace rankscope
