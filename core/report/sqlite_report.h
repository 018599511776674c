// SPDX-License-Identifier: GPL-3.0-or-later
// All tables of SQL over runs as one SQLite file.
#pragma once
#include <filesystem>
#include <memory>
#include <stop_token>

#include "core/query/query_model.h"

namespace rankscope {

/// The tables of query_tables() with their columns and types, empty ones too; whole or not at all. Events are in event;
/// kernel and operator have those of them again that they are about, with their own columns. Error: output, cancelled.
Result<void> write_sqlite_file(const std::shared_ptr<const QueryModel>& model, const std::filesystem::path& path,
                               const std::stop_token& stop = {});

} // namespace rankscope
