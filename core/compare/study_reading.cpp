// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/study_reading.h"

#include <algorithm>

#include "core/input/find/run_choices.h"
#include "core/remote/remote_run.h"

namespace rankscope {

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
    const auto run = open_run(path, load, how.remote);
    if (!run)
        return tl::unexpected<Error>(run.error());
    Selection selection;
    if (how.select) {
        auto selected = how.select(**run);
        if (!selected)
            return tl::unexpected<Error>(selected.error());
        selection = std::move(*selected);
    }
    return std::make_shared<const RunAnalysis>(*run, std::move(selection), how.align, how.rules);
}

std::vector<std::filesystem::path> runs_instead_of(const std::filesystem::path& path, const Error& error) {
    return is_remote(path) || !tells_of_several_runs(error.message) ? std::vector<std::filesystem::path>()
                                                                    : runs_to_choose_from(path);
}

} // namespace rankscope
