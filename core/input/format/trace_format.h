// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of files that can be opened. A new format is a file that defines one TraceFormat, and a line in
// trace_format.cpp.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/input/bytes/file_start.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

class RankBuilder;
class TraceCache; // core/input/load/trace_cache.h

struct ReadOptions {
    std::stop_token cancel;
    std::function<void(std::uint64_t bytes)> on_bytes; ///< bytes of the file on disk used since the last call
    /// Adds to a rank what lies beside its trace, when all events are read and before they are linked.
    std::function<void(RankBuilder&)> complete;
    std::uint64_t memory_bytes = 0; ///< what reading one file may take; 0: no limit
    /// Of the capture of a graph: receives the ordinals of launch calls, ascending, with the kernels that they name,
    /// and the inputs of all operators are kept. nullptr: of any other trace.
    std::vector<std::pair<std::uint32_t, NameId>>* launched_kernels = nullptr;
    const TraceCache* cache = nullptr; ///< where copies are looked for and left; nullptr: nowhere
};

/// What the start of a file tells.
struct FilePeek {
    std::optional<int> rank;
    std::optional<int> world_size;
    std::vector<std::string> processes; ///< ids of those in the file, as far as its start tells
    std::optional<std::int64_t> start;  ///< of its first events, ns; times of one clock only
    std::string merged_by;              ///< the tool that made one file of those of several ranks; empty: none
    /// The name says nothing of ranks: such files are taken in the order of their names, and tell when they are read.
    bool by_order = false;
};

/// The ranks of one file, mostly one; RankTrace::rank is -1 where the file does not say.
using RankTraces = std::vector<std::shared_ptr<const RankTrace>>;

struct TraceFormat {
    TraceSource source;
    std::string_view title; ///< "Kineto traces", as in a sentence about several of them
    /// Whether a file of a folder is worth a look, by its name in lower case. A file that the user names is always
    /// looked at.
    bool (*named)(std::string_view name);
    /// Nothing: it is of another format. Error: cannot be opened.
    Result<std::optional<FilePeek>> (*peek)(const FileStart& file);
    /// Error: unreadable, nothing in it, or cancelled. Runs in the caller's TBB arena.
    Result<RankTraces> (*read)(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names,
                               const ReadOptions& options);
};

/// Those to prefer first: where a folder holds several, the first that is there is opened.
std::span<const TraceFormat> trace_formats();

} // namespace rankscope
