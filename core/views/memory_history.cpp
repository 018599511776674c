// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator curves, and what was live.
#include "core/views/memory_history.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/memory/snapshot_memory.h"
#include "core/analysis/selection/selected_time.h"
#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

std::vector<MemoryCurve> curves_of(const RunAnalysis& analysis, const RankTrace& rank, std::size_t index) {
    std::map<std::tuple<bool, std::int32_t, std::int32_t>, MemoryCurve> curves; // the CPU (type 0) last
    for (const MemorySample& sample : rank.memory_samples) {
        if (sample.allocated == kUnknown || !is_selected(analysis.run(), rank, analysis.selection(), sample.time))
            continue;
        MemoryCurve& curve = curves[{sample.device_type == 0, sample.device_type, sample.device}];
        curve.points.push_back({sample.time, sample.allocated, sample.reserved});
    }
    std::vector<MemoryCurve> result;
    for (auto& [key, curve] : curves) {
        curve.rank = index;
        std::tie(std::ignore, curve.device_type, curve.device) = key;
        const auto peak = std::ranges::max_element(curve.points, {}, &MemoryPoint::allocated);
        curve.peak = static_cast<std::size_t>(peak - curve.points.begin());
        result.push_back(std::move(curve));
    }
    return result;
}

/// Its first point is what was there before all events.
MemoryCurve curve_of(const RunAnalysis& analysis, const DeviceSnapshot& of, std::size_t index) {
    MemoryCurve curve;
    curve.rank = of.rank;
    curve.device_type = 1;
    curve.device = of.device;
    curve.snapshot = index;
    const TimeNs start = of.points.empty() ? analysis.run().span.begin : of.points.front().time;
    curve.points.reserve(of.points.size() + 1);
    curve.points.push_back({start, of.active_at_start, of.reserved_at_start});
    for (const SnapshotPoint& point : of.points)
        curve.points.push_back({point.time, point.active, point.reserved});
    curve.peak = of.peak ? *of.peak + 1 : 0;
    return curve;
}

/// The last one of that time or before; the peak where it is of that time: times are of a microsecond.
std::size_t point_at(const MemoryCurve& curve, TimeNs time) {
    if (curve.points[curve.peak].time == time)
        return curve.peak;
    const auto after = std::ranges::upper_bound(curve.points, time, {}, &MemoryPoint::time);
    return after == curve.points.begin() ? 0 : static_cast<std::size_t>(std::prev(after) - curve.points.begin());
}

/// Operators that only get memory for others.
bool only_allocates(std::string_view name) {
    constexpr std::array<std::string_view, 8> kNames{"aten::empty",
                                                     "aten::empty_like",
                                                     "aten::empty_strided",
                                                     "aten::new_empty",
                                                     "aten::new_empty_strided",
                                                     "aten::resize_",
                                                     "aten::resize_as_",
                                                     "aten::_empty_affine_quantized"};
    return std::ranges::find(kNames, name) != kNames.end();
}

struct Maker {
    EventIndex maker = kNoEvent;
    EventIndex outermost = kNoEvent;
};

/// Keeps what it found for every event on the way out, so that each is walked over once, however deep the operators.
class Makers {
public:
    explicit Makers(const RankTrace& rank) : rank_(rank) {}

    /// innermost: the event around an allocation, or kNoEvent.
    Maker of(EventIndex innermost) {
        Maker found = around(innermost);
        if (found.outermost == kNoEvent)
            found.outermost = innermost;
        if (found.maker == kNoEvent)
            found.maker = found.outermost;
        return found;
    }

private:
    /// Among the event and those around it: the innermost operator that does more than allocate, and the outermost of
    /// all.
    Maker around(EventIndex innermost) {
        std::vector<EventIndex> path;
        Maker found;
        for (EventIndex at = innermost; at != kNoEvent; at = rank_.parent_of(at)) {
            if (const auto known = known_.find(at); known != known_.end()) {
                found = known->second;
                break;
            }
            path.push_back(at);
        }
        for (; !path.empty(); path.pop_back()) {
            const EventIndex at = path.back();
            if (rank_.events.kind[at] == EventKind::cpu_op) {
                if (!only_allocates(rank_.event_name(at)))
                    found.maker = at;
                if (found.outermost == kNoEvent)
                    found.outermost = at;
            }
            known_.emplace(at, found);
        }
        return found;
    }

