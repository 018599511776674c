// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_command.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/batch.h"
#include "app/batch_input.h"
#include "app/process.h"
#include "app/table.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/compare/study.h"
#include "core/input/find/find_runs.h"
#include "core/input/find/run_folder.h"
#include "core/input/load/load_run.h"
#include "core/report/study_report.h"

namespace rankscope {
namespace {

tl::unexpected<Error> stopped() { return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"}); }

/// A folder that holds several runs stands for all of them.
std::vector<std::filesystem::path> runs_at(const std::filesystem::path& path, const std::stop_token& stop) {
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

Result<std::shared_ptr<const RunAnalysis>> read_run(const Options& options, const std::filesystem::path& path,
                                                    const std::stop_token& stop) {
    LoadOptions load;
    load.jobs = options.jobs;
    load.use_cache = options.use_cache;
    load.memory_bytes = options.memory_bytes;
    load.cancel = stop;
    load.mode = options.modes.empty() ? ProfileMode::automatic : options.modes.front();
    const auto run = load_run(path, load);
    if (!run)
        return tl::unexpected<Error>(run.error());
    Notices notices;
    const auto selection = select_part(options, **run, notices);
    if (!selection)
        return tl::unexpected<Error>(selection.error());
    return std::make_shared<const RunAnalysis>(*run, *selection, options.align);
}

/// Names that tell the runs apart: the last part of the path, or the path where two share it.
std::vector<std::string> labels_of(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::string> labels;
    for (const auto& path : paths) {
        const auto name = [](const std::filesystem::path& p) {
            return (p.has_filename() ? p : p.parent_path()).filename();
        };
        const auto same = std::ranges::count_if(paths, [&](const auto& other) { return name(other) == name(path); });
        labels.push_back(same == 1 ? name(path).string() : path.string());
    }
    return labels;
}

std::string cell(const StudyRun& run, std::string_view metric) {
    const StudyValue* const value = run.find(metric);
    if (value == nullptr)
        return {};
    return value->spread ? fmt::format("{:.4g} ±{:.2g}", value->value, *value->spread)
                         : fmt::format("{:.4g}", value->value);
}

std::string study_text(const Study& study, const Options& options) {
    std::vector<std::string> ids = options.metrics;
    if (ids.empty())
        ids = {"iter_time", "throughput_tokens", "mfu", "comm_comp_overlap", "straggler_lag"};
    std::erase_if(
        ids,
        [&](const std::string& id) {
            return std::ranges::none_of(
                study.runs, [&](const StudyRun& run) { return run.find(id) != nullptr; });
        });
    const bool scales = std::ranges::any_of(study.scaling, [](const auto& scaling) { return scaling.has_value(); });
    std::vector<std::string> header{study.key, "run", "ranks"};
    for (const std::string& id : ids)
        header.push_back(find_metric(id)->unit.empty() ? id : fmt::format("{} ({})", id, find_metric(id)->unit));
    if (scales)
        header.insert(header.end(), {"strong", "weak"});
    TextTable table(header);
    table.align_left(0);
    table.align_left(1);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyRun& run = study.runs[i];
        std::vector<std::string> row{study.texts[i], run.label, fmt::format("{}", run.world_size)};
        for (const std::string& id : ids)
            row.push_back(cell(run, id));
        if (scales)
            for (const double ScalingEfficiency::*part : {&ScalingEfficiency::strong, &ScalingEfficiency::weak})
                row.push_back(study.scaling[i] ? fmt::format("{:.3f}", (*study.scaling[i]).*part) : std::string());
        table.add_row(row);
    }
    std::string text = table.text();
    if (!study.changes.empty())
        text += "\nChanges of level:\n";
    for (const StudyChange& change : study.changes)
        text += "  " + terminal_safe(study_change_text(study, change)) + '\n';
    return text;
}

} // namespace

Result<std::vector<MetricReport>> read_history(const Options& options, const std::vector<std::string>& ids,
                                               const std::stop_token& stop) {
    std::vector<MetricReport> reports;
    for (const auto& path : runs_at(*options.history, stop)) {
        const auto analysis = read_run(options, path, stop);
        if (stop.stop_requested())
            return stopped();
        if (analysis)
            reports.push_back(compute_metrics(**analysis, ids, stop));
        else if (!options.quiet)
            tell("rankscope: left out of the history: {}\n", terminal_safe(analysis.error().message));
    }
    if (reports.empty())
        return input_error(fmt::format("--history {}: no run in it can be read", options.history->string()));
    return reports;
}

Result<int> print_study(const Options& options, Interrupt& interrupt) {
    const std::stop_token stop = interrupt.token();
    std::vector<std::filesystem::path> paths;
    for (const auto& path : options.paths)
        for (const auto& run : runs_at(path, stop))
            paths.push_back(run);
    const std::vector<std::string> labels = labels_of(paths);
    std::vector<StudyRun> runs;
    bool all_read = true;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const auto analysis = read_run(options, paths[i], stop);
        if (stop.stop_requested())
            return stopped();
        if (analysis) {
            runs.push_back(study_run(**analysis, labels[i], options.metrics, stop));
            continue;
        }
        all_read = false;
        tell("rankscope: left out: {}\n", terminal_safe(analysis.error().message));
    }
    if (runs.empty())
        return input_error("no run of the study can be read");
    const auto study = make_study(std::move(runs), options.study_by);
    if (!study)
        return tl::unexpected<Error>(study.error());
    const std::string json = study_json(*study);
    if (const auto printed = print_data(options.json ? json : study_text(*study, options)); !printed)
        return tl::unexpected<Error>(printed.error());
    if (options.output) {
        const auto lock = interrupt.writing();
        for (const auto& [name, text] : {std::pair{"study.csv", study_csv(*study)}, {"study.json", json}})
            if (const auto written = write_whole_file(*options.output / name, text); !written)
                return tl::unexpected<Error>(written.error());
    }
    return all_read ? 0 : exit_code(Error::Code::input);
}

} // namespace rankscope
