// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs lie under a folder, told by file names alone.
#include "core/input/find/find_runs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "core/input/bytes/file_start.h"
#include "core/input/find/run_folder.h"
#include "core/input/flight_recorder/dump.h"
#include "core/input/format/trace_format.h"

namespace rankscope {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxDepth = 8;
constexpr int kMaxEntries = 100'000;

fs::path run_folder(fs::path folder, const fs::path& root) {
    while (folder != root && sorts_one_run(folder.filename().string()))
        folder = folder.parent_path();
    return folder;
}

bool lies_inside(const fs::path& inner, const fs::path& outer) {
    const auto [end, unused] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return end == outer.end();
}

std::uint64_t size_of(const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    return error ? 0 : size;
}

struct NamedRun {
    FoundRun run;
    std::set<int> ranks; ///< as the names say; 0 where they do not
};

using RunsByFolder = std::map<fs::path, NamedRun>;

/// root: what the user opened. top: it, or a link in it.
void add_runs(const fs::path& top, const fs::path& root, const std::stop_token& cancel, RunsByFolder& runs) {
    std::error_code error;
    fs::recursive_directory_iterator entry(top, fs::directory_options::skip_permission_denied, error);
    for (int seen = 0; !error && entry != fs::end(entry) && seen < kMaxEntries; ++seen, entry.increment(error)) {
        if (cancel.stop_requested())
            break;
        if (entry.depth() >= kMaxDepth)
            entry.disable_recursion_pending();
        std::error_code unreadable;
        if (!entry->is_regular_file(unreadable) || unreadable || !looks_like_trace(entry->path()))
            continue;
        const fs::path folder = run_folder(entry->path().parent_path(), root);
        auto& [run, ranks] = runs[folder];
        run.path = folder;
        // A link is counted as a file of the run only when it is not a second name for one that is already there.
        if (entry->is_symlink(unreadable))
            continue;
        ++run.files;
        run.bytes += size_of(entry->path());
        ranks.insert(rank_in_path(entry->path()).value_or(0));
    }
}

RunsByFolder runs_by_folder(const fs::path& root, const std::stop_token& cancel) {
    RunsByFolder runs;
    add_runs(root, root, cancel, runs);
    for (const fs::path& link : linked_folders(root))
        add_runs(link, root, cancel, runs);
    return runs;
}

bool is_trace(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error) || !looks_like_trace(file))
        return false;
    const FileStart start(file);
    return std::ranges::any_of(trace_formats(), [&](const TraceFormat& format) {
        const auto peek = format.peek(start);
        return peek && peek->has_value();
    });
}

/// Folders whose ranks do not clash are one run recorded by several hosts, as find_run_files has it.
bool is_one_run(const std::vector<NamedRun>& runs) {
    std::set<int> seen;
    return std::ranges::all_of(runs, [&](const NamedRun& run) {
        return std::ranges::all_of(run.ranks, [&](int rank) { return seen.insert(rank).second; });
    });
}

FoundRun together(const fs::path& root, const std::vector<NamedRun>& parts) {
    FoundRun whole{root, 0, 0};
    for (const NamedRun& part : parts) {
        whole.files += part.run.files;
        whole.bytes += part.run.bytes;
    }
    return whole;
}

} // namespace

bool sorts_one_run(const std::string& folder_name) {
    std::string name = folder_name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    static constexpr std::array<std::string_view, 13> whole{
        "torch_profiler", "profiler",     "profile_trace",  "profile_traces",  "kineto",           "trace",    "traces",
        "nsys",           "nsys_profile", "capture_traces", "memory_snapshot", "memory_snapshots", "snapshots"};
    if (std::ranges::find(whole, name) != whole.end())
        return true;
    // A number, alone or behind a word: rank3, node-12, iteration_200.
    const std::size_t word = name.find_last_not_of("0123456789") + 1;
    if (word == name.size())
        return false;
    std::string_view before = std::string_view(name).substr(0, word);
    if (before.ends_with('-') || before.ends_with('_') || before.ends_with(' '))
        before.remove_suffix(1);
    // Configurations of one sweep are called dp2, tp4 and the like: these words are none.
    static constexpr std::array<std::string_view, 15> numbered{
        "",     "rank",    "worker", "node",     "host", "gpu",    "step",         "iteration",
        "iter", "replica", "engine", "instance", "pod",  "server", "replica_group"};
    return std::ranges::find(numbered, before) != numbered.end();
}

bool looks_like_trace(const fs::path& file) {
    std::string name = file.filename().string();
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return !name.starts_with('.') && std::ranges::any_of(trace_formats(), [&](const TraceFormat& format) {
        if (!format.named(name))
            return false;
        // Any name that ends in a number may be a dump's, and any pickle a snapshot: the file has to say it as well.
        const bool is_snapshot = format.source == TraceSource::memory_snapshot;
        const bool may_be_dump = format.source == TraceSource::flight_recorder && !is_usual_dump_name(name);
        if (!is_snapshot && !may_be_dump)
            return true;
        const auto peek = format.peek(file);
        return peek && peek->has_value();
    });
}

std::vector<fs::path> linked_folders(const fs::path& folder) {
    std::error_code error;
    const fs::path top = fs::canonical(folder, error);
    if (error)
        return {};
    std::map<fs::path, fs::path> links; // by where they lead
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::end(entry); entry.increment(error)) {
        std::error_code dangling;
        if (!entry->is_directory(dangling)) {
            files.push_back(entry->path());
            continue;
        }
        if (!entry->is_symlink(dangling))
            continue;
        const fs::path target = fs::canonical(entry->path(), dangling);
        if (dangling || lies_inside(target, top) || lies_inside(top, target))
            continue;
        const auto [known, is_new] = links.try_emplace(target, entry->path());
        if (!is_new)
            known->second = std::min(known->second, entry->path());
    }
    if (links.empty() || std::ranges::any_of(files, is_trace))
        return {};
    std::vector<fs::path> folders;
    const fs::path* outer = nullptr; // sorted, so that a folder follows the one it lies in
    for (const auto& [target, link] : links)
        if (outer == nullptr || !lies_inside(target, *outer)) {
            folders.push_back(link);
            outer = &target;
        }
    std::ranges::sort(folders);
    return folders;
}

std::vector<FoundRun> find_runs(const fs::path& path, std::stop_token cancel) {
    std::error_code error;
    if (fs::is_regular_file(path, error))
        return {{path, 1, size_of(path)}};
    if (!fs::is_directory(path, error))
        return {};
    std::vector<NamedRun> runs;
    for (auto& [folder, found] : runs_by_folder(path, cancel)) {
        // Folders come sorted, so a folder follows the run it lies in.
        if (!runs.empty() && lies_inside(folder, runs.back().run.path)) {
            runs.back().run.files += found.run.files;
            runs.back().run.bytes += found.run.bytes;
            runs.back().ranks.merge(found.ranks);
        } else {
            runs.push_back(std::move(found));
        }
    }
    if (runs.size() > 1 && is_one_run(runs))
        return {together(path, runs)};
    std::vector<FoundRun> result;
    for (const NamedRun& named : runs)
        result.push_back(named.run);
    return result;
}

} // namespace rankscope
