// SPDX-License-Identifier: GPL-3.0-or-later
// Reads memory snapshots of PyTorch, which are pickles of hundreds of MB. A dict becomes an entry of the snapshot as
// soon as it is filled, so that neither the text nor a tree of all values is ever in memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/input/bytes/file_start.h"
#include "core/input/format/trace_format.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// Whether the first few hundred bytes are those of a snapshot.
bool begins_as_snapshot(std::string_view text);
/// The same of a file; false where it cannot be opened.
bool is_memory_snapshot(const FileStart& file);
/// By its ending: ".pickle", ".pkl", also compressed. name: in lower case.
bool is_snapshot_name(std::string_view name);

/// text_bytes: how long the text was, decompressed. Error: no pickle of plain data, no snapshot, beyond the limits, or
/// cancelled.
Result<MemorySnapshot> read_memory_snapshot(const std::filesystem::path& path, StringTable& names,
                                            const ReadOptions& options, std::uint64_t* text_bytes = nullptr);

} // namespace rankscope
