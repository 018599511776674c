// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/study_reading.h"

#include <algorithm>

#include "core/input/find/find_runs.h"
#include "core/input/find/run_folder.h"

namespace rankscope {

std::vector<std::filesystem::path> study_paths(const std::filesystem::path& path, const std::stop_token& stop) {
    std::vector<std::filesystem::path> paths;
    for (const FoundRun& run : find_runs(path, stop))
        paths.push_back(run.path);
    std::error_code error;
    if (paths.size() > 1)
        return paths;
    if (!std::filesystem::is_directory(path, error) || find_run_files(path))
        return {path};
    // Names alone took it for one run, and its files are not: the folders in it, each by itself.
    paths.clear();
    std::vector<std::filesystem::path> folders;
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
        if (entry->is_directory(error))
            folders.push_back(entry->path());
    std::ranges::sort(folders);
    for (const auto& folder : folders)
        for (const FoundRun& run : find_runs(folder, stop))
            paths.push_back(run.path);
    return paths.empty() ? std::vector{path} : paths;
}

std::vector<std::string> study_labels(std::span<const std::filesystem::path> paths) {
    std::vector<std::string> labels;
    const auto name = [](const std::filesystem::path& path) {
        return (path.has_filename() ? path : path.parent_path()).filename();
    };
    for (const auto& path : paths) {
        const auto same = std::ranges::count_if(paths, [&](const auto& other) { return name(other) == name(path); });
        labels.push_back(same == 1 ? name(path).string() : path.string());
    }
    return labels;
}

Result<std::shared_ptr<const RunAnalysis>> read_for_study(const StudyReading& how, const std::filesystem::path& path,
                                                          const std::stop_token& stop) {
    LoadOptions load = how.load;
    load.cancel = stop;
    const auto run = load_run(path, load);
    if (!run)
        return tl::unexpected<Error>(run.error());
    Selection selection;
    if (how.select) {
        auto selected = how.select(**run);
        if (!selected)
            return tl::unexpected<Error>(selected.error());
        selection = std::move(*selected);
    }
    return std::make_shared<const RunAnalysis>(*run, std::move(selection), how.align);
}

} // namespace rankscope
