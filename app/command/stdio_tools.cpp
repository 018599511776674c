// SPDX-License-Identifier: GPL-3.0-or-later
// Tools of --serve-stdio that put several tables together: why, around, what_if, study, list_runs, close.
#include <algorithm>

#include <fmt/format.h>

#include "app/command/query_command.h"
#include "app/command/stdio_answers.h"
#include "app/command/stdio_server.h"
#include "app/command/study_command.h"
#include "core/base/text.h"
#include "core/input/find/find_runs.h"
#include "core/input/find/run_choices.h"
#include "core/metrics/numbers.h"
#include "core/remote/remote_path.h"
#include "core/report/query_output.h"
#include "core/report/study_report.h"

namespace rankscope {
namespace {

std::string text_of(const Json& arguments, const char* key) { return arguments.value(key, std::string()); }

std::optional<std::int64_t> number_of(const Json& arguments, const char* key) {
    const auto found = arguments.find(key);
    return found == arguments.end() ? std::nullopt : std::optional(static_cast<std::int64_t>(found->get<double>()));
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::size_t first = text.find_first_not_of(' ', at);
        if (first < end)
            words.push_back(text.substr(first, text.find_last_not_of(' ', end - 1) + 1 - first));
        at = end + 1;
    }
    return words;
}

Json prediction_json(const Prediction& prediction) {
    Json told{{"changes", prediction.changes}, {"notes", english(prediction.notes)}};
    if (!prediction.unavailable.empty()) {
        told["unavailable"] = english(prediction.unavailable);
        return told;
    }
    told.update({{"measured_us", rounded_us(prediction.measured)},
                 {"predicted_us", rounded_us(prediction.predicted)},
                 {"percent_change", 100 * (prediction.predicted - prediction.measured) / prediction.measured},
                 {"throughput_percent_change", prediction.throughput_percent_change()},
                 {"assumes", english(prediction.assumes)}});
    return told;
}

} // namespace

QueryDatabase& StdioServer::database() {
    if (!database_) {
        auto made = QueryDatabase::open(query_model(runs_));
        if (!made)
            throw ToolProblem(english(made.error().message));
        database_.emplace(std::move(*made));
    }
    return *database_;
}

Json StdioServer::table(const std::string& query, std::size_t most_rows, const std::stop_token& stop) {
    const auto result = run_query(database(), query, most_rows, stop);
    if (!result)
        throw ToolProblem(english(result.error().message));
    Json rows = Json::array();
    for (const auto& row : result->rows) {
        Json& list = rows.emplace_back(Json::array());
        for (const QueryValue& value : row)
            list.push_back(Json::parse(query_value_json(value)));
    }
    return {{"columns", unique_names(result->columns)}, {"rows", std::move(rows)}, {"more_rows", result->cut}};
}

Json StdioServer::rows(const std::string& query, const std::stop_token& stop) {
    constexpr std::size_t kMostRows = 12;
    Json told = table(query, kMostRows, stop);
    told.erase("more_rows");
    return told;
}

