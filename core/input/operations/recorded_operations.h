// SPDX-License-Identifier: GPL-3.0-or-later
// Operation timelines as they are written: operations of a training job with the place of who ran them, as Chrome JSON
// or as a table with one row an operation.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/input/format/trace_format.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {

/// Which lane of which rank. lane: "compute", "pp-comm" ...
struct OperationTrack {
    int dp = 0;
    int stage = 0;
    int tp = 0;
    std::string lane;
    friend auto operator<=>(const OperationTrack&, const OperationTrack&) = default;
};

struct RecordedOperation {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::uint32_t type = 0;  ///< index in RecordedOperations::types
    std::uint32_t track = 0; ///< index in RecordedOperations::tracks
    Operation operation;
};

struct RecordedOperations {
    std::vector<std::string> types;
    std::vector<OperationTrack> tracks;
    std::vector<RecordedOperation> operations; ///< in file order
    Notices notices;
    Accounting accounting; ///< on_timeline: of what is in operations
    std::uint64_t file_bytes = 0;
    std::uint64_t text_bytes = 0;
};

/// Whether the first line has the columns that a table of operations needs. Error: cannot be opened.
Result<bool> is_operation_table(const FileStart& file);

/// Chrome JSON: pid is the data-parallel rank, a thread's name says "PP rank p, TP rank t, compute", cat is the type,
/// args hold step, model_chunk, mb_id and seq_id. CSV: columns dp_rank, stage, step, optype, start_ts and duration in
/// seconds, and as far as known tp_rank, seq_id, mc, mb_id. Error: unreadable, no operations in it, cancelled, or
/// beyond the memory there is.
Result<RecordedOperations> read_operations(const std::filesystem::path& path, const ReadOptions& options);

} // namespace rankscope
