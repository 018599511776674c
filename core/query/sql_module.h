// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a model as virtual tables of a SQLite connection: read-only, nothing copied.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

#include "core/query/query_model.h"

struct sqlite3;

namespace rankscope {

/// Events that all scans of a connection looked at, met or not: tells a search from a walk over everything.
struct ScanCount {
    std::uint64_t visited = 0;
};

/// Error: not enough memory. count may be null, else it outlives the connection.
[[nodiscard]] Result<void> add_tables(sqlite3* database, std::shared_ptr<const QueryModel> model, ScanCount* count);

} // namespace rankscope
