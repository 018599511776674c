// SPDX-License-Identifier: GPL-3.0-or-later
// Digests of the traces of a run, one file of it at a time.
#pragma once
#include <memory>
#include <vector>

#include "core/input/find/run_folder.h"
#include "core/input/format/trace_format.h"
#include "core/trace/run.h"

namespace rankscope {

/// Whether a digest can be made of files of that kind. The others are small as they are.
bool has_digests(TraceSource source);

struct MadeDigest {
    std::shared_ptr<const RankTrace> digest; ///< for write_trace_file()
    std::uint64_t text_bytes = 0;            ///< of the trace, decompressed
};

/// Reads the file, and makes a digest of each of its ranks, with its number in the run. beside: the configuration that
/// the digests are to hold. Of a rank of which none can be made there is an error in its place. Error: unreadable, or
/// cancelled.
Result<std::vector<Result<MadeDigest>>> make_digests(const RankFile& file, const Run& beside,
                                                     const ReadOptions& options);

} // namespace rankscope