Json StdioServer::why(const Json& arguments, const std::stop_token& stop) {
    const std::size_t run = run_of(arguments);
    const auto first_number = [&](const std::string& query) -> std::optional<std::int64_t> {
        const Json found = rows(query, stop)["rows"];
        return found.empty() || found[0][0].is_null() ? std::nullopt : std::optional(found[0][0].get<std::int64_t>());
    };
    const auto step =
        number_of(arguments, "step")
            .value_or(first_number(fmt::format("select step from fact_step where run = {} order by step_ns desc", run))
                          .value_or(-1));
    if (!first_number(fmt::format("select 1 from fact_step where run = {} and step = {}", run, step))) {
        const Json known = rows(fmt::format("select min(step), max(step) from fact_step where run = {}", run), stop);
        throw ToolProblem(known["rows"][0][0].is_null()
                              ? std::string("no step of this run is known; ask for its summary")
                              : fmt::format("there is no step {}; there are {} to {}", step, known["rows"][0][0].dump(),
                                            known["rows"][0][1].dump()));
    }
    const std::string here = fmt::format("run = {} and step = {}", run, step);
    auto rank = number_of(arguments, "rank");
    if (!rank)
        rank = first_number("select for_rank from waiting where " + here +
                            " group by for_rank order by sum(wait_ns) desc");
    if (!rank)
        rank = first_number(fmt::format("select rank from fact_rank where run = {} order by step_ns desc", run));
    if (!first_number(fmt::format("select 1 from rank where run = {} and rank = {}", run, *rank)))
        throw ToolProblem(fmt::format("there is no rank {}; see the ranks in the answer of open", *rank));
    Json told = named(run);
    told["step"] = step;
    told["rank"] = *rank;
    const std::string parts = "step_ns, computation_ns, exposed_communication_ns, waiting_ns, bubble_ns, copies_ns, "
                              "launching_ns, host_ns, unrecorded_ns";
    std::string means;
    for (const std::string& part : words_of(parts))
        means += fmt::format("{}round(avg({}))", means.empty() ? "" : ", ", part);
    told["step_against_others"] =
        rows(fmt::format("select 'this step, mean of its ranks' as what, {0} from fact_step where {1} union all select "
                         "'other steps, mean', {2} from fact_step where run = {3} and step <> {4}",
                         parts, here, means, run, step),
             stop);
    told["rank_against_peers"] =
        rows(fmt::format("select 'this rank' as what, gpu_total_ns, computation_ns, exposed_comm_ns, "
                         "exposed_memcpy_ns, idle_ns from step where {0} and rank = {1} union all select 'its peers, "
                         "median', percentile(gpu_total_ns, 50), percentile(computation_ns, 50), "
                         "percentile(exposed_comm_ns, 50), percentile(exposed_memcpy_ns, 50), percentile(idle_ns, 50) "
                         "from step where {0} and rank <> {1}",
                         here, *rank),
             stop);
    told["it_waits"] = rows(fmt::format("select for_rank, origin_rank, cause, count(*) as calls, sum(wait_ns) as "
                                        "wait_ns from waiting where {} and rank = {} group by 1, 2, 3 order by 5 desc",
                                        here, *rank),
                            stop);
    told["others_wait_for_it"] =
        rows(fmt::format("select rank, origin_rank, cause, count(*) as calls, sum(wait_ns) as wait_ns from waiting "
                         "where {} and for_rank = {} group by 1, 2, 3 order by 5 desc",
                         here, *rank),
             stop);
    told["critical_path"] =
        rows("select rank, class, name, count(*) as pieces, sum(dur_ns) as ns, min(event_id) as event from "
             "critical_path where " +
                 here + " group by rank, class, name order by ns desc",
             stop);
    told["findings"] =
        rows(fmt::format("select title from finding where run = {0} and (ranks is null or ' ' || ranks || ' ' like "
                         "'% {1} %') and (first_step is null or {2} between first_step and last_step)",
                         run, *rank, step),
             stop);
    return capped(std::move(told));
}

Json StdioServer::around(const Json& arguments, const std::stop_token& stop) {
    run_of(Json::object());
    const std::int64_t event = number_of(arguments, "event").value_or(-1);
    const std::string columns =
        "e.id, e.run, e.rank, e.lane_name, e.kind, e.class, e.name, e.step, e.start_ns, e.dur_ns";
    Json told;
    told["event"] = rows(fmt::format("select {} from event e where id = {}", columns, event), stop);
    if (told["event"]["rows"].empty())
        throw ToolProblem(fmt::format("no event has the id {}", event));
    told["encloses_it"] =
        rows(fmt::format("with recursive up(id) as (select parent_id from event where id = {1} union all select "
                         "e.parent_id from up join event e on e.id = up.id) select {0} from up join event e on e.id "
                         "= up.id",
                         columns, event),
             stop);
    told["launched_by"] = rows(
        fmt::format("select {} from event l join event e on e.id = l.launch_id where l.id = {}", columns, event), stop);
    const auto beside = [&](const char* relation, const char* order) {
        return rows(fmt::format("select {0} from event t join event e on e.run = t.run and e.rank = t.rank and e.lane "
                                "= t.lane and e.depth = t.depth where t.id = {1} and e.start_ns {2} t.start_ns and "
                                "e.id <> t.id order by e.start_ns {3} limit 3",
                                columns, event, relation, order),
                    stop);
    };
    told["before_it"] = beside("<=", "desc");
    told["after_it"] = beside(">=", "asc");
    told["at_the_same_time"] =
        rows(fmt::format("select {0}, overlap_ns(t.start_ns, t.dur_ns, e.start_ns, e.dur_ns) as overlap_ns from event "
                         "t join event e on e.run = t.run and e.rank = t.rank and e.start_ns < t.end_ns and e.end_ns "
                         "> t.start_ns where t.id = {1} and e.id <> t.id and e.lane <> t.lane and e.depth = 0 order "
                         "by overlap_ns desc limit 6",
                         columns, event),
             stop);
    told["same_call_on_other_ranks"] =
        rows(fmt::format("select o.rank, o.start_ns, o.dur_ns, o.lag_ns, o.wait_ns, o.event_id as id from "
                         "collective_member m join collective_member o on o.run = m.run and o.call = m.call where "
                         "m.event_id = {} order by o.start_ns",
                         event),
             stop);
    return capped(std::move(told));
}

