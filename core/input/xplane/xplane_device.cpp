// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/xplane/xplane_device.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

/// The number behind a word of "regs:32 static_shared:0 grid:219,40,1 block:256,1,1"; nothing where there is none.
std::optional<std::int64_t> details_number(std::string_view details, std::string_view word) {
    const std::size_t at = details.find(word);
    if (at == std::string_view::npos)
        return {};
    std::int64_t number = 0;
    const auto [end, error] =
        std::from_chars(details.data() + at + word.size(), details.data() + details.size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

std::array<std::uint32_t, 3> three_behind(std::string_view details, std::string_view word) {
    std::array<std::uint32_t, 3> result{};
    const std::size_t at = details.find(word);
    if (at == std::string_view::npos)
        return result;
    const char* next = details.data() + at + word.size();
    const char* const last = details.data() + details.size();
    for (std::uint32_t& number : result) {
        const auto [end, error] = std::from_chars(next, last, number);
        if (error != std::errc{})
            return {};
        next = end < last && *end == ',' ? end + 1 : end;
    }
    return result;
}

/// A count as the hardware can have it, else 0: ROCm's profiler writes addresses into some of them.
std::uint32_t within(std::optional<std::int64_t> number, std::int64_t most) {
    return number && *number > 0 && *number <= most ? static_cast<std::uint32_t>(*number) : 0;
}

LaunchShape launch_shape_of(std::string_view details) {
    constexpr std::int64_t kMostRegisters = 1024;
    constexpr std::int64_t kMostSharedBytes = 1 << 20;
    LaunchShape shape;
    shape.grid = three_behind(details, "grid:");
    shape.block = three_behind(details, "block:");
    shape.registers = within(details_number(details, "regs:"), kMostRegisters);
    shape.static_shared = within(details_number(details, "static_shared:"), kMostSharedBytes);
    shape.dynamic_shared = within(details_number(details, "dynamic_shared:"), kMostSharedBytes);
    return shape;
}

/// Lines that repeat the work of others, or put it into words.
bool describes_others(std::string_view line) {
    static constexpr auto kLines = std::to_array<std::string_view>(
        {"Steps", "XLA Modules", "Framework Ops", "Framework Name Scope", "TensorFlow Ops", "TensorFlow Name Scope",
         "Source code", "Source", "Launch Stats", "XLA TraceMe", "Sparse Core Steps", "Sparse Core Modules",
         "Tensor Core Sync Flag", "Sparse Core Syncs", "Host Offload Ops"});
    return std::ranges::find(kLines, line) != kLines.end();
}

bool is_step_line(std::string_view line) { return line == "Steps"; }

/// Samples of hardware counters, each an event without a duration.
bool holds_counters(std::string_view line) { return line == "_counters_"; }

/// "Stream #7(Compute)" -> 7
std::int64_t stream_of(std::string_view line) { return details_number(line, "Stream #").value_or(kUnknown); }

struct DeviceStats {
    std::optional<std::int64_t> correlation, program, flops;
    std::string_view kernel, copy, set, op, framework_op, module;
    double occupancy = 0;

    DeviceStats(const XPlane& plane, const XEvent& event) {
        plane.for_each_stat(
            event,
            [this](const XStat& stat) {
                switch (stat.name) {
                case XStatName::correlation_id: correlation = stat.integer; break;
                case XStatName::program_id: program = stat.integer; break;
                case XStatName::flops: flops = stat.integer; break;
                case XStatName::kernel_details: kernel = stat.text; break;
                case XStatName::memcpy_details: copy = stat.text; break;
                case XStatName::memset_details: set = stat.text; break;
                case XStatName::hlo_op: op = stat.text; break;
                case XStatName::framework_op: framework_op = stat.text; break;
                case XStatName::hlo_module: module = stat.text; break;
                case XStatName::occupancy_percent: occupancy = stat.number; break;
                default: break;
                }
            });
    }
};

/// What the profiler recorded details of decides, then the name.
EventKind kind_of_work(const DeviceStats& stats, std::string_view name) {
    if (!stats.kernel.empty())
        return EventKind::kernel;
    if (!stats.copy.empty())
        return EventKind::memcpy;
    if (!stats.set.empty())
        return EventKind::memset;
    const std::string lower = lower_case(name.substr(0, 16));
    if (lower.starts_with("memset"))
        return EventKind::memset;
    return lower.starts_with("memcpy") || lower.starts_with("copy") ? EventKind::memcpy : EventKind::kernel;
}

class DevicePlaneReader {
public:
    DevicePlaneReader(const XPlane& plane, StringTable& names, XDevice& device)
        : plane_(plane), names_(names), device_(device) {
        for (std::uint32_t i = 0; i < device.operators.size(); ++i)
            operators_.emplace(device.operators[i], i);
        for (std::uint32_t i = 0; i < device.shapes.size(); ++i)
            shapes_.emplace(device.shapes[i], i);
    }

    /// part: of the device, where it has several planes: "SparseCore 0"; else empty.
    void read(const XLine& from, std::string_view part, XClock& clock, std::uint64_t most_events) {
        const std::string_view name = from.name.empty() ? from.display_name : from.name;
        const TimeNs base = clock.base_of(from);
        if (holds_counters(name)) {
            read_counters(from, base, most_events);
            return;
        }
        const std::size_t first = device_.events.size();
        line_ = static_cast<std::uint32_t>(device_.lines.size());
        std::string thread(name.empty() ? "line " + std::to_string(from.id) : std::string(name));
        device_.lines.push_back(
            {part.empty() ? std::move(thread) : fmt::format("{} {}", part, thread), stream_of(name)});
        describes_ = describes_others(name) || (device_.is_gpu() && name == "XLA Ops");
        device_.has_program_lines |= name == "XLA Ops" || name == "XLA Modules";
        const XLineEnd end = for_each_event(from, [&](const XEvent& event) {
            ++device_.accounting.events_in_file;
            add(event, base, name);
            return device_.events.size() < most_events;
        });
        device_.accounting.events_in_file += end.cut;
        device_.accounting.add(NotShown::cut_off, end.cut);
        if (!device_.is_gpu() && !describes_)
            part_containers(first);
    }

private:
    void read_counters(const XLine& from, TimeNs base, std::uint64_t most_samples) {
        const XLineEnd end = for_each_event(from, [&](const XEvent& event) {
            ++device_.accounting.events_in_file;
            const auto range = range_of(event, base);
            std::optional<double> value;
            plane_.for_each_stat(event, [&](const XStat& stat) {
                if (stat.name == XStatName::counter_value)
                    value = stat.number;
            });
            const bool known = event.offset_ps && range && value && std::isfinite(*value);
            if (known)
                device_.counters.push_back({names_.intern(plane_.kind_of(event).shown()), range->begin, *value});
            device_.accounting.add(known ? NotShown::counters : NotShown::malformed, 1);
            return device_.counters.size() < most_samples;
        });
        device_.accounting.events_in_file += end.cut;
        device_.accounting.add(NotShown::cut_off, end.cut);
    }

    void add(const XEvent& event, TimeNs base, std::string_view line) {
        const auto range = range_of(event, base);
        if (!event.offset_ps || !range) {
            device_.accounting.add(event.offset_ps ? NotShown::malformed : NotShown::sums, 1);
            return;
        }
        const XEventKind& kind = plane_.kind_of(event);
        const std::string_view name = kind.shown();
        const DeviceStats stats(plane_, event);
        XDeviceEvent added;
        added.start = range->begin;
        added.duration = range->length();
        added.line = line_;
        added.name = names_.intern(name.empty() ? "event without a name" : name);
        added.kind = describes_ ? EventKind::gpu_annotation : kind_of_work(stats, name);
        added.correlation = stats.correlation.value_or(0) > 0 ? *stats.correlation : kUnknown;
        if (added.kind == EventKind::memcpy || added.kind == EventKind::memset) {
            const std::string_view details = added.kind == EventKind::memcpy ? stats.copy : stats.set;
            auto bytes = details_number(details, "size:");
            if (!bytes)
                bytes = details_number(details, "num_bytes:");
            added.bytes = plausible(bytes.value_or(kUnknown));
        }
        if (added.kind == EventKind::kernel && !stats.kernel.empty()) {
            const LaunchShape shape = launch_shape_of(stats.kernel);
            const auto [known, is_new] = shapes_.try_emplace(shape, static_cast<std::uint32_t>(device_.shapes.size()));
            if (is_new)
                device_.shapes.push_back(shape);
            added.shape = known->second;
            const double percent = stats.occupancy > 0
                                       ? stats.occupancy
                                       : static_cast<double>(details_number(stats.kernel, "occ_pct:").value_or(0));
            added.occupancy_percent = percent > 0 && percent <= 100 ? static_cast<float>(percent) : 0;
        }
        if (is_gpu_work(added.kind)) {
            // On a TPU the event is the operator. On a GPU a kernel without a compiled program is of a node of
            // TensorFlow.
            const std::string_view node = stats.framework_op.substr(0, stats.framework_op.rfind(':'));
            const std::string_view op = !stats.op.empty() ? stats.op : device_.is_gpu() ? node : name;
            if (!op.empty())
                added.op =
                    operator_index({names_.intern(stats.module), names_.intern(op), stats.program.value_or(kUnknown)},
                                   stats.flops.value_or(kUnknown));
        }
        if (is_step_line(line))
            if (const auto number = step_number(name))
                device_.steps.push_back({*number, *range, static_cast<EventIndex>(device_.events.size())});
        device_.events.push_back(added);
    }

    std::uint32_t operator_index(const XOperator& op, std::int64_t flops) {
        const auto [known, is_new] = operators_.try_emplace(op, static_cast<std::uint32_t>(device_.operators.size()));
        if (is_new) {
            device_.operators.push_back(op);
            device_.operator_flops.push_back(flops);
        }
        return known->second;
    }

    static std::optional<std::int64_t> step_number(std::string_view name) {
        const std::size_t digits = name.find_last_not_of("0123456789") + 1;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
        return digits < name.size() && error == std::errc{} ? std::optional(number) : std::nullopt;
    }

    /// Operators that run others inside (loops, conditionals) are no work of their own.
    void part_containers(std::size_t first) {
        const auto begin = device_.events.begin() + static_cast<std::ptrdiff_t>(first);
        std::ranges::stable_sort(begin, device_.events.end(), {},
                                 [](const XDeviceEvent& e) { return std::tuple(e.start, -e.duration); });
        std::vector<std::size_t> open;
        for (std::size_t i = first; i < device_.events.size(); ++i) {
            const XDeviceEvent& event = device_.events[i];
            while (!open.empty() && device_.events[open.back()].end() <= event.start)
                open.pop_back();
            if (!open.empty() && device_.events[open.back()].end() >= event.end() && event.duration > 0)
                device_.events[open.back()].kind = EventKind::gpu_annotation;
            open.push_back(i);
        }
    }

    const XPlane& plane_;
    StringTable& names_;
    XDevice& device_;
    std::map<XOperator, std::uint32_t> operators_;
    std::map<LaunchShape, std::uint32_t> shapes_;
    std::uint32_t line_ = 0;
    bool describes_ = false;
};

void describe(const XPlane& plane, XDevice& device) {
    std::string vendor, name, type;
    std::int64_t major = -1, minor = -1;
    for (const std::string_view bytes : plane.stats) {
        const XStat stat = plane.stat(bytes);
        switch (stat.name) {
        case XStatName::device_vendor: vendor = stat.text; break;
        case XStatName::gpu_device_name: name = stat.text; break;
        case XStatName::device_type: type = stat.text; break;
        case XStatName::compute_cap_major: major = stat.integer; break;
        case XStatName::compute_cap_minor: minor = stat.integer; break;
        case XStatName::core_count:
            device.description.multiprocessors = std::clamp<std::int64_t>(stat.integer, 0, 65536);
            break;
        case XStatName::memory_size:
            device.description.memory_bytes = std::max<std::int64_t>(0, plausible(stat.integer));
            break;
        default: break;
        }
    }
    device.description.id = device.ordinal;
    if (!name.empty())
        device.description.name = name;
    else if (!type.empty())
        device.description.name = type;
    else if (!vendor.empty() && major >= 0)
        device.description.name = fmt::format("{} {} (compute capability {}.{})", vendor, device.type, major, minor);
}

} // namespace

std::optional<std::pair<std::string, std::int32_t>> device_of_plane(std::string_view name) {
    constexpr std::string_view kPrefix = "/device:";
    if (!name.starts_with(kPrefix) || name.starts_with("/device:CUSTOM:"))
        return {};
    name.remove_prefix(kPrefix.size());
    const std::size_t colon = name.find(':');
    std::int32_t ordinal = 0;
    if (colon == std::string_view::npos)
        return {};
    const auto [end, error] = std::from_chars(name.data() + colon + 1, name.data() + name.size(), ordinal);
    if (error != std::errc{} || ordinal < 0 || ordinal > kMostRanks / 2)
        return {};
    return std::pair(std::string(name.substr(0, colon)), ordinal);
}

void read_device_plane(const XPlane& plane, XClock& clock, StringTable& names, std::uint64_t most_bytes,
                       XDevice& device) {
    describe(plane, device);
    const std::size_t blank = plane.name.find(' ');
    const std::string_view part = blank == std::string_view::npos ? std::string_view{} : plane.name.substr(blank + 1);
    DevicePlaneReader reader(plane, names, device);
    const std::uint64_t most_events = most_bytes == 0 ? kNoEvent - 1 : most_bytes / sizeof(XDeviceEvent);
    for (const XLine& line : plane.lines)
        reader.read(line, part, clock, most_events);
}

} // namespace rankscope
