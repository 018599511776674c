// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/study_command.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "app/command/batch.h"
#include "app/command/batch_input.h"
#include "app/command/process.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/compare/study_reading.h"
#include "core/remote/remote_run.h"
#include "core/report/html_report.h"
#include "core/report/study_page.h"
#include "core/report/study_report.h"
#include "core/report/study_table.h"
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
    if (options.gpus_per_machine > 0)
        how.rules.gpus_per_machine = options.gpus_per_machine;
    how.select = [&options](const Run& run) {
        Notices notices; // of a part that is not there: the run is left out then
        return select_part(options, run, notices);
    };
    return how;
}

std::string study_text(const Study& study, const Options& options) {
    const bool columns = study.runs.size() <= kMostColumns;
    MetricList metrics = main_metrics(study, !columns);
    if (!options.metrics.empty()) {
        metrics = metrics_of(study.runs);
        std::erase_if(metrics, [&](const MetricPointer& metric) {
            return std::ranges::find(options.metrics, metric->id) == options.metrics.end() &&
                   metric->id != study.ranked_by;
        });
    }
    const StudyTable table = study_table(study, metrics, columns, columns);
    std::vector<std::string> header;
    for (const std::string& title : table.titles)
        header.push_back(terminal_safe(title));
    TextTable text_table(header);
    for (std::size_t column = 0; column < table.text_columns; ++column)
        text_table.align_left(column);
    bool any_best = false;
    for (const auto& cells : table.rows) {
        if (columns && !cells.back().link.empty())
            continue; // a terminal has no links
        std::vector<std::string> row;
        for (const StudyTable::Cell& cell : cells) {
            row.push_back((cell.best ? "* " : "") + terminal_safe(cell.text));
            any_best |= cell.best;
        }
        text_table.add_row(row);
    }
    std::string text = text_table.text();
    if (any_best)
        text += columns ? "* the best of the row\n" : "* the best of the column\n";
    for (const std::string& sentence : {fastest_and_slowest(study), study.note})
        if (!sentence.empty())
            text += '\n' + terminal_safe(sentence) + '\n';
    if (!study.changes.empty())
        text += "\nChanges of level:\n";
    for (const StudyChange& change : study.changes)
        text += "  " + terminal_safe(study_change_text(study, change)) + '\n';
    return text;
}

std::optional<ParetoMetrics> pareto_of(const Options& options, const Study& study) {
    if (options.study_pareto.empty())
        return usual_pareto(study);
    return ParetoMetrics{find_metric(options.study_pareto[0], options.rules.metrics),
                         find_metric(options.study_pareto[1], options.rules.metrics)};
}

/// "reports/03-run_c.html": a name that no other run of the study has, without what a page's address would have
/// escaped.
std::string report_name(std::size_t number, std::string label) {
    std::ranges::replace_if(
        label, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.'; },
        '_');
    return fmt::format("reports/{:02}-{}.html", number + 1, label.substr(0, 80));
}

/// The run's own page beside that of the study. Returns its name.
Result<std::string> write_own_report(const Options& options, std::size_t number, const std::string& label,
                                     const std::shared_ptr<const RunAnalysis>& analysis, const std::stop_token& stop) {
    AnalysedRun run{"run", label, analysis, compute_metrics(*analysis, {}, stop), {}, analysis->run().notices};
    std::string name = report_name(number, label);
    std::error_code error;
    std::filesystem::create_directories(*options.output / "reports", error); // what fails is told by the file
    const std::string page = html_report(std::span(&run, 1), {}, {}, {});
    if (stop.stop_requested())
        return stopped();
    if (const auto written = write_whole_file(*options.output / name, page); !written)
        return tl::unexpected<Error>(written.error());
    return name;
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
    write(options.write_html, "report.html", text(study_html(study, pareto_of(options, study))));
    write(options.write_xlsx, "report.xlsx",
          [&](const std::filesystem::path& path) { return write_workbook(path, study_sheets(study)); });
    return all;
}

/// Puts the runs that a folder holds behind it, where it could not be read because of them.
bool add_runs_instead(std::vector<std::filesystem::path>& paths, std::size_t of, const Error& error) {
    const std::vector<std::filesystem::path> runs = runs_instead_of(paths[of], error);
    paths.insert(paths.begin() + static_cast<std::ptrdiff_t>(of) + 1, runs.begin(), runs.end());
    return !runs.empty();
}

} // namespace

Result<std::vector<HistoryRun>> read_history(const Options& options, const std::vector<std::string>& ids,
                                             const std::stop_token& stop) {
    std::vector<HistoryRun> runs;
    const StudyReading how = reading_of(options);
    auto paths = find_paths_of_runs(*options.history, how.remote, stop);
    if (!paths)
        return tl::unexpected<Error>(paths.error());
    for (std::size_t i = 0; i < paths->size(); ++i) {
        const auto analysis = read_for_study(how, (*paths)[i], stop);
        if (stop.stop_requested())
            return stopped();
        if (analysis)
            runs.push_back(
                history_run((*paths)[i].filename().string(), **analysis, compute_metrics(**analysis, ids, stop)));
        else if (!add_runs_instead(*paths, i, analysis.error()) && !options.quiet)
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
    std::vector<std::string> labels = study_labels(paths);
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
            if (options.study_reports) {
                const auto report = write_own_report(options, i, labels[i], *analysis, stop);
                if (!report)
                    return tl::unexpected<Error>(report.error());
                runs.back().report = *report;
            }
            continue;
        }
        if (add_runs_instead(paths, i, analysis.error())) {
            labels = study_labels(paths);
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
