// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that queries have beside SQLite's own: overlap of intervals, percentiles, times as text, expressions.
#pragma once
#include <vector>

#include "core/base/notice.h"
#include "core/query/query_table.h"

struct sqlite3;

namespace rankscope {

[[nodiscard]] Result<void> add_functions(sqlite3* database);
/// What add_functions() adds, for the help.
const std::vector<QueryFunction>& query_functions();

} // namespace rankscope
