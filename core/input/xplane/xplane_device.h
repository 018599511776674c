// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a profiled device: kernels and copies of the streams of a GPU, operators of a TPU.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/input/xplane/xplane_times.h"
#include "core/trace/accounting.h"
#include "core/trace/launch_shape.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// An operator of a compiled program.
struct XOperator {
    NameId module = 0; ///< "jit_step"; id of "" where not recorded
    NameId name = 0;   ///< "all-reduce-start.1"
    std::int64_t program = kUnknown;
    friend auto operator<=>(const XOperator&, const XOperator&) = default;
};

inline constexpr std::uint32_t kNoOperator = ~std::uint32_t{0};

struct XDeviceEvent {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::int64_t correlation = kUnknown;
    std::int64_t bytes = kUnknown;  ///< of a copy or set
    std::uint32_t op = kNoOperator; ///< index in XDevice::operators
    std::uint32_t shape = 0;        ///< index in XDevice::shapes
    float occupancy_percent = 0;    ///< 0: not recorded
    NameId name = 0;
    std::uint32_t line = 0; ///< index in XDevice::lines
    EventKind kind = EventKind::kernel;
    [[nodiscard]] TimeNs end() const { return start + duration; }
};

struct XDeviceLine {
    std::string thread; ///< "Stream #7(Compute)", "XLA Ops"
    std::int64_t stream = kUnknown;
};

struct XDevice {
    std::string type;         ///< "GPU", "TPU"
    std::int32_t ordinal = 0; ///< of "/device:GPU:7"
    Device description;
    std::vector<XDeviceLine> lines;
    std::vector<XDeviceEvent> events;
    std::vector<XOperator> operators;
    std::vector<std::int64_t> operator_flops; ///< as recorded, of each of operators
    std::vector<LaunchShape> shapes{LaunchShape{}};
    std::vector<ProfilerStep> steps; ///< of a line "Steps"; event: index in events
    std::vector<CounterSample> counters;
    bool has_program_lines = false; ///< "XLA Modules", "XLA Ops" are in the file
    Accounting accounting;

    [[nodiscard]] bool is_gpu() const { return type == "GPU"; }
};

/// "/device:TPU:0 SparseCore 1" -> "TPU", 0; nothing for a plane of something else.
std::optional<std::pair<std::string, std::int32_t>> device_of_plane(std::string_view name);

/// Adds the lines of a plane to its device: a TPU has a plane for each kind of core. It stops beyond most_bytes, 0: no
/// limit.
void read_device_plane(const XPlane& plane, XClock& clock, StringTable& names, std::uint64_t most_bytes,
                       XDevice& device);

} // namespace rankscope
