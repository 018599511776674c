// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the lengths of GPU work to what the host saw of it: a call that waits for the device returns when all work
// launched before has ended. A kernel that is recorded from 10 to 1 600 010 us, and whose cudaDeviceSynchronize returns
// at 1 015, took 1 005 at most.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/trace/device_waits.h"
#include "core/trace/rank_builder.h"
#include "core/trace/rank_builder_parts.h"

namespace rankscope {
namespace {

/// Work whose recorded length cannot be right, and when it had ended.
struct Doubtful {
    EventIndex work = kNoEvent;
    TimeNs ended = 0; ///< at the latest
};

bool has_one_device(const RankTrace& trace) {
    std::set<std::int64_t> devices;
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::gpu_stream)
            devices.insert(lane.device);
    return devices.size() == 1;
}

enum class WaitsFor : std::uint8_t { nothing, device, stream, event };

WaitsFor what_is_awaited(std::string_view name) {
    return waits_for_device(name)                ? WaitsFor::device
           : contains(name, "StreamSynchronize") ? WaitsFor::stream
           : contains(name, "EventSynchronize")  ? WaitsFor::event
                                                 : WaitsFor::nothing;
}

/// Gives each wait for the device the work that was launched since the one before; those without are left out.
void give_work(const EventTable& table, std::vector<DeviceWait>& waits) {
    for (EventIndex i = 0; i < table.gpu_count && !waits.empty(); ++i) {
        if (!is_gpu_work(table.kind[i]) || table.link[i] == kNoEvent)
            continue;
        const TimeNs launched = table.end(table.link[i]);
        const auto wait =
            std::ranges::lower_bound(waits, launched, {}, [](const DeviceWait& w) { return w.range.begin; });
        if (wait == waits.end())
            continue;
        wait->work.push_back(i);
        wait->work_end = std::max(wait->work_end, table.end(i));
    }
    std::erase_if(waits, [](const DeviceWait& wait) { return wait.work.empty(); });
}

/// Of each of these names (usual_length()).
std::map<NameId, TimeNs> usual_lengths(const EventTable& table, const std::map<NameId, TimeNs>& of) {
    std::map<NameId, std::vector<TimeNs>> lengths;
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (of.contains(table.name[i]))
            lengths[table.name[i]].push_back(table.duration[i]);
    std::map<NameId, TimeNs> usual;
    for (auto& [name, of_name] : lengths)
        if (const auto length = usual_length(of_name))
            usual[name] = *length;
    return usual;
}

/// Work that, by its recorded length, outlasts the call that waited for it, and is far longer than others of its name.
/// The ends of what each call waited for become those of the rest.
std::vector<Doubtful> find_overlong(const EventTable& table, std::vector<DeviceWait>& waits) {
    std::map<NameId, TimeNs> usual;
    for (const DeviceWait& wait : waits)
        for (const EventIndex i : wait.work)
            if (table.end(i) > wait.range.end + kClocksRead)
                usual[table.name[i]] = 0;
    std::vector<Doubtful> overlong;
    if (usual.empty())
        return overlong;
    usual = usual_lengths(table, usual);
    for (DeviceWait& wait : waits) {
        wait.work_end = std::numeric_limits<TimeNs>::min();
        for (const EventIndex i : wait.work) {
            const auto length = usual.find(table.name[i]);
            const bool is_overlong = length != usual.end() && table.end(i) > wait.range.end + kClocksRead &&
                                     table.start[i] < wait.range.end && far_longer(table.duration[i], length->second);
            if (is_overlong)
                overlong.push_back({i, wait.range.end});
            wait.work_end = std::max(wait.work_end, is_overlong ? wait.range.end : table.end(i));
        }
    }
    return overlong;
}

/// The last work of a stream. Of work that overlaps, each row of the lane has one.
struct StreamEnd {
    const Lane* lane = nullptr;
    EventIndex work = kNoEvent;
};

/// Those with a recorded launch.
std::vector<StreamEnd> ends_of_streams(const RankTrace& trace) {
    std::vector<StreamEnd> ends;
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::gpu_stream)
            for (std::uint32_t row = lane.first_row; row < lane.first_row + lane.row_count; ++row)
                if (const EventIndex last = trace.rows[row].end - 1; trace.events.link[last] != kNoEvent)
                    ends.push_back({&lane, last});
    return ends;
}

/// When the last event of the host ends.
TimeNs end_of_host(const RankTrace& trace) {
    TimeNs end = std::numeric_limits<TimeNs>::min();
    for (const Lane& lane : trace.lanes)
        if (lane.kind >= LaneKind::cpu_thread)
            for (std::uint32_t row = lane.first_row; row < lane.first_row + lane.row_count; ++row)
                end = std::max(end, trace.events.end(trace.rows[row].end - 1));
    return end;
}

