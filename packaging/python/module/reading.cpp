// SPDX-License-Identifier: GPL-3.0-or-later
#include "reading.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "app/command/gate_check.h"
#include "app/command/query_command.h"
#include "app/command/report_files.h"
#include "app/command/user_metric_files.h"
#include "core/report/critical_path_csv.h"
#include "core/report/html_page.h"
#include "core/report/html_timeline.h"
#include "core/report/json_report.h"
#include "core/report/name_filter.h"
#include "core/report/operator_diff_csv.h"
#include "core/report/run_sheets.h"
#include "core/report/trace_export.h"
#include "failure.h"

namespace rankscope::python {

Options Reading::options_of(std::span<const std::string> arguments) {
    const MetricList metrics = value_of(load_user_metrics(arguments));
    return value_of(parse_options(arguments, metrics));
}

std::shared_ptr<Reading> Reading::open(std::span<const std::string> arguments, const std::stop_token& stop,
                                       const std::function<void(const LoadProgress&)>& on_progress) {
    const auto reading = std::make_shared<Reading>();
    reading->options_ = options_of(arguments);
    const Options& options = reading->options_;
    if (options.paths.size() != 1)
        throw Failure{{Error::Code::usage, "open() takes the path of one run"_text}};
    LoadOptions load;
    load.mode = options.modes.empty() ? ProfileMode::automatic : options.modes.front();
    load.cancel = stop;
    load.on_progress = on_progress;
    reading->read_ = value_of(read_run(options, options.paths.front(), std::move(load), remote_wishes(options)));
    reading->read_.load.cancel = {}; // what it tells of does not outlive this call
    reading->read_.load.on_progress = {};
    return reading;
}

const AnalysedRun& Reading::analysed() const {
    return analysed_.get([this] {
        ReadRun read = read_;
        compute(options_, read);
        return std::move(read.analysed);
    });
}

const RankTrace& Reading::rank(int number) const {
    const RankTrace* const trace = run().rank(number);
    if (trace == nullptr)
        throw Failure{{Error::Code::usage, "%1: rank %2 has no trace"_text(run().path.string(), number)}};
    return *trace;
}

Readings::Readings(std::vector<std::shared_ptr<const Reading>> readings) : readings_(std::move(readings)) {
    if (readings_.empty())
        throw Failure{{Error::Code::usage, "no run given"_text}};
}

const std::vector<AnalysedRun>& Readings::analysed() const {
    return analysed_.get([this] {
        std::vector<AnalysedRun> runs;
        runs.reserve(readings_.size());
        for (const auto& reading : readings_)
            runs.push_back(reading->analysed());
        relate_runs(runs);
        return runs;
    });
}

const std::shared_ptr<const QueryModel>& Readings::model() const {
    return model_.get([this] {
        std::vector<AnalysedRun> runs;
        runs.reserve(readings_.size());
        for (const auto& reading : readings_)
            runs.push_back(reading->as_read());
        relate_runs(runs);
        return query_model(runs);
    });
}

std::string Readings::document() const { return metrics_json(analysed(), {}); }

std::vector<Sheet> Readings::sheets() const { return run_sheets(analysed()); }

std::string Readings::timeline(std::optional<TimeRange> time) const {
    HtmlTimeline wanted;
    wanted.time = time;
    return html_page(analysed().front().label, timeline_section(analysed(), wanted));
}

std::string Readings::csv(std::string_view file) const {
    if (file == "critical_path")
        return critical_path_csv(analysed());
    if (file == "operators")
        return operator_diff_csv(analysed());
    if (file == "modules")
        return module_diff_csv(analysed());
    throw Failure{{Error::Code::usage, "no such file: %1"_text(std::string(file))}};
}

std::string Readings::gates(std::span<const std::string> arguments, const std::stop_token& stop) const {
    const auto results = value_of(check_gates(Reading::options_of(arguments), analysed(), stop));
    return nlohmann::json::parse(metrics_json(analysed(), results)).at("gates").dump();
}

void Readings::save(std::span<const std::string> arguments, const std::stop_token& stop) const {
    const Options options = Reading::options_of(arguments);
    const std::string json = options.write_json ? document() : std::string();
    value_of(create_output_folder(options));
    value_of(write_report(options, analysed(), {}, json, {stop, {}}));
}

void Readings::export_trace(std::span<const std::string> arguments, const std::stop_token& stop) const {
    const Options options = Reading::options_of(arguments);
    TraceExport what;
    what.time = readings_.front()->as_read().analysis->selection().time;
    what.ranks = options.export_ranks;
    if (!options.export_lanes.empty())
        what.lanes = value_of(name_filter(options.export_lanes));
    value_of(write_trace(*model(), what, *options.export_trace, stop));
}

void Readings::table(const std::string& name, std::span<const std::string> columns,
                     const std::function<void(std::size_t, const QueryValue&)>& take,
                     const std::stop_token& stop) const {
    value_of(read_table(*model(), name, columns, take, stop));
}

void Readings::query(const std::string& sql, QuerySink& sink, const std::stop_token& stop) const {
    if (statements_of(sql).size() > 1)
        throw Failure{{Error::Code::usage, "sql() takes one query at a time"_text}};
    QueryDatabase database = value_of(QueryDatabase::open(model()));
    value_of(database.run(sql, sink, stop));
}

} // namespace rankscope::python
