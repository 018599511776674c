// SPDX-License-Identifier: GPL-3.0-or-later
// Aligns the clock of the GPU with the host's where calls and work tell that it is ahead or late: work starts before
// its launch, or calls that wait for it return before it ends.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/words.h"
#include "core/trace/rank_builder_parts.h"

namespace rankscope {
namespace {

constexpr std::size_t kFewestPlaces = 3; // so many places must agree on how far a clock is off
constexpr TimeNs kLeastOffset = 20'000;  // less changes nothing that is told
constexpr TimeNs kAtOnce = 100'000;      // a call starts idle work, and returns, so soon

/// Whether a clock is off by about the same wherever it can be told.
bool agree(std::vector<TimeNs>& offsets) {
    constexpr TimeNs kAlike = 2; // the largest, times a quarter of them
    if (offsets.size() < kFewestPlaces)
        return false;
    std::ranges::sort(offsets);
    const TimeNs quarter = offsets[offsets.size() / 4];
    return quarter > kLeastOffset && offsets.back() <= kAlike * quarter;
}

/// Launches with work that starts before them.
struct EarlyWork {
    std::int64_t count = 0;
    TimeNs most = 0;            ///< by how much at most
    bool is_nearly_all = false; ///< nearly all of the work does: the clocks do not fit at all
};

EarlyWork early_work(const EventTable& table) {
    constexpr TimeNs kNoClock = 1'000'000'000; // ids that were used again, unless it is so of nearly all work
    constexpr std::int64_t kNearlyAll = 10;    // but one in so many
    EarlyWork near, all;
    std::int64_t launched = 0;
    for (EventIndex i = 0; i < table.gpu_count; ++i) {
        if (table.link[i] == kNoEvent)
            continue;
        ++launched;
        const TimeNs early = table.start[table.link[i]] - table.start[i];
        if (early <= kClocksRead)
            continue;
        ++all.count;
        all.most = std::max(all.most, early);
        if (early > kNoClock)
            continue;
        ++near.count;
        near.most = std::max(near.most, early);
    }
    all.is_nearly_all = all.count > 0 && (launched - all.count) * kNearlyAll <= launched;
    return all.is_nearly_all ? all : near;
}

/// By how much work starts before its launch at most, between each two calls that wait for the GPU. There it runs what
/// it is given at once, later work waits for earlier work. Of fewer than three such stretches: for each launch.
std::vector<TimeNs> leads(const EventTable& table, const HostWaits& waits) {
    std::vector<TimeNs> borders;
    for (const DeviceWait& wait : waits.of_device)
        borders.push_back(wait.range.begin);
    for (const StreamWait& wait : waits.of_streams)
        borders.push_back(wait.range.begin);
    std::ranges::sort(borders);
    std::map<std::ptrdiff_t, TimeNs> of_stretches;
    std::vector<TimeNs> of_launches;
    for (EventIndex i = 0; i < table.gpu_count; ++i) {
        if (table.link[i] == kNoEvent)
            continue;
        const TimeNs launched = table.start[table.link[i]];
        const TimeNs lead = launched - table.start[i];
        of_launches.push_back(lead);
        const auto stretch = std::ranges::lower_bound(borders, launched) - borders.begin();
        const auto [most, added] = of_stretches.try_emplace(stretch, lead);
        most->second = std::max(most->second, lead);
    }
    if (of_stretches.size() < kFewestPlaces)
        return of_launches;
    std::vector<TimeNs> found;
    for (const auto& [stretch, lead] : of_stretches)
        found.push_back(lead);
    return found;
}

/// How long after the return of a call that waits for one stream work ends that was launched before: of the stream that
/// ends first, and of the one that ends last. Of calls that took some time: they did wait, for whichever stream.
/// Nothing if some work has no launch: they may have waited for that.
struct SeenByStreamWaits {
    std::vector<TimeNs> first, last;
    std::size_t explained = 0; ///< calls that return as the work of a stream ends
};

SeenByStreamWaits seen_by_stream_waits(const RankTrace& trace, const std::vector<StreamWait>& waits, bool with_events) {
    const EventTable& table = trace.events;
    SeenByStreamWaits seen;
    if (waits.empty())
        return seen;
    std::vector<std::pair<TimeNs, EventIndex>> launched;
    std::vector<std::size_t> lane_of(table.gpu_count);
    for (std::size_t l = 0; l < trace.lanes.size() && trace.lanes[l].kind == LaneKind::gpu_stream; ++l)
        for (EventIndex i = trace.lanes[l].begin; i < trace.lanes[l].end; ++i) {
            if (table.link[i] == kNoEvent)
                return seen;
            lane_of[i] = l;
            launched.emplace_back(table.end(table.link[i]), i);
        }
    std::ranges::sort(launched);
    std::map<std::size_t, TimeNs> ends; // of each stream's work that was launched so far
    auto next = launched.begin();
    for (const StreamWait& wait : waits) {
        for (; next != launched.end() && next->first <= wait.range.begin; ++next) {
            const TimeNs end = table.end(next->second);
            const auto [latest, added] = ends.try_emplace(lane_of[next->second], end);
            latest->second = std::max(latest->second, end);
        }
        if ((wait.of_event && !with_events) || wait.range.length() <= kLeastOffset || ends.empty())
            continue;
        const auto after_return = [&](const auto& of_lane) { return of_lane.second - wait.range.end; };
        const auto [first, last] = std::ranges::minmax_element(ends, {}, after_return);
        seen.first.push_back(after_return(*first));
        seen.last.push_back(after_return(*last));
        seen.explained += std::ranges::any_of(ends, [&](const auto& of_lane) {
            return after_return(of_lane) > -kAtOnce && after_return(of_lane) <= kLeastOffset;
        });
    }
    return seen;
}

/// By how much the GPU's clock is ahead. Nothing unless work starts before its launch everywhere, and by about the
/// same; nor if a call that waits for the device would then return before its work ends; nor by little, which clocks
/// that are read at other times explain. A call that was made before its work ended returns as it ends, which tells
/// better than launches do.
std::optional<TimeNs> lead_of_clock(const RankTrace& trace, const HostWaits& waits, const EarlyWork& early) {
    if (!waits.one_device || (!early.is_nearly_all && early.most < kAtOnce))
        return {};
    std::vector<TimeNs> found = leads(trace.events, waits);
    if (!agree(found))
        return {};
    std::vector<TimeNs> ends; // after the return
    for (const DeviceWait& wait : waits.of_device)
        if (wait.work_end + early.most > wait.range.begin)
            ends.push_back(wait.work_end - wait.range.end);
    if (!ends.empty() && std::ranges::max(ends) + early.most > kLeastOffset)
        return {};
    if (ends.empty())
        ends = seen_by_stream_waits(trace, waits.of_streams, true).last;
    return ends.empty() ? early.most : std::max(early.most, -std::ranges::max(ends));
}

/// How long after its launch work starts at least: a clock is not later than that.
TimeNs shortest_delay(const EventTable& table) {
    TimeNs delay = std::numeric_limits<TimeNs>::max();
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (is_gpu_work(table.kind[i]) && table.link[i] != kNoEvent)
            delay = std::min(delay, table.start[i] - table.start[table.link[i]]);
    return delay;
}

/// What is known of a clock that is late.
struct Lateness {
    TimeNs by = 0;
    std::int64_t calls = 0; ///< that tell so
    bool is_certain = false;
};

/// Certain if three of four calls return before their work ends, by about the same; the one that sees it end first
/// tells best. Where fewer than three wait for the device, those that wait for a stream tell as well: of the stream
/// that ends first, or, if a call for the device tells that the clock is late, of the one that ends last. Work may not
/// come before its launch by that.
Lateness lateness_of_clock(const RankTrace& trace, const HostWaits& waits) {
    const TimeNs delay = shortest_delay(trace.events);
    if (!waits.one_device || delay <= kLeastOffset)
        return {};
    std::vector<TimeNs> of_device;
    for (const DeviceWait& wait : waits.of_device)
        of_device.push_back(wait.work_end - wait.range.end);
    Lateness lateness;
    lateness.by = of_device.empty() ? 0 : std::ranges::max(of_device);
    lateness.calls = std::ranges::count_if(of_device, [](TimeNs by) { return by > kLeastOffset; });
    SeenByStreamWaits seen;
    if (of_device.size() < kFewestPlaces)
        seen = seen_by_stream_waits(trace, waits.of_streams, false);
    const TimeNs latest = seen.last.empty() ? lateness.by : std::max(lateness.by, std::ranges::max(seen.last));
    const auto decides = [&](const std::vector<TimeNs>& of_streams) {
        std::vector<TimeNs> late = of_device;
        late.insert(late.end(), of_streams.begin(), of_streams.end());
        if (!agree(late) || late.back() > delay)
            return false;
        // What runs in other streams may go on after a call that waits for one.
        lateness = {latest <= delay ? latest : late.back(), std::ssize(late), true};
        return true;
    };
    if (decides(seen.first) || (lateness.calls > 0 && decides(seen.last)))
        return lateness;
    if (of_device.empty() && seen.explained * 4 <= seen.last.size() && agree(seen.last) && latest <= delay)
        lateness = {latest, std::ssize(seen.last), false};
    return lateness;
}

void move_gpu(RankTrace& trace, TimeNs by) {
    EventTable& table = trace.events;
    PageArray<TimeNs> start = copy_of(table.start);
    for (const Lane& lane : trace.lanes)
        if (lane.kind <= LaneKind::gpu_annotation) // these mirror the work
            for (EventIndex i = lane.begin; i < lane.end; ++i)
                start[i] += by;
    table.start = std::move(start);
}

} // namespace

void mend_clock(RankTrace& trace, const HostWaits& waits) {
    const auto words = [](TimeNs time) { return time_words(static_cast<double>(time)); };
    const auto note = [&](NoticeCode code, Message message, std::int64_t count) {
        add_notice(trace.notices, {code, std::move(message), trace.file.string(), count});
    };
    if (const EarlyWork early = early_work(trace.events); early.count > 0) {
        const std::optional<TimeNs> lead = lead_of_clock(trace, waits, early);
        if (lead)
            move_gpu(trace, *lead);
        note(
            "gpu_clock_ahead",
            lead
                ? "GPU work starts before the call that launched it: the GPU's clock is ahead by %1, and "
                  "its times were moved forward by that"_text(words(*lead))
                : "GPU work starts before the call that launched it: the clocks of host and GPU disagree by %1 at least"_text(
                      words(early.most)),
            early.count);
        return;
    }
    const Lateness late = lateness_of_clock(trace, waits);
    if (late.is_certain) {
        move_gpu(trace, -late.by);
        note("gpu_clock_late",
             "calls that wait for the GPU return before its work ends: its clock is %1 late, and its times were moved "
             "back by that"_text(words(late.by)),
             late.calls);
    } else if (late.calls > 0) {
        note("gpu_clock_late",
             "calls that wait for the GPU return up to %1 before its work ends: its clock may be late; its times "
             "are as recorded"_text(words(late.by)),
             late.calls);
    }
}

} // namespace rankscope
