// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/xplane/xspace.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope {
namespace {

XStatName known_stat(std::string_view name) {
    using enum XStatName;
    static constexpr auto kNames = std::to_array<std::pair<std::string_view, XStatName>>({
        {"correlation_id", correlation_id},
        {"device_id", device_id},
        {"kernel_details", kernel_details},
        {"memcpy_details", memcpy_details},
        {"Memset_details", memset_details},
        {"memset_details", memset_details},
        {"hlo_op", hlo_op},
        {"tf_op", framework_op},
        {"hlo_module", hlo_module},
        {"hlo_category", hlo_category},
        {"program_id", program_id},
        {"run_id", run_id},
        {"flops", flops},
        {"step_num", step_num},
        {"theoretical_occupancy_pct", occupancy_percent},
        {"allocator_name", allocator},
        {"bytes_allocated", bytes_allocated},
        {"bytes_reserved", bytes_reserved},
        {"allocation_bytes", allocation_bytes},
        {"addr", address},
        {"counter_value", counter_value},
        {"_pt", producer_type},
        {"_p", producer_id},
        {"_ct", consumer_type},
        {"_c", consumer_id},
        {"Hlo Proto", hlo_proto},
        {"profile_start_time", profile_start_time},
        {"device_vendor", device_vendor},
        {"gpu_device_name", gpu_device_name},
        {"device_type_string", device_type},
        {"compute_cap_major", compute_cap_major},
        {"compute_cap_minor", compute_cap_minor},
        {"core_count", core_count},
        {"memory_size", memory_size},
    });
    const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, XStatName>::first);
    return found == kNames.end() ? other : found->second;
}

/// Key and value of an entry of a map.
std::pair<std::int64_t, std::string_view> map_entry(std::string_view bytes) {
    std::pair<std::int64_t, std::string_view> entry{0, {}};
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_number(1))
            entry.first = fields.integer();
        else if (fields.is_bytes(2) && !fields.cut())
            entry.second = fields.bytes();
    return entry;
}

XEventKind event_kind(std::string_view bytes) {
    XEventKind kind;
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_bytes(2) && !fields.cut())
            kind.name = fields.bytes();
        else if (fields.is_bytes(4) && !fields.cut())
            kind.display_name = fields.bytes();
        else if (fields.is_bytes(5) && !fields.cut())
            kind.stats.push_back(fields.bytes());
    return kind;
}

std::string_view name_in(std::string_view bytes) {
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_bytes(2) && !fields.cut())
            return fields.bytes();
    return {};
}

XLine line_of(std::string_view bytes, bool cut) {
    XLine line;
    line.bytes = bytes;
    line.cut = cut;
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_number(1))
            line.id = fields.integer();
        else if (fields.is_bytes(2) && !fields.cut())
            line.name = fields.bytes();
        else if (fields.is_number(3))
            line.timestamp_ns = fields.integer();
        else if (fields.is_bytes(11) && !fields.cut())
            line.display_name = fields.bytes();
    return line;
}

bool is_plane_name(std::string_view name) {
    return name.starts_with("/host:") || name.starts_with("/device:") || name.starts_with("/virtualdevice:") ||
           name.starts_with("#Chip") || name == "Task Environment" || name == "Host CPUs" || name == "Syscalls";
}

} // namespace

XPlane::XPlane(std::string_view bytes) {
    WireReader fields(bytes);
    while (fields.next())
        if (fields.is_number(1))
            id = fields.integer();
        else if (fields.is_bytes(3))
            lines.push_back(line_of(fields.bytes(), fields.cut()));
        else if (fields.cut())
            continue;
        else if (fields.is_bytes(2))
            name = fields.bytes();
        else if (fields.is_bytes(4)) {
            const auto [key, value] = map_entry(fields.bytes());
            kinds[key] = event_kind(value);
        } else if (fields.is_bytes(5)) {
            const auto [key, value] = map_entry(fields.bytes());
            const std::string_view text = name_in(value);
            stat_kinds_[key] = {known_stat(text), text};
        } else if (fields.is_bytes(6))
            stats.push_back(fields.bytes());
    damaged = fields.damaged();
}

XStat XPlane::stat(std::string_view bytes) const {
    XStat result;
    for (WireReader fields(bytes); fields.next();) {
        if (fields.is_number(1)) {
            const auto known = stat_kinds_.find(fields.integer());
            result.name = known == stat_kinds_.end() ? XStatName::other : known->second.name;
        } else if (fields.is_number(2)) {
            result.number = fields.real();
        } else if (fields.is_number(3) || fields.is_number(4)) {
            result.integer = fields.integer();
            result.number = static_cast<double>(result.integer);
        } else if ((fields.is_bytes(5) || fields.is_bytes(6)) && !fields.cut()) {
            result.text = fields.bytes();
        } else if (fields.is_number(7)) {
            const auto known = stat_kinds_.find(fields.integer());
            result.text = known == stat_kinds_.end() ? std::string_view{} : known->second.text;
        }
    }
    return result;
}

const XEventKind& XPlane::kind_of(const XEvent& event) const {
    static const XEventKind kUndescribed;
    const auto known = kinds.find(event.kind);
    return known == kinds.end() ? kUndescribed : known->second;
}

XSpace read_xspace(std::string_view bytes) {
    XSpace space;
    WireReader fields(bytes);
    while (fields.next())
        if (fields.is_bytes(1))
            space.planes.emplace_back(fields.bytes());
        else if ((fields.is_bytes(2) || fields.is_bytes(3)) && !fields.cut())
            space.errors.push_back(fields.bytes());
        else if (fields.is_bytes(4) && !fields.cut())
            space.hostnames.push_back(fields.bytes());
    space.damaged = fields.damaged() || std::ranges::any_of(space.planes, &XPlane::damaged);
    return space;
}

bool begins_as_xspace(std::string_view beginning) {
    WireReader fields(beginning);
    while (fields.next()) {
        if (fields.field() > 4)
            return false;
        if (!fields.is_bytes(1))
            continue;
        for (WireReader plane(fields.bytes()); plane.next();) {
            if (plane.is_bytes(2))
                return !plane.cut() && is_plane_name(plane.bytes());
            if (plane.field() > 6)
                return false;
        }
        return false;
    }
    return false;
}

} // namespace rankscope
