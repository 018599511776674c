// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a run: a folder of trace files, or one file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "core/input/find/run_folder.h"
#include "core/trace/captured_graph.h"
#include "core/trace/run.h"

namespace rankscope {

/// Bytes as on disk (compressed), of the files that belong to the run.
struct LoadProgress {
    int ranks_done = 0;
    int ranks_total = 0;
    std::uint64_t bytes_done = 0;
    std::uint64_t bytes_total = 0;
};

/// Callbacks come from worker threads, one at a time, at most some tens a second (on_progress) or once a rank
/// (on_rank).
struct LoadOptions {
    int jobs = 0; ///< worker threads; 0: all cores
    ProfileMode mode = ProfileMode::automatic;
    std::function<void(const std::vector<TraceSource>&)>
        on_sources; ///< RunFiles::sources, once, in the caller's thread
    std::function<void(const LoadProgress&)> on_progress;
    std::function<void(std::shared_ptr<const RankTrace>)> on_rank; ///< as soon as a rank is read; any order
    bool use_cache =
        false; ///< opens what was read before from a copy, and leaves one behind (core/input/load/trace_cache.h)
    std::uint64_t memory_bytes = 0; ///< what reading may take; 0: 70 % of the machine's memory
    std::uint64_t model_bytes = 0;  ///< what ranks that were read may take together; the others stay on disk; 0: all
    std::shared_ptr<StringTable> names; ///< takes the run's names beside those that it has; nullptr: a new one
    std::stop_token cancel;             ///< stops within 100 ms with Error::Code::cancelled
};

/// Reads every rank under path in parallel. Error: nothing there, nothing readable, no events at all, or cancelled.
/// Everything less is a notice of the run.
Result<std::shared_ptr<const Run>> load_run(const std::filesystem::path& path, const LoadOptions& options = {});

/// Captures of graphs, read once for all ranks that replay them.
class GraphCaptures {
public:
    /// The graphs of those files, and what could not be read. Where every file is unreadable, none.
    CapturedGraphs of(const std::vector<std::filesystem::path>& files, const ReadOptions& options, Notices& notices);

private:
    std::mutex mutex_;
    std::map<std::vector<std::filesystem::path>, CapturedGraphs> known_;
};

/// The ranks of one file of a run, mostly one, as load_run() reads them. captures: nullptr for a file by itself. Error:
/// unreadable, or cancelled.
Result<RankTraces> read_run_file(const RankFile& file, const std::shared_ptr<StringTable>& names,
                                 const ReadOptions& options, GraphCaptures* captures = nullptr);

/// The whole trace of a rank that was read from a digest, with the ids of names and the rank's number of the digest.
/// Error: it is not where it was, has changed, or cannot be read.
Result<std::shared_ptr<const RankTrace>>
read_full_trace(const RankTrace& digest, const std::shared_ptr<StringTable>& names, const ReadOptions& options = {});

/// Makes the notice about digests say how many ranks are digests now.
void note_digests(Run& run);

/// The whole JSON text of one event, read back from its file; pretty-printing is up to the caller.
Result<std::string> read_event_text(const RankTrace& trace, EventIndex event);

} // namespace rankscope
