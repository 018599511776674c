// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one Kineto file (PyTorch profiler, CUDA or ROCm) into a RankTrace.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/input/format/trace_format.h"

namespace rankscope {

/// What the start of a file tells.
struct KinetoPeek {
    /// trace_viewer: of XLA (core/input/xplane/trace_viewer_json.h).
    enum class Kind { kineto, operations, execution_trace, trace_viewer, json_without_events, other };
    Kind kind = Kind::other;
    std::optional<int> rank;       ///< distributedInfo.rank
    std::optional<int> world_size; ///< distributedInfo.world_size
    std::string process;           ///< pid of the first events of the host
    std::optional<TimeNs> start;   ///< of the first events
    std::string merged_by;         ///< the tool that made one file of those of several ranks; empty: none
    bool is_of_xla = false;        ///< its processes are devices and hosts of XLA
    /// Profilers whose Chrome traces are not read: their events do not tell what is GPU work, or what launched it.
    enum class Unread { none, torch_npu, autograd_profiler, rocprof };
    Unread unread = Unread::none;
};

/// A name ends in .json, or in this and what compression adds.
bool is_json_name(std::string_view name);

/// Reads what stands before the events, and the first of them. Error: cannot be opened.
Result<KinetoPeek> peek_kineto(const FileStart& file);

/// rank of the result: distributedInfo.rank, or -1 when the file does not say. Error: unreadable, not a Kineto trace,
/// or cancelled. Runs in the caller's TBB arena; the result does not depend on its size.
Result<std::shared_ptr<const RankTrace>>
read_kineto(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names, const ReadOptions& options);

} // namespace rankscope
