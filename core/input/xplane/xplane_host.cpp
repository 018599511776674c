// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/xplane/xplane_host.h"

#include <algorithm>
#include <charconv>

#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

/// "GPU_7_bfc" -> 7; -1 for the memory of the host.
std::int32_t device_of_allocator(std::string_view name) {
    const std::size_t at = name.find("GPU_");
    std::int32_t device = -1;
    if (at == std::string_view::npos)
        return device;
    const auto [end, error] = std::from_chars(name.data() + at + 4, name.data() + name.size(), device);
    return error == std::errc{} ? device : -1;
}

EventKind kind_of_call(std::string_view name) {
    const bool driver = name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
    return driver ? EventKind::driver : EventKind::runtime;
}

bool is_execution(std::string_view name) { return name.ends_with(":XLA GPU module") || name.starts_with("XlaModule:"); }

std::int64_t flow_id(std::int64_t type, std::int64_t id) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(id) ^
                                     static_cast<std::uint64_t>(type) * 0x9E3779B97F4A7C15ull);
}

/// What the statistics of an event say, as far as it matters here.
struct HostStats {
    std::optional<std::int64_t> correlation, device, step, address, allocated, reserved, allocation, producer, consumer;
    std::int64_t producer_kind = 0;
    std::int64_t consumer_kind = 0;
    std::string_view allocator;

    HostStats(const XPlane& plane, const XEvent& event) {
        plane.for_each_stat(
            event,
            [this](const XStat& stat) {
                switch (stat.name) {
                case XStatName::correlation_id: correlation = stat.integer; break;
                case XStatName::device_id: device = stat.integer; break;
                case XStatName::step_num: step = stat.integer; break;
                case XStatName::allocator: allocator = stat.text; break;
                case XStatName::address: address = stat.integer; break;
                case XStatName::bytes_allocated: allocated = stat.integer; break;
                case XStatName::bytes_reserved: reserved = stat.integer; break;
                case XStatName::allocation_bytes: allocation = stat.integer; break;
                case XStatName::producer_type: producer_kind = stat.integer; break;
                case XStatName::producer_id: producer = stat.integer; break;
                case XStatName::consumer_type: consumer_kind = stat.integer; break;
                case XStatName::consumer_id: consumer = stat.integer; break;
                default: break;
                }
            });
    }
};

XMemorySample memory_sample(const HostStats& stats, TimeNs time, bool releases) {
    XMemorySample sample;
    sample.device = device_of_allocator(stats.allocator);
    sample.sample.time = time;
    const std::int64_t bytes = plausible(stats.allocation.value_or(kUnknown));
    sample.sample.bytes = bytes == kUnknown || !releases ? bytes : -bytes;
    sample.sample.allocated = plausible(stats.allocated.value_or(kUnknown));
    // Allocators that reserve nothing write 0.
    sample.sample.reserved = stats.reserved.value_or(0) > 0 ? plausible(*stats.reserved) : kUnknown;
    sample.sample.address = static_cast<std::uint64_t>(stats.address.value_or(0));
    sample.sample.device_type = 1;
    sample.sample.device = sample.device;
    return sample;
}

class HostPlaneReader {
public:
    HostPlaneReader(const XPlane& plane, StringTable& names, Accounting& accounting)
        : plane_(plane), names_(names), accounting_(accounting) {}

