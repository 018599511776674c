// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the SQLite export of an Nsight Systems report.
#pragma once
#include <filesystem>
#include <memory>

#include "core/input/format/trace_format.h"

namespace rankscope {

/// Whether it is an SQLite file with a table of Nsight Systems. Error: cannot be opened, or starts as SQLite and is
/// damaged.
Result<bool> is_nsys_export(const std::filesystem::path& path);

/// One rank for each process and GPU, by GPU; RankTrace::rank is -1. shown_as: the file the user knows,
/// where this one is its export in the cache. Error: unreadable, no events, or cancelled.
Result<RankTraces> read_nsys_export(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names,
                                    const ReadOptions& options, const std::filesystem::path& shown_as = {});

} // namespace rankscope