/// Whether calls of that name, which wait for one stream or event, waited for this stream wherever the recording can
/// tell: three times at least, and each time all of its work that was launched since the call before had ended, but for
/// these suspects.
bool waits_for_stream(const EventTable& table, const Lane& stream, const std::vector<StreamWait>& waits, NameId name,
                      const std::vector<StreamEnd>& suspects) {
    constexpr std::ptrdiff_t kFewest = 3;
    std::vector<TimeRange> calls;
    for (const StreamWait& wait : waits)
        if (wait.name == name)
            calls.push_back(wait.range);
    std::vector<bool> waited(calls.size());
    for (EventIndex i = stream.begin; i < stream.end; ++i) {
        if (table.link[i] == kNoEvent || std::ranges::find(suspects, i, &StreamEnd::work) != suspects.end())
            continue;
        const auto call = std::ranges::lower_bound(calls, table.end(table.link[i]), {}, &TimeRange::begin);
        if (call == calls.end())
            continue;
        if (table.end(i) > call->end + kClocksRead)
            return false;
        waited[static_cast<std::size_t>(call - calls.begin())] = true;
    }
    return std::ranges::count(waited, true) >= kFewest;
}

/// When the first call returned that waits for that stream and was made after the launch of its last work.
std::optional<TimeNs> end_seen_by_host(const EventTable& table, const StreamEnd& stream,
                                       const std::vector<StreamWait>& waits, const std::vector<StreamEnd>& suspects) {
    std::map<NameId, TimeNs> returns;
    for (const StreamWait& wait : waits)
        if (wait.range.begin >= table.end(table.link[stream.work]))
            returns.try_emplace(wait.name, wait.range.end);
    std::optional<TimeNs> seen;
    for (const auto& [name, end] : returns)
        if (end > table.start[stream.work] && (!seen || end < *seen) &&
            waits_for_stream(table, *stream.lane, waits, name, suspects))
            seen = end;
    return seen;
}

/// The longest other work of each of their names; nothing of fewer than three, which tell nothing.
std::map<NameId, TimeNs> longest_others(const EventTable& table, const std::vector<StreamEnd>& than) {
    constexpr std::int64_t kFewOfAName = 3;
    std::set<EventIndex> works;
    std::map<NameId, std::pair<TimeNs, std::int64_t>> others; // with their number
    for (const StreamEnd& stream : than) {
        works.insert(stream.work);
        others[table.name[stream.work]] = {};
    }
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (const auto of_name = others.find(table.name[i]);
            of_name != others.end() && table.duration[i] > 0 && !works.contains(i)) {
            auto& [longest, count] = of_name->second;
            longest = std::max(longest, table.duration[i]);
            ++count;
        }
    std::map<NameId, TimeNs> longest;
    for (const auto& [name, of_name] : others)
        if (of_name.second >= kFewOfAName)
            longest[name] = of_name.first;
    return longest;
}

/// Whether work ends, as recorded, after all that the host did, or after a call that was made later and waited for some
/// stream.
bool is_suspect(const EventTable& table, EventIndex work, TimeNs host_end, const std::vector<StreamWait>& waits) {
    return table.end(work) > host_end + kClocksRead || std::ranges::any_of(
                                                           waits,
                                                           [&](const StreamWait& wait) {
                                                               return wait.range.begin >= table.end(table.link[work]) &&
                                                                      table.end(work) > wait.range.end + kClocksRead;
                                                           });
}

/// The last work of a stream, where nothing that follows tells its length: it is far longer than any other of its name,
/// and outlasts a call that waits for its stream, or goes on alone for as long after everything else was recorded.
std::vector<Doubtful> find_overlong_ends(const RankTrace& trace, const HostWaits& waits,
                                         const std::vector<Doubtful>& known) {
    const EventTable& table = trace.events;
    std::vector<StreamEnd> suspects = ends_of_streams(trace);
    std::erase_if(suspects, [&](const StreamEnd& stream) {
        return std::ranges::find(known, stream.work, &Doubtful::work) != known.end();
    });
    const TimeNs host_end = end_of_host(trace);
    TimeNs rest_end = host_end; // and of all work but these
    const auto keep = [&](auto stays) {
        std::erase_if(
            suspects,
            [&](const StreamEnd& stream) {
                const bool goes = !stays(stream.work);
                rest_end = std::max(rest_end, goes ? table.end(stream.work) : table.start[stream.work]);
                return goes;
            });
    };
    keep([&](EventIndex i) { return is_suspect(table, i, host_end, waits.of_streams); });
    if (suspects.empty())
        return {};
    const std::map<NameId, TimeNs> longest = longest_others(table, suspects);
    keep([&](EventIndex i) {
        const auto length = longest.find(table.name[i]);
        return length != longest.end() && far_longer(table.duration[i], length->second);
    });
    std::vector<Doubtful> overlong;
    for (const StreamEnd& stream : suspects) {
        const EventIndex i = stream.work;
        const TimeNs length = longest.at(table.name[i]);
        if (const auto seen = end_seen_by_host(table, stream, waits.of_streams, suspects);
            seen && table.end(i) > *seen + kClocksRead)
            overlong.push_back({i, *seen});
        else if (far_longer(table.end(i) - rest_end, length))
            overlong.push_back({i, std::max(rest_end, table.start[i] + length)});
    }
    return overlong;
}

