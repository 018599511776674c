// SPDX-License-Identifier: GPL-3.0-or-later
// Counts, sums, smallest and largest times over one table of events, added up in one walk over the model. SQLite would
// call the table for each row and each column of it, which takes ten times as long.
#pragma once
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/query/query_model.h"
#include "core/query/query_table.h"
#include "core/query/sql_module.h"

namespace rankscope {

/// The row of a statement that SQLite accepts and that has the form
///   SELECT count(*), sum(dur_ns), min(start_ns), max(end_ns) ... FROM event|kernel|operator
///   [WHERE column compared with an integer or a text AND ...]
/// Nothing: the statement has another form, a sum exceeds 64 bits, or it was stopped; SQLite knows what to do then.
std::optional<std::vector<QueryValue>> event_totals(const QueryModel& model, std::string_view statement,
                                                    ScanCount& count, const std::stop_token& stop);

} // namespace rankscope
