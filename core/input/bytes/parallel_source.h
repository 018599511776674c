// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed files of many independent parts (gzip members as of bgzip or of files put one behind the other, zstd
// frames as of pzstd), decompressed on several threads.
#pragma once
#include <filesystem>
#include <memory>

#include "core/input/bytes/byte_source.h"

namespace rankscope {

/// The same bytes, end and damage as open_byte_source() gives, whatever the number of threads. points: filled on the
/// way; may be empty. Error: as of open_byte_source().
Result<std::unique_ptr<ByteSource>> open_parallel_source(const std::filesystem::path& path, int threads,
                                                         std::shared_ptr<const InflatePoints> points = {});

} // namespace rankscope
