// SPDX-License-Identifier: GPL-3.0-or-later
// Which files under a path are the traces of a run, and of which rank each of them is.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/input/find/rank_in_name.h"
#include "core/input/format/trace_format.h"

namespace rankscope {

/// Which captures of a folder are opened where it holds several kinds: the first kind of trace_formats() that is there;
/// only those of the PyTorch profiler (its traces, else execution traces); only those of Nsight Systems (its reports,
/// else what `nsys stats` printed); or exactly one of the kinds that come second there.
enum class ProfileMode {
    automatic,
    torch,
    nsys,
    nsys_stats,
    execution_trace,
    flight_recorder,
    xplane,
    rocpd,
    inspector,
    operations,
    memory_snapshot
};
/// The mode that opens captures of this kind wherever a folder has them.
ProfileMode mode_for(TraceSource source);

/// One of several jobs that each count their ranks from 0, and are shown as one run.
struct JobRanks {
    int number = 0; ///< from 1 on; 0: there is only one
    int first_rank = 0;
    int all_ranks = 0; ///< of all jobs
    friend bool operator==(const JobRanks&, const JobRanks&) = default;
};

struct RankFile {
    std::filesystem::path path;
    int rank = 0; ///< of a file with several ranks: its place among such files
    const TraceFormat* format = nullptr;
    int world_size = 0; ///< 0 when the file does not say
    std::uint64_t bytes = 0;
    std::filesystem::path execution_trace; ///< of the same rank, beside a Kineto trace; empty without
    /// Captures of the graphs that it replays, beside a Kineto trace: its rank's, else those of the lowest rank.
    std::vector<std::filesystem::path> graph_captures;
    int age = 0; ///< 0 for the newest file of the run, by its folder (iteration_200), then by when it was written

    FilePeek told;             ///< what it says itself
    std::int64_t capture = -1; ///< the number of its folder (iteration_200)
    /// Once it is read: the time of its events, the first device that it has work on, and the numbers of its first and
    /// last marked step.
    std::optional<TimeRange> span;
    std::int64_t device = -1;
    std::optional<std::pair<std::int64_t, std::int64_t>> steps;
    bool is_given = false; ///< rank counts more than what the file says
    JobRanks job;          ///< where several jobs lie side by side
};

struct RunFiles {
    std::vector<RankFile> ranks; ///< ascending by rank, one file each: the newest
    std::vector<RankFile> older; ///< other recordings of the same ranks, newest first
    /// Every kind of capture that is there, whatever the mode; the one that is preferred first. Execution traces beside
    /// Kineto traces are a part of those.
    std::vector<TraceSource> sources;
    std::vector<std::filesystem::path> inspector_logs; ///< beside traces of another kind
    Notices notices;
};

/// The notice says that a profile was opened and dumps of the Flight Recorder lie beside it.
bool tells_of_dumps(const Notice& notice);

/// What find_run_files and load_run say of a folder with several runs: names are those of the runs.
Error several_runs(const std::filesystem::path& path, const std::vector<std::string>& names);

/// The folder of the run a trace belongs to: its path without the parts that only sort ranks and captures
/// ("torch_profiler", "profile_traces", "iteration_5", "rank3" ...).
std::filesystem::path run_folder_of(const std::filesystem::path& trace);

/// One file, or all traces under a folder. The same file reached twice counts once; of two captures of one rank the
/// newer is taken and the other named in a notice. Error: nothing there, no trace among the files, or several runs.
/// A file is opened whatever the mode.
Result<RunFiles> find_run_files(const std::filesystem::path& path, ProfileMode mode = ProfileMode::automatic);

} // namespace rankscope
