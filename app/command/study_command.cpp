// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/study_command.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/command/batch.h"
#include "app/command/batch_input.h"
#include "app/command/process.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/compare/study_reading.h"
#include "core/remote/remote_run.h"
#include "core/report/study_page.h"
#include "core/report/study_report.h"
#include "core/report/text_table.h"
#include "core/report/xlsx.h"

namespace rankscope {
namespace {

tl::unexpected<Error> stopped() { return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text}); }

/// How the options have the runs read and measured.
StudyReading reading_of(const Options& options) {
    StudyReading how;
    how.load.jobs = options.jobs;
    how.load.use_cache = options.use_cache;
    how.load.memory_bytes = options.memory_bytes;
    how.load.model_bytes = options.memory_bytes / 2; // the analysis needs some as well
    how.remote = remote_wishes(options);
    how.load.mode = options.modes.empty() ? ProfileMode::automatic : options.modes.front();
    how.align = options.align;
    how.rules = options.rules;
    how.select = [&options](const Run& run) {
        Notices notices; // of a part that is not there: the run is left out then
        return select_part(options, run, notices);
    };
    return how;
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
        ids = {"step_time", "iter_time", "throughput_tokens", "mfu", "comm_comp_overlap", "straggler_lag"};
    if (!study.ranked_by.empty() && std::ranges::find(ids, study.ranked_by) == ids.end())
        ids.insert(ids.begin(), study.ranked_by);
    std::erase_if(ids, [&](const std::string& id) {
        return std::ranges::none_of(study.runs, [&](const StudyRun& run) { return run.find(id) != nullptr; });
    });
    std::vector<std::vector<bool>> best; // by column
    for (const std::string& id : ids)
        best.push_back(best_runs(study, *find_metric(id, options.rules.metrics)));
    const bool ranked = !study.ranked_by.empty();
    const bool scales = std::ranges::any_of(study.scaling, [](const auto& scaling) { return scaling.has_value(); });
    std::vector<std::string> header{terminal_safe(study.key), "run", "ranks"};
    if (ranked)
        header.emplace_back("against the best");
    for (const std::string& id : ids) {
        const std::string& unit = find_metric(id, options.rules.metrics)->unit;
        header.push_back(unit.empty() ? id : fmt::format("{} ({})", id, unit));
    }
    if (scales)
        header.insert(header.end(), {"strong", "weak"});
    TextTable table(header);
    table.align_left(0);
    table.align_left(1);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyRun& run = study.runs[i];
        std::vector<std::string> row{terminal_safe(study.texts[i]), terminal_safe(run.label), run.ranks_text()};
        if (ranked)
            row.push_back(study.against_best[i] ? fmt::format("{:+.1f} %", *study.against_best[i]) : std::string());
        for (std::size_t c = 0; c < ids.size(); ++c)
            row.push_back((best[c][i] ? "* " : "") + cell(run, ids[c]));
        if (scales)
            for (const double StudyEfficiency::*part : {&StudyEfficiency::strong, &StudyEfficiency::weak})
                row.push_back(study.scaling[i] ? fmt::format("{:.3f}", (*study.scaling[i]).*part) : std::string());
        table.add_row(row);
    }
    std::string text = table.text();
    if (std::ranges::any_of(best, [](const auto& column) { return std::ranges::find(column, true) != column.end(); }))
        text += "* the best of the column\n";
    if (!study.note.empty())
        text += '\n' + terminal_safe(study.note) + '\n';
    if (!study.changes.empty())
        text += "\nChanges of level:\n";
    for (const StudyChange& change : study.changes)
        text += "  " + terminal_safe(study_change_text(study, change)) + '\n';
    return text;
}

