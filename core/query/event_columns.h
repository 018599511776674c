// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of the tables whose rows are events: event, kernel, operator.
#pragma once
#include <cstdint>

#include "core/query/event_scan.h"
#include "core/query/query_table.h"

namespace rankscope {

enum class EventColumn : std::uint8_t {
    run,
    rank,
    lane,
    start,
    duration,
    name,
    kind,
    event_class,
    depth,
    step,
    id,
    launch,
    parent,
    end,
    // of kernels
    compute_kind,
    device,
    stream,
    operator_id,
    launch_delay,
    blocks_per_sm,
    occupancy,
    // of operators
    dims,
    types,
    flops
};

struct EventTableColumns {
    QueryTable table;
    std::vector<EventColumn> columns; ///< as table.columns
    std::uint32_t kinds = kAllKinds;  ///< which events are rows
};
/// event, kernel, operator.
const std::vector<EventTableColumns>& event_tables();

} // namespace rankscope
