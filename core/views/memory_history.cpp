// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator curves, and what was live.
#include "core/views/memory_history.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/analysis/basics/per_rank.h"
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
    return all;
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
