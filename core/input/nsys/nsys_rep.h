// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of Nsight Systems (*.nsys-rep): their format is not public, so nsys itself exports them.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "core/input/format/trace_format.h"

namespace rankscope {

/// nsys on PATH, else the newest under /opt/nvidia; empty when it is not installed.
std::filesystem::path find_nsys();

/// The .sqlite beside a report, when it is not older.
std::optional<std::filesystem::path> fresh_export_of(const std::filesystem::path& report);

/// Where the export of that file, of that size and age, is kept: in nsys of user_cache_folder(). Empty
/// without such a folder: then every opening exports.
std::filesystem::path cached_export_of(const std::filesystem::path& report);

/// Reads the fresh export beside it, else the cached one, else lets nsys make it. Error: what nsys said, or, without
/// nsys, the command to run elsewhere; cancelled.
Result<RankTraces> read_nsys_report_file(const std::filesystem::path& report, const std::shared_ptr<StringTable>& names,
                                         const ReadOptions& options);

} // namespace rankscope
