// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/report_files.h"

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "app/command/process.h"
#include "app/command/query_command.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/report/collectives_csv.h"
#include "core/report/critical_path_csv.h"
#include "core/report/findings_csv.h"
#include "core/report/hta_csv.h"
#include "core/report/html_report.h"
#include "core/report/link_report.h"
#include "core/report/matrix_csv.h"
#include "core/report/memory_diff.h"
#include "core/report/memory_report.h"
#include "core/report/metrics_csv.h"
#include "core/report/name_filter.h"
#include "core/report/nsys_csv.h"
#include "core/report/operator_diff_csv.h"
#include "core/report/rank_csv.h"
#include "core/report/rccl_sheets.h"
#include "core/report/run_sheets.h"
#include "core/report/short_report.h"
#include "core/report/sqlite_report.h"
#include "core/report/traffic_csv.h"
#include "core/report/xlsx.h"

namespace rankscope {
namespace {

/// Made when it is its turn, so that no more than one is in memory.
struct ReportFile {
    std::string name;
    std::function<Result<void>(const std::filesystem::path&, const Writing&)> write;
};

/// A signal may end the program while the content is made, and not while it is written.
template <typename Content, typename Write>
ReportFile report_file(std::string name, std::function<Content()> make, Write write) {
    return {std::move(name),
            [make = std::move(make), write](const std::filesystem::path& path, const Writing& writing) -> Result<void> {
                const Content content = make();
                const auto lock = writing.lock ? writing.lock() : std::unique_lock<std::mutex>();
                if (writing.stop.stop_requested())
                    return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text});
                return write(path, content);
            }};
}

ReportFile text_file(std::string name, std::function<std::string()> content) {
    return report_file<std::string>(
        std::move(name), std::move(content),
        [](const auto& path, const std::string& text) { return write_whole_file(path, text); });
}

ReportFile workbook_file(std::string name, std::function<std::vector<Sheet>()> sheets) {
    return report_file<std::vector<Sheet>>(
        std::move(name), std::move(sheets),
        [](const auto& path, const std::vector<Sheet>& content) { return write_workbook(path, content); });
}

HtmlTimeline timeline_of(const Options& options) {
    HtmlTimeline timeline;
    timeline.shown = options.html_timeline;
    if (const auto& range = options.html_timeline_range)
        timeline.time =
            TimeRange{range->begin.value_or(0), range->end.value_or(std::numeric_limits<TimeNs>::max() / 2)};
    return timeline;
}

/// runs, gates and json must outlive what is returned.
std::vector<ReportFile> report_files(const Options& options, std::span<const AnalysedRun> runs,
                                     std::span<const GateResult> gates, const std::string& json) {
    std::vector<ReportFile> files;
    const NameFilter filter = kernel_filter(options);
    const auto per_run = [&](const char* name, std::string (*content)(std::span<const AnalysedRun>)) {
        files.push_back(text_file(name, [=] { return content(runs); }));
    };
    if (options.write_csv) {
        per_run("metrics.csv", metrics_csv);
        per_run("ranks.csv", ranks_csv);
        per_run("iterations.csv", iterations_csv);
        per_run("collectives.csv", collectives_csv);
        per_run("arrivals.csv", arrivals_csv);
        files.push_back(text_file("kernels.csv", [=] { return kernels_csv(runs, filter); }));
        per_run("breakdown.csv", breakdown_csv);
        per_run("hta_idle.csv", hta_idle_csv);
        per_run("hta_queue.csv", hta_queue_csv);
        per_run("hta_kernel_types.csv", hta_kernel_types_csv);
        per_run("traffic.csv", traffic_csv);
        per_run("links.csv", links_csv);
        per_run("collective_split.csv", collective_split_csv);
        per_run("findings.csv", findings_csv);
        per_run("critical_path.csv", critical_path_csv);
    }
    if (options.write_csv && has_nsys_tables(runs)) {
        files.push_back(text_file(
            "nsys_trace.csv", [=] { return nsys_trace_csv(runs, filter); }));
        files.push_back(text_file("nsys_sum.csv", [=] { return nsys_sum_csv(runs, filter); }));
    }
    if (options.write_csv && has_rank_traffic(runs)) {
        per_run("rank_matrix.csv", rank_matrix_csv);
        per_run("machine_matrix.csv", machine_matrix_csv);
    }
    if (options.write_csv && has_memory_snapshots(runs)) {
        per_run("memory.csv", memory_csv);
        per_run("memory_live.csv", memory_live_csv);
        per_run("memory_history.csv", memory_history_csv);
    }
    if (options.write_csv && runs.size() > 1) {
        per_run("comparison.csv", comparison_csv);
        per_run("config_diff.csv", config_diff_csv);
        per_run("changes.csv", changes_csv);
        per_run("ops_diff.csv", operator_diff_csv);
        if (has_module_changes(runs))
            per_run("modules_diff.csv", module_diff_csv);
        if (has_memory_changes(runs))
            per_run("memory_diff.csv", memory_diff_csv);
    }
    if (options.write_json)
        files.push_back(text_file("metrics.json", [&json] { return json; }));
    if (options.write_xlsx)
        files.push_back(workbook_file("report.xlsx", [=] { return run_sheets(runs, filter); }));
    if (options.write_xlsx && runs.size() > 1)
        files.push_back(workbook_file("final_analysis_report.xlsx", [=] { return comparison_sheets(runs); }));
    if (options.write_md)
        files.push_back(text_file("summary.md", [=] { return as_markdown(short_report(runs, gates)); }));
    if (options.write_sqlite)
        files.push_back({"run.sqlite", [=](const std::filesystem::path& path, const Writing& writing) {
                             const auto lock = writing.lock ? writing.lock() : std::unique_lock<std::mutex>();
                             return write_sqlite_file(query_model(runs), path, writing.stop);
                         }});
    if (options.write_html)
        files.push_back(text_file("report.html", [=, timeline = timeline_of(options)] {
            return html_report(runs, gates, filter, timeline);
        }));
    return files;
}

} // namespace

NameFilter kernel_filter(const Options& options) {
    return options.kernel_filter.empty() ? NameFilter() : name_filter(options.kernel_filter).value_or(NameFilter());
}

Result<void> create_output_folder(const Options& options) {
    if (!options.output)
        return {};
    std::error_code error;
    std::filesystem::create_directories(*options.output, error);
    if (!error && !std::filesystem::is_directory(*options.output, error) && !error)
        error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        return tl::unexpected<Error>(Error{Error::Code::output, "cannot create the output folder %1: %2"_text(
                                                                    options.output->string(), error.message())});
    return {};
}

Result<void> write_report(const Options& options, std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                          const std::string& json, const Writing& writing) {
    Result<void> all;
    std::size_t count = 0;
    for (const ReportFile& file : report_files(options, runs, gates, json)) {
        const auto written = file.write(*options.output / file.name, writing);
        if (!written && written.error().code == Error::Code::cancelled)
            return written;
        count += written ? 1 : 0;
        if (!written && all) // one that cannot be written is no reason to be without the others
            all = written;
    }
    if (options.verbose)
        tell("rankscope: {} files written to {}\n", count, terminal_safe(options.output->string()));
    return all;
}

} // namespace rankscope
