// SPDX-License-Identifier: GPL-3.0-or-later
// A rank's model as a file of sections (section_file.h): packed in a digest, as in memory in the cache.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "core/input/bytes/section_file.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

enum class TraceFileKind : std::uint32_t {
    digest = 1, ///< packed; read into memory. The trace has RankTrace::digest.
    cache = 2   ///< as in memory. Names are written with the file and get the ids of the run's table when read.
};

/// key: what a reader must ask for to be given the file (the cache's name of the source); may be empty.
Result<void> write_trace_file(const std::filesystem::path& path, const RankTrace& trace, TraceFileKind kind,
                              const std::string& key = {});

struct TraceFile {
    std::shared_ptr<RankTrace> trace;
    std::string key;
};
/// access: mapped only where nobody else can reach the file.
/// Everything in the file is checked, so that what comes back is as sound as what a reader of traces builds. Error:
/// unreadable, damaged, of another kind.
Result<TraceFile> read_trace_file(const std::filesystem::path& path, TraceFileKind kind,
                                  const std::shared_ptr<StringTable>& names,
                                  SectionReader::Access access = SectionReader::Access::read);

/// What stands in front: rank and world size, read without the events.
struct TraceFilePeek {
    int rank = 0;
    int world_size = 0;
};
Result<TraceFilePeek> peek_trace_file(const std::filesystem::path& path, TraceFileKind kind);

} // namespace rankscope