    const RankTrace& rank_;
    PlaceMap<EventIndex, Maker> known_;
};

struct Block {
    std::int64_t bytes = 0;
    EventIndex operator_event = kNoEvent;
};

} // namespace

std::vector<MemoryCurve> memory_curves(const RunAnalysis& analysis) {
    const auto by_rank = per_rank<std::vector<MemoryCurve>>(
        analysis.run(), [&](const RankTrace& rank, std::size_t i) { return curves_of(analysis, rank, i); });
    std::vector<MemoryCurve> all;
    for (const std::vector<MemoryCurve>& curves : by_rank)
        all.insert(all.end(), curves.begin(), curves.end());
    const auto& snapshots = analysis.snapshot_memory().devices;
    for (std::size_t i = 0; i < snapshots.size(); ++i)
        all.push_back(curve_of(analysis, snapshots[i], i));
    return all;
}

LiveMemory live_memory(const RunAnalysis& analysis, const MemoryCurve& curve, TimeNs time) {
    const RankTrace& rank = *analysis.run().ranks[curve.rank];
    if (!curve.snapshot)
        return live_memory(rank, curve.device_type, curve.device, time);
    const DeviceSnapshot& of = analysis.snapshot_memory().devices[*curve.snapshot];
    const std::size_t point = point_at(curve, time);
    LiveMemory live;
    live.time = time;
    live.allocated = curve.points[point].allocated;
    live.addresses = true;
    for (const LiveAtPeak& row : live_allocations(*rank.memory_snapshot, *rank.names, of,
                                                  point == 0 ? std::nullopt : std::optional(point - 1))) {
        StringTable& names = *analysis.run().names;
        live.blocks.push_back({names.intern(row.frame), names.intern(row.category.empty() ? row.caller : row.category),
                               kNoEvent, row.blocks, row.bytes, row.largest});
        live.traced += row.bytes - row.before;
    }
    return live;
}

std::int64_t fragmented_bytes(const RunAnalysis& analysis, const MemoryCurve& curve, TimeNs time) {
    const DeviceSnapshot& of = analysis.snapshot_memory().devices[*curve.snapshot];
    const std::size_t point = point_at(curve, time);
    return point == 0 ? of.fragmented_at_start : of.points[point - 1].fragmented;
}

LiveMemory live_memory(const RankTrace& rank, std::int32_t device_type, std::int32_t device, TimeNs time) {
    LiveMemory live;
    live.time = time;
    NumberMap<std::uint64_t, Block> blocks;
    for (const MemorySample& sample : rank.memory_samples) {
        if (sample.time > time)
            break;
        if (sample.device_type != device_type || sample.device != device)
            continue;
        live.allocated = sample.allocated != kUnknown ? sample.allocated : live.allocated;
        if (sample.address == 0 || sample.bytes == kUnknown)
            continue;
        live.addresses = true;
        if (sample.bytes > 0)
            blocks[sample.address] = {sample.bytes, sample.operator_event};
        else
            blocks.erase(sample.address);
    }
    Makers makers(rank);
    std::map<std::pair<NameId, NameId>, LiveBlocksOf> by_maker;
    for (const auto& [address, block] : blocks) {
        const Maker maker = makers.of(block.operator_event);
        const auto name = [&](EventIndex event) { return event == kNoEvent ? NameId{0} : rank.events.name[event]; };
        LiveBlocksOf& sum = by_maker[{name(maker.maker), name(maker.outermost)}];
        sum.maker = name(maker.maker);
        sum.inside = name(maker.outermost);
        ++sum.count;
        sum.bytes += block.bytes;
        // Blocks come in no order: of equally large ones the earliest call.
        if (block.bytes > sum.largest || (block.bytes == sum.largest && maker.maker < sum.largest_call)) {
            sum.largest = block.bytes;
            sum.largest_call = maker.maker;
        }
        live.traced += block.bytes;
    }
    for (const auto& [key, sum] : by_maker)
        live.blocks.push_back(sum);
    std::ranges::sort(live.blocks, [&](const LiveBlocksOf& a, const LiveBlocksOf& b) {
        const auto key = [&](const LiveBlocksOf& of) {
            return std::tuple(-of.bytes, rank.names->view(of.maker), rank.names->view(of.inside));
        };
        return key(a) < key(b);
    });
    return live;
}

} // namespace rankscope
