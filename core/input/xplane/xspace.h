// SPDX-License-Identifier: GPL-3.0-or-later
// An XSpace: planes (devices, host, metadata) of lines (streams, threads) of events, as views of its bytes.
// Fields: openxla/xla, third_party/tsl/tsl/profiler/protobuf/xplane.proto. Names of statistics:
// xla/tsl/profiler/utils/xplane_schema.cc.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/input/xplane/wire.h"

namespace rankscope {

/// The statistics that mean something here, by their name in the file.
enum class XStatName : std::uint8_t {
    other,
    correlation_id,
    device_id,
    kernel_details,
    memcpy_details,
    memset_details,
    hlo_op,
    framework_op, ///< "tf_op": "model/dense/MatMul:MatMul", a node of TensorFlow and its type
    hlo_module,
    hlo_category,
    program_id,
    run_id,
    flops,
    step_num,
    occupancy_percent, ///< "theoretical_occupancy_pct"
    allocator,         ///< "allocator_name": "GPU_7_bfc"
    bytes_allocated,
    bytes_reserved,
    allocation_bytes,
    address,
    counter_value,
    producer_type, ///< "_pt"
    producer_id,   ///< "_p"
    consumer_type, ///< "_ct"
    consumer_id,   ///< "_c"
    hlo_proto,     ///< "Hlo Proto"
    profile_start_time,
    device_vendor,
    gpu_device_name,
    device_type, ///< "device_type_string": "TPU v4"
    compute_cap_major,
    compute_cap_minor,
    core_count,
    memory_size
};

struct XStat {
    XStatName name = XStatName::other;
    std::int64_t integer = 0;
    double number = 0;     ///< the integer where it is one
    std::string_view text; ///< of a text, bytes, or a reference to one
};

/// What events of one kind have in common.
struct XEventKind {
    std::string_view name;         ///< on TPU the whole text of the HLO instruction
    std::string_view display_name; ///< empty where it is the name
    std::vector<std::string_view> stats;
    [[nodiscard]] std::string_view shown() const { return display_name.empty() ? name : display_name; }
};

struct XLine {
    std::int64_t id = 0;
    std::string_view name;
    std::string_view display_name;
    std::int64_t timestamp_ns = 0;
    std::string_view bytes; ///< the line itself, which holds the events
    bool cut = false;
};

struct XEvent {
    std::int64_t kind = 0;                 ///< key of XPlane::events
    std::optional<std::int64_t> offset_ps; ///< nothing: the event is a sum of several without a time
    std::int64_t duration_ps = 0;
    std::string_view bytes; ///< the event itself, which holds its statistics
};

class XPlane {
public:
    std::int64_t id = 0;
    std::string_view name;
    std::vector<XLine> lines;
    NumberMap<std::int64_t, XEventKind> kinds;
    std::vector<std::string_view> stats;
    bool damaged = false; ///< some of its bytes are missing or no message

    explicit XPlane(std::string_view bytes);

    /// What one statistic says; its name is other where the plane does not know it.
    [[nodiscard]] XStat stat(std::string_view bytes) const;
    /// The kind of an event, an empty one where the plane does not describe it.
    [[nodiscard]] const XEventKind& kind_of(const XEvent& event) const;

    /// Calls visit(stat) for the statistics of an event: those of its kind first, then its own.
    template <typename Visit>
    void for_each_stat(const XEvent& event, Visit visit) const {
        for (const std::string_view of_kind : kind_of(event).stats)
            visit(stat(of_kind));
        for (WireReader fields(event.bytes); fields.next();)
            if (fields.is_bytes(4) && !fields.cut())
                visit(stat(fields.bytes()));
    }

private:
    struct StatKind {
        XStatName name = XStatName::other;
        std::string_view text;
    };
    NumberMap<std::int64_t, StatKind> stat_kinds_;
};

/// What became of the bytes of a line.
struct XLineEnd {
    std::uint64_t cut = 0; ///< events that are not whole
};

/// Calls visit(event) for the whole events of a line, in the order of the file; stops where it returns false.
template <typename Visit>
XLineEnd for_each_event(const XLine& line, Visit visit) {
    XLineEnd end;
    WireReader fields(line.bytes);
    while (fields.next()) {
        if (!fields.is_bytes(4))
            continue;
        if (fields.cut()) {
            ++end.cut;
            return end;
        }
        XEvent event;
        event.bytes = fields.bytes();
        event.offset_ps = 0; // proto3 leaves out what is 0
        WireReader of_event(event.bytes);
        while (of_event.next())
            if (of_event.is_number(1))
                event.kind = of_event.integer();
            else if (of_event.is_number(2))
                event.offset_ps = of_event.integer();
            else if (of_event.is_number(3))
                event.duration_ps = of_event.integer();
            else if (of_event.is_number(5))
                event.offset_ps.reset();
        if (of_event.damaged())
            ++end.cut;
        else if (!visit(event))
            return end;
    }
    end.cut += fields.damaged();
    return end;
}

struct XSpace {
    std::vector<XPlane> planes;
    std::vector<std::string_view> errors; ///< and warnings
    std::vector<std::string_view> hostnames;
    bool damaged = false;
};

/// The bytes must outlive it.
XSpace read_xspace(std::string_view bytes);

/// Whether a file that starts so is an XSpace: its first plane has a name that planes have.
bool begins_as_xspace(std::string_view beginning);

} // namespace rankscope