    void read(const XLine& from, XClock& clock, XHostLine& line, std::uint64_t most_events) {
        const TimeNs base = clock.base_of(from);
        const XLineEnd end = for_each_event(from, [&](const XEvent& event) {
            ++accounting_.events_in_file;
            add(event, base, line);
            return line.events.size() < most_events;
        });
        accounting_.events_in_file += end.cut;
        accounting_.add(NotShown::cut_off, end.cut);
    }

private:
    void add(const XEvent& event, TimeNs base, XHostLine& line) {
        const auto range = range_of(event, base);
        if (!event.offset_ps || !range) {
            accounting_.add(event.offset_ps ? NotShown::malformed : NotShown::sums, 1);
            return;
        }
        const std::string_view name = plane_.kind_of(event).shown();
        const HostStats stats(plane_, event);
        if (name == "MemoryAllocation" || name == "MemoryDeallocation") {
            line.memory.push_back(memory_sample(stats, range->begin, name == "MemoryDeallocation"));
            accounting_.add(NotShown::memory_samples, 1);
            return;
        }
        if (stats.producer)
            line.flows.push_back({flow_id(stats.producer_kind, *stats.producer), range->begin, true});
        if (stats.consumer)
            line.flows.push_back({flow_id(stats.consumer_kind, *stats.consumer), range->begin, false});
        if (event.duration_ps == 0) {
            line.instants.push_back({range->begin, name_of(event)});
            accounting_.add(NotShown::instants, 1);
            return;
        }
        XHostEvent added;
        added.start = range->begin;
        added.duration = range->length();
        added.name = name_of(event);
        if (stats.correlation) {
            added.kind = kind_of_call(name);
            added.correlation = *stats.correlation > 0 ? *stats.correlation : kUnknown; // 0: of nothing
            added.device =
                static_cast<std::int32_t>(std::clamp<std::int64_t>(stats.device.value_or(-1), -1, kMostRanks));
        } else if (name.starts_with('$')) {
            added.kind = EventKind::python; // "$module.py:12 function"
        } else if (stats.step) {
            added.kind = EventKind::annotation;
        }
        const auto index = static_cast<std::uint32_t>(line.events.size());
        if (stats.step && *stats.step >= 0 && !stats.correlation)
            line.steps.push_back({*stats.step, index});
        if (is_execution(name))
            line.executions.push_back(index);
        line.events.push_back(added);
    }

    NameId name_of(const XEvent& event) {
        const auto [known, added] = name_ids_.try_emplace(event.kind);
        if (added) {
            const std::string_view name = plane_.kind_of(event).shown();
            known->second = names_.intern(name.empty() ? "event without a name" : name);
        }
        return known->second;
    }

    const XPlane& plane_;
    StringTable& names_;
    Accounting& accounting_;
    NumberMap<std::int64_t, NameId> name_ids_;
};

} // namespace

std::vector<XHostLine> read_host_plane(const XPlane& plane, XClock& clock, StringTable& names, Accounting& accounting,
                                       std::uint64_t most_bytes) {
    std::vector<XHostLine> lines;
    NumberMap<std::int64_t, std::size_t> by_id; // lines of one id are one timeline
    HostPlaneReader reader(plane, names, accounting);
    std::uint64_t bytes = 0;
    for (const XLine& from : plane.lines) {
        const auto [known, added] = by_id.try_emplace(from.id, lines.size());
        if (added) {
            XHostLine& line = lines.emplace_back();
            line.process = plane.name == "/host:CPU" ? "host" : std::string(plane.name);
            line.thread = std::to_string(from.id);
            line.name = from.display_name.empty() ? from.name : from.display_name;
        }
        const std::uint64_t room =
            most_bytes == 0 ? kNoEvent : (most_bytes - std::min(most_bytes, bytes)) / sizeof(XHostEvent);
        XHostLine& line = lines[known->second];
        const std::size_t before = line.events.size();
        reader.read(from, clock, line, before + room);
        bytes += (line.events.size() - before) * sizeof(XHostEvent);
    }
    return lines;
}

std::uint64_t memory_bytes(const std::vector<XHostLine>& lines) {
    std::uint64_t bytes = 0;
    for (const XHostLine& line : lines)
        bytes += line.events.capacity() * sizeof(XHostEvent) + line.instants.capacity() * sizeof(Instant) +
                 line.flows.capacity() * sizeof(XHostFlow) + line.memory.capacity() * sizeof(XMemorySample);
    return bytes;
}

} // namespace rankscope
