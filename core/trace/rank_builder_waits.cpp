// SPDX-License-Identifier: GPL-3.0-or-later
// Holds GPU work to what the host saw of it: a call that waits for the device returns when all work launched before has
// ended. A kernel that is recorded from 10 to 1 600 010 us, and whose cudaDeviceSynchronize returns at 1 015, took
// 1 005 at most. If each such call returns 800 us before its work ends, the GPU's clock is 800 us late.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/base/words.h"
#include "core/trace/column.h"
#include "core/trace/device_waits.h"
#include "core/trace/page_array.h"
#include "core/trace/rank_builder.h"
#include "core/trace/rank_builder_parts.h"

namespace rankscope {
namespace {

constexpr TimeNs kClocksRead = 2'000; // a clock is read no better

struct DeviceWait {
    TimeRange range;
    std::vector<EventIndex> work; ///< launched since the wait before
    TimeNs work_end = 0;          ///< the latest end; of no work 0
};

bool has_one_device(const RankTrace& trace) {
    std::set<std::int64_t> devices;
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::gpu_stream)
            devices.insert(lane.device);
    return devices.size() == 1;
}

/// In order of time, those with work. None of several devices: a call waits for that of its thread.
std::vector<DeviceWait> waits_with_work(const RankTrace& trace) {
    const EventTable& table = trace.events;
    std::vector<DeviceWait> waits;
    if (!has_one_device(trace))
        return waits;
    PlaceMap<NameId, bool> names;
    for (EventIndex e = table.gpu_count; e < table.size(); ++e) {
        if (!is_launch_call(table.kind[e]))
            continue;
        const auto [known, added] = names.try_emplace(table.name[e], false);
        if (added)
            known->second = waits_for_device(trace.names->view(table.name[e]));
        if (known->second)
            waits.push_back({table.range(e), {}, 0});
    }
    std::ranges::sort(waits, {}, [](const DeviceWait& wait) { return wait.range.begin; });
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
    return waits;
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

/// Work that, by its recorded length, outlasts the call that waited for it, and is far longer than others of its name:
/// it, and when that call returns. The ends of what each call waited for become those of the rest.
std::vector<std::pair<EventIndex, TimeNs>> find_overlong(const EventTable& table, std::vector<DeviceWait>& waits) {
    std::map<NameId, TimeNs> usual;
    for (const DeviceWait& wait : waits)
        for (const EventIndex i : wait.work)
            if (table.end(i) > wait.range.end + kClocksRead)
                usual[table.name[i]] = 0;
    std::vector<std::pair<EventIndex, TimeNs>> overlong;
    if (usual.empty())
        return overlong;
    usual = usual_lengths(table, usual);
    for (DeviceWait& wait : waits) {
        wait.work_end = 0;
        for (const EventIndex i : wait.work) {
            const auto length = usual.find(table.name[i]);
            const bool is_overlong = length != usual.end() && table.end(i) > wait.range.end + kClocksRead &&
                                     table.start[i] < wait.range.end && far_longer(table.duration[i], length->second);
            if (is_overlong)
                overlong.emplace_back(i, wait.range.end);
            wait.work_end = std::max(wait.work_end, is_overlong ? wait.range.end : table.end(i));
        }
    }
    return overlong;
}

/// Columns cannot be changed in place.
PageArray<TimeNs> copy_of(const Column<TimeNs>& column) {
    PageArray<TimeNs> copy(column.size());
    std::ranges::copy(column, copy.data());
    return copy;
}

/// By how much the GPU's clock is late. Nothing unless three of four waits return before their work ends, by about the
/// same; the call that sees it end first tells best. Work may not come before its launch by that.
std::optional<TimeNs> lateness_of_clock(const EventTable& table, const std::vector<DeviceWait>& waits) {
    constexpr std::size_t kFewest = 3;
    constexpr TimeNs kAlike = 2;      // the largest, times a quarter of them
    constexpr TimeNs kLeast = 20'000; // less changes nothing that is told
    std::vector<TimeNs> late;
    for (const DeviceWait& wait : waits)
        late.push_back(wait.work_end - wait.range.end);
    if (late.size() < kFewest)
        return {};
    std::ranges::sort(late);
    const TimeNs quarter = late[late.size() / 4];
    if (quarter <= kLeast || late.back() > kAlike * quarter)
        return {};
    for (EventIndex i = 0; i < table.gpu_count; ++i)
        if (is_gpu_work(table.kind[i]) && table.link[i] != kNoEvent &&
            table.start[i] - late.back() < table.start[table.link[i]])
            return {};
    return late.back();
}

} // namespace

void RankBuilder::hold_to_waits() {
    EventTable& table = trace_.events;
    std::vector<DeviceWait> waits = waits_with_work(trace_);
    if (waits.empty())
        return;
    const auto note = [&](NoticeCode code, Message message, std::int64_t count) {
        add_notice(trace_.notices, {code, std::move(message), trace_.file.string(), count});
    };
    if (const auto overlong = find_overlong(table, waits); !overlong.empty()) {
        PageArray<TimeNs> duration = copy_of(table.duration);
        for (const auto& [work, end] : overlong)
            duration[work] = end - table.start[work];
        table.duration = std::move(duration);
        note(
            "overlong_work",
            "GPU work lasts, as recorded, longer than the call that waited for it; it was cut where that returns"_text(),
            std::ssize(overlong));
    }
    if (const std::optional<TimeNs> late = lateness_of_clock(table, waits)) {
        PageArray<TimeNs> start = copy_of(table.start);
        for (EventIndex i = 0; i < table.gpu_count; ++i)
            start[i] -= *late;
        table.start = std::move(start);
        note("gpu_clock_late",
             "calls that wait for the GPU return before its work ends: its clock is %1 late, and its times were moved "
             "back by that"_text(time_words(static_cast<double>(*late))),
             std::ssize(waits));
    }
}

} // namespace rankscope
