// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of RankBuilder::finish() hand to each other.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "core/trace/column.h"
#include "core/trace/event_of_id.h"
#include "core/trace/page_array.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// A text that is a whole number, as processes and streams mostly are; kUnknown otherwise.
std::int64_t number_or_unknown(std::string_view text);

constexpr EventIndex kGrain = 1 << 13; ///< events that a thread takes at once, at least

/// Calls visit(i) for all of [begin, end), on all threads.
template <typename Index, typename Visit>
void for_each_index(Index begin, Index end, Visit visit) {
    tbb::parallel_for(
        tbb::blocked_range<Index>(begin, end, kGrain),
        [&](const tbb::blocked_range<Index>& part) {
            for (Index i = part.begin(); i < part.end(); ++i)
                visit(i);
        });
}

/// What a quarter of the GPU work of one name takes at most, ns; nothing of fewer than three, which tell nothing.
/// Reorders the lengths.
std::optional<TimeNs> usual_length(std::vector<TimeNs>& lengths);
/// Whether work of that name, which usually takes so long, is that much longer that its recorded end may be wrong.
constexpr bool far_longer(TimeNs length, TimeNs usual) { return length / 10 > usual; }

/// The events were counted in parts of so many.
struct EventCensus {
    std::size_t part_events = 0;
    std::vector<std::vector<std::uint32_t>> of_parts; ///< by track and kind of lane
    IdRange calls;                                    ///< correlations of launch calls
    IdRange operators;                                ///< External ids of operators
};

/// By place in the EventTable.
struct SortedEvents {
    PageArray<std::uint32_t> order; ///< which event as added
    PageArray<TimeNs> start, duration;
    /// Of those behind the GPU's: the innermost operator around the event, itself if it is one; as walking up
    /// RankTrace::parent_of from one to the next would find it.
    PageArray<EventIndex> innermost_operator;
    std::int64_t repeated = 0;      ///< events that the file holds a second time: they have no place
    std::vector<std::uint32_t> cut; ///< work of the GPU, as added, that was cut at the next start of its stream
};

constexpr TimeNs kClocksRead = 2'000; ///< the clocks of host and GPU are read no better, ns

/// A call that waits for all work of the device.
struct DeviceWait {
    TimeRange range;
    std::vector<EventIndex> work;                         ///< launched since the wait before
    TimeNs work_end = std::numeric_limits<TimeNs>::min(); ///< the latest end
};
/// A call that waits for what one stream holds, or for an event in it; the recording does not say which one.
struct StreamWait {
    TimeRange range;
    NameId name = 0;
    bool of_event = false;
};
/// In order of time.
struct HostWaits {
    std::vector<DeviceWait> of_device; ///< those with work; none of several devices, for a call waits for one
    std::vector<StreamWait> of_streams;
    bool one_device = false; ///< each has a clock of its own
};
HostWaits host_waits(const RankTrace& trace);

/// Holds work that was cut at the next start of its stream to the waits for the device, too.
void mend_cut_work(RankTrace& trace, const SortedEvents& sorted);
/// Tells of work that starts inside the work before it in its stream.
void note_overlaps(RankTrace& trace);
/// Moves the GPU's times where calls and work tell that its clock is ahead of the host's or behind it.
void mend_clock(RankTrace& trace, const HostWaits& waits);

/// A copy to write to: columns cannot be changed in place.
PageArray<TimeNs> copy_of(const Column<TimeNs>& column);

} // namespace rankscope
