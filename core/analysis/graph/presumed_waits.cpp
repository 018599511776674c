// SPDX-License-Identifier: GPL-3.0-or-later
// For which communication work waits though no wait is seen.
#include "core/analysis/graph/presumed_waits.h"

#include <algorithm>

#include "core/analysis/graph/launch_order.h"

namespace rankscope {
namespace {

/// Of work of the main stream that was launched with the communication the first that starts after it, of those names;
/// kNoNode without. names: nullptr for any.
std::uint32_t first_after(const PassageWork& place, const GraphWork& communication, std::size_t main,
                          const PlaceSet<NameId>* names, const std::vector<std::uint32_t>& position) {
    const std::vector<std::uint32_t>& stream = place.graph.streams[main];
    auto after = std::ranges::lower_bound(stream, communication.end, {},
                                          [&](std::uint32_t w) { return place.graph.work[w].start; });
    for (; after != stream.end() && launched_as_one(place.graph.work[*after], communication); ++after)
        if (names == nullptr || names->contains(place.trace.events.name[place.graph.work[*after].event]))
            return position[*after] - place.first;
    return kNoNode;
}

} // namespace

void presume_waits(const PassageWork& place, const ProgramPassage& passage, std::size_t main,
                   const WaitingKernels& waiting, const std::vector<std::uint32_t>& position, PackedPairs& pairs) {
    const std::uint32_t length = passage.length;
    std::vector<bool> consumed(length);
    std::vector<bool> computed_with(length); ///< likewise, by computation
    for (const std::uint64_t pair : pairs) {
        consumed[awaited_position(pair)] = true;
        if (place.work(waiting_position(pair)).lane == main)
            computed_with[awaited_position(pair)] = true;
    }
    NumberMap<std::int64_t, std::uint32_t> next; // of each stream's waiting kernels, the first launched after
    std::uint32_t next_main = kNoNode;
    for (std::uint32_t p = length; p-- > 0;) {
        const GraphWork& work = place.work(p);
        if (work.kernel_class != KernelClass::communication) {
            if (work.lane == main) {
                next_main = p;
                for (const auto& [stream, names] : waiting)
                    if (names.contains(place.name(p)))
                        next[stream] = p;
            }
            continue;
        }
        const std::int64_t stream = place.stream(p);
        const auto known = next.find(stream);
        const auto names = waiting.find(stream);
        std::uint32_t consumer = names != waiting.end() ? (known == next.end() ? kNoNode : known->second) : next_main;
        if (has_no_place(place.graph, passage, p))
            if (const std::uint32_t after =
                    first_after(place, work, main, names == waiting.end() ? nullptr : &names->second, position);
                after != kNoNode)
                consumer = after;
        // What only other communication was seen to wait for, as the send of a sum, may hold up computation as well.
        const bool told = names != waiting.end() ? computed_with[p] : consumed[p];
        if (!told && !work.sends && work.lane != main && consumer != kNoNode)
            pairs.push_back(pair_of(consumer, p));
    }
}

} // namespace rankscope