Result<void> write_study(const Options& options, const Study& study, const std::string& json, Interrupt& interrupt) {
    if (!options.output)
        return {};
    const auto lock = interrupt.writing();
    if (interrupt.token().stop_requested())
        return stopped();
    Result<void> all;
    const auto write = [&](bool wanted, const char* name, const auto& content) {
        if (!wanted)
            return;
        if (const auto written = content(*options.output / name); !written && all)
            all = written; // the others are written all the same
    };
    const auto text = [](std::string content) {
        return [content = std::move(content)](const std::filesystem::path& path) {
            return write_whole_file(path, content);
        };
    };
    write(options.write_csv, "study.csv", text(study_csv(study)));
    write(options.write_json, "study.json", text(json));
    write(options.write_html, "report.html", text(study_html(study)));
    write(options.write_xlsx, "report.xlsx",
          [&](const std::filesystem::path& path) { return write_workbook(path, study_sheets(study)); });
    return all;
}

} // namespace

Result<std::vector<HistoryRun>> read_history(const Options& options, const std::vector<std::string>& ids,
                                             const std::stop_token& stop) {
    std::vector<HistoryRun> runs;
    const StudyReading how = reading_of(options);
    const auto paths = find_paths_of_runs(*options.history, how.remote, stop);
    if (!paths)
        return tl::unexpected<Error>(paths.error());
    for (const auto& path : *paths) {
        const auto analysis = read_for_study(how, path, stop);
        if (stop.stop_requested())
            return stopped();
        if (analysis)
            runs.push_back(history_run(path.filename().string(), **analysis, compute_metrics(**analysis, ids, stop)));
        else if (!options.quiet)
            tell("rankscope: left out of the history: {}\n", terminal_safe(english(analysis.error().message)));
    }
    if (runs.empty())
        return input_error("--history %1: no run in it can be read"_text(options.history->string()));
    return runs;
}

Result<ReadStudy> read_study(const Options& options, const std::stop_token& stop) {
    std::vector<std::filesystem::path> paths;
    const StudyReading how = reading_of(options);
    for (const auto& path : options.paths) {
        const auto found = find_paths_of_runs(path, how.remote, stop);
        if (!found)
            return tl::unexpected<Error>(found.error());
        paths.insert(paths.end(), found->begin(), found->end());
    }
    const std::vector<std::string> labels = study_labels(paths);
    std::vector<std::string> ids = options.metrics;
    if (!ids.empty() && !options.study_rank_by.empty() && std::ranges::find(ids, options.study_rank_by) == ids.end())
        ids.push_back(options.study_rank_by);
    std::vector<StudyRun> runs;
    ReadStudy read;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const auto analysis = read_for_study(how, paths[i], stop);
        if (stop.stop_requested())
            return stopped();
        if (analysis) {
            runs.push_back(study_run(**analysis, labels[i], ids, stop));
            continue;
        }
        read.left_out.push_back(english(analysis.error().message));
        tell("rankscope: left out: {}\n", terminal_safe(read.left_out.back()));
    }
    if (runs.empty())
        return input_error("no run of the study can be read"_text);
    auto study = make_study(std::move(runs), options.study_by);
    if (!study)
        return tl::unexpected<Error>(study.error());
    read.study = std::move(*study);
    if (!options.study_rank_by.empty())
        if (const auto ranked = rank_study(read.study, find_metric(options.study_rank_by, options.rules.metrics));
            !ranked)
            return tl::unexpected<Error>(ranked.error());
    return read;
}

Result<int> print_study(const Options& options, Interrupt& interrupt) {
    const auto read = read_study(options, interrupt.token());
    if (!read)
        return tl::unexpected<Error>(read.error());
    const std::string json = study_json(read->study);
    if (const auto printed = print_data(options.json ? json : study_text(read->study, options)); !printed)
        return tl::unexpected<Error>(printed.error());
    if (const auto written = write_study(options, read->study, json, interrupt); !written)
        return tl::unexpected<Error>(written.error());
    return read->left_out.empty() ? 0 : exit_code(Error::Code::input);
}

} // namespace rankscope
