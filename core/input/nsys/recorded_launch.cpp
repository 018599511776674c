// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/recorded_launch.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace rankscope {

std::string recorded_launch_json(const RankTrace& trace, EventIndex event) {
    nlohmann::ordered_json args = nlohmann::ordered_json::object();
    if (event < trace.gpu.launch_shape.size()) {
        const LaunchShape& shape = trace.launch_shapes[trace.gpu.launch_shape[event]];
        if (trace.gpu.correlation[event] >= 0)
            args["correlation"] = trace.gpu.correlation[event];
        if (trace.events.kind[event] == EventKind::kernel && shape.grid[0] > 0) {
            args["grid"] = shape.grid;
            args["block"] = shape.block;
            args["registers per thread"] = shape.registers;
            args["static shared memory"] = shape.static_shared;
            args["dynamic shared memory"] = shape.dynamic_shared;
        }
        if (shape.context >= 0)
            args["context"] = shape.context;
    }
    const auto transfer = std::ranges::lower_bound(trace.memory_transfers, event, {}, &MemoryTransfer::event);
    if (transfer != trace.memory_transfers.end() && transfer->event == event && transfer->bytes >= 0)
        args["bytes"] = transfer->bytes;
    const nlohmann::ordered_json json{{"name", trace.event_name(event)}, {"args", std::move(args)}};
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace rankscope
