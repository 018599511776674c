// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs lie under a folder, told by file names alone: what the list of runs shows before anything is read.
#pragma once
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace rankscope {

/// A folder (or a single file) that load_run can open, with the trace files seen in it.
struct FoundRun {
    std::filesystem::path path;
    int files = 0;
    std::uint64_t bytes = 0; ///< as on disk
};

/// True for folders that only sort the files of one run and have no name of their own: rank3, torch_profiler,
/// iteration_5 ...
bool sorts_one_run(const std::string& folder_name);

/// True for names that readers may understand: .json, .json.gz, .json.zst, .sqlite, .nsys-rep ...
bool looks_like_trace(const std::filesystem::path& file);

/// Links to folders directly in a folder that has no trace of its own: people collect runs by them. Only those that
/// lead out of the folder, and not above it: so there is no cycle, and no run is there twice. By path.
std::vector<std::filesystem::path> linked_folders(const std::filesystem::path& folder);

/// Runs under path, by path. Folders that only sort the files of one run (rank3, torch_profiler, iteration_5 ...)
/// belong to the folder above them, and a folder inside a run belongs to that run. A file is a run of its own. Empty:
/// nothing there. Several folders whose ranks do not clash are one run, recorded by several hosts. Looks at most 8
/// levels and 100 000 entries deep, and follows no link to a folder but linked_folders().
std::vector<FoundRun> find_runs(const std::filesystem::path& path, std::stop_token cancel = {});

} // namespace rankscope