/// What is known is only when such work had ended. It counts as long as the longest other work of its name that fits:
/// with all of the time up to there, a pause of the GPU would count as work, and the rank as slow. Work without a
/// length was not read well, and tells nothing.
void mend_lengths(RankTrace& trace, const std::vector<Doubtful>& doubtful) {
    if (doubtful.empty())
        return;
    EventTable& table = trace.events;
    std::set<EventIndex> works;
    std::map<NameId, std::vector<TimeNs>> lengths; // of other work
    for (const Doubtful& one : doubtful) {
        works.insert(one.work);
        lengths[table.name[one.work]];
    }
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (const auto known = lengths.find(table.name[i]);
            known != lengths.end() && table.duration[i] > 0 && !works.contains(i))
            known->second.push_back(table.duration[i]);
    for (auto& [name, of_name] : lengths)
        std::ranges::sort(of_name);
    PageArray<TimeNs> duration = copy_of(table.duration);
    for (const auto& [work, ended] : doubtful) {
        const TimeNs most = ended - table.start[work];
        const std::vector<TimeNs>& of_name = lengths[table.name[work]];
        const auto longer = std::ranges::upper_bound(of_name, most);
        duration[work] = longer == of_name.begin() ? most : *std::prev(longer);
    }
    table.duration = std::move(duration);
    add_notice(
        trace.notices,
        {"overlong_work",
         "GPU work lasts, as recorded, longer than it can have: across later work of its stream, past a call "
         "that waited for it or long past everything else; it counts as the longest of its name that fits"_text(),
         trace.file.string(), std::ssize(doubtful)});
}

} // namespace

PageArray<TimeNs> copy_of(const Column<TimeNs>& column) {
    PageArray<TimeNs> copy(column.size());
    std::ranges::copy(column, copy.data());
    return copy;
}

HostWaits host_waits(const RankTrace& trace) {
    const EventTable& table = trace.events;
    HostWaits waits;
    waits.one_device = has_one_device(trace);
    PlaceMap<NameId, WaitsFor> names;
    for (EventIndex e = table.gpu_count; e < table.size(); ++e) {
        if (!is_launch_call(table.kind[e]))
            continue;
        const auto [known, added] = names.try_emplace(table.name[e], WaitsFor::nothing);
        if (added)
            known->second = what_is_awaited(trace.names->view(table.name[e]));
        if (known->second == WaitsFor::device && waits.one_device)
            waits.of_device.push_back({.range = table.range(e), .work = {}});
        else if (known->second >= WaitsFor::stream)
            waits.of_streams.push_back({table.range(e), table.name[e], known->second == WaitsFor::event});
    }
    std::ranges::sort(
        waits.of_device, {}, [](const DeviceWait& wait) { return wait.range.begin; });
    std::ranges::sort(waits.of_streams, {}, [](const StreamWait& wait) { return wait.range.begin; });
    give_work(table, waits.of_device);
    return waits;
}

void mend_cut_work(RankTrace& trace, const SortedEvents& sorted) {
    if (sorted.cut.empty())
        return;
    const EventTable& table = trace.events;
    const std::set<std::uint32_t> cut(sorted.cut.begin(), sorted.cut.end());
    std::map<EventIndex, TimeNs> ended;
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (cut.contains(sorted.order[i]))
            ended[i] = table.end(i);
    for (const DeviceWait& wait : host_waits(trace).of_device)
        for (const EventIndex i : wait.work)
            if (const auto known = ended.find(i); known != ended.end() && table.start[i] < wait.range.end)
                known->second = std::min(known->second, wait.range.end);
    std::vector<Doubtful> doubtful;
    for (const auto& [work, end] : ended)
        doubtful.push_back({work, end});
    mend_lengths(trace, doubtful);
}

void RankBuilder::hold_to_waits() {
    HostWaits waits = host_waits(trace_);
    std::vector<Doubtful> doubtful = find_overlong(trace_.events, waits.of_device);
    if (trace_.source == TraceSource::kineto || trace_.source == TraceSource::nsys ||
        trace_.source == TraceSource::rocpd) // others have no streams
        std::ranges::copy(find_overlong_ends(trace_, waits, doubtful), std::back_inserter(doubtful));
    mend_lengths(trace_, doubtful);
    note_overlaps(trace_);
    mend_clock(trace_, waits);
}

} // namespace rankscope