Json StdioServer::what_if(const Json& arguments, const std::stop_token&) {
    const std::size_t run = run_of(arguments);
    std::vector<Change> changes;
    for (const std::string& word : words_of(text_of(arguments, "changes"))) {
        auto change = parse_change(word);
        if (!change)
            throw ToolProblem(english(change.error().message));
        changes.push_back(std::move(*change));
    }
    Json told = named(run);
    told["predictions"] = Json::array();
    for (const Prediction& prediction : runs_[run].analysis->predict(changes))
        told["predictions"].push_back(prediction_json(prediction));
    return capped(std::move(told));
}

Json StdioServer::study(const Json& arguments, const std::stop_token& stop) {
    Options options = options_;
    options.paths = {text_of(arguments, "folder")};
    options.study_by = arguments.value("by", options.study_by);
    options.study_rank_by = text_of(arguments, "rank_by");
    options.metrics = words_of(arguments.value(
        "metrics", std::string("step_time,iter_time,throughput_tokens,mfu,comm_comp_overlap,straggler_lag")));
    if (!options.study_rank_by.empty() &&
        std::ranges::find(options.metrics, options.study_rank_by) == options.metrics.end())
        options.metrics.insert(options.metrics.begin(), options.study_rank_by);
    for (const std::string& id : options.metrics)
        if (!find_metric(id, options.rules.metrics))
            throw ToolProblem(english(unknown_metric_message(id, options.rules.metrics)));
    if (is_remote(options.paths.front()))
        throw ToolProblem("runs on other machines are opened by rankscope itself, not from here");
    const auto read = read_study(options, stop);
    if (!read)
        throw ToolProblem(english(read.error().message));
    const Study& study = read->study;
    Json columns = Json::array({study.key, "run", "ranks"});
    for (const std::string& id : options.metrics)
        columns.push_back(fmt::format("{} ({})", id, find_metric(id, options.rules.metrics)->unit));
    Json told{{"columns", std::move(columns)}, {"rows", Json::array()}, {"note", study.note}};
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        Json row = Json::array({study.texts[i], study.runs[i].label, study.runs[i].ranks_text()});
        for (const std::string& id : options.metrics) {
            const StudyValue* const value = study.runs[i].find(id);
            row.push_back(value == nullptr ? Json() : Json(value->value));
        }
        told["rows"].push_back(std::move(row));
    }
    told["changes"] = Json::array();
    for (const StudyChange& change : study.changes)
        told["changes"].push_back(study_change_text(study, change));
    told["left_out"] = read->left_out;
    return paged(std::move(told), "rows", static_cast<std::size_t>(number_of(arguments, "page").value_or(0)));
}

Json StdioServer::list_runs(const Json& arguments, const std::stop_token& stop) {
    const std::string folder = text_of(arguments, "folder");
    if (is_remote(folder))
        throw ToolProblem("runs on other machines are listed by rankscope itself, not from here");
    Json told{{"columns", Json::array({"path", "files", "bytes"})}, {"rows", Json::array()}};
    for (const auto& path : paths_of_runs(folder, stop))
        for (const FoundRun& found : find_runs(path, stop))
            told["rows"].push_back(Json::array({found.path.string(), found.files, found.bytes}));
    if (told["rows"].empty())
        throw ToolProblem(fmt::format("no trace is below {}", folder));
    return paged(std::move(told), "rows", static_cast<std::size_t>(number_of(arguments, "page").value_or(0)));
}

Json StdioServer::close(const Json& arguments, const std::stop_token&) {
    const auto run = static_cast<std::ptrdiff_t>(run_of(arguments));
    database_.reset(); // it reads the runs
    runs_.erase(runs_.begin() + run);
    measured_.erase(measured_.begin() + run);
    label_runs(runs_);
    Json open = Json::array();
    for (std::size_t i = 0; i < runs_.size(); ++i)
        open.push_back(named(i));
    return {{"open", std::move(open)}};
}

} // namespace rankscope
