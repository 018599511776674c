// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of the tables whose rows are events: event, kernel, operator.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

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
    lane_name,
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

/// The range of the filter that a column is compared with; nullptr: it has none.
IntegerRange* range_of(EventFilter& filter, EventColumn column);
/// Keeps events whose name, kind or class is the text; false: the column is none of these.
bool keep_text(EventFilter& filter, EventColumn column, const std::string& text);

} // namespace rankscope
