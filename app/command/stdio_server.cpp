// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/stdio_server.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command/batch_input.h"
#include "app/command/options_values.h"
#include "app/command/stdio_answers.h"
#include "core/analysis/findings/finding_kinds.h"
#include "core/base/safe_json.h"
#include "core/base/shallow_json.h"
#include "core/base/text.h"
#include "core/metrics/numbers.h"
#include "core/remote/remote_path.h"
#include "core/report/critical_path_csv.h"
#include "core/report/facts_report.h"
#include "core/report/findings_csv.h"
#include "core/report/hang_report.h"
#include "core/report/json_report.h"
#include "core/report/query_output.h"
#include "core/version.h"
#include "core/views/all_facts.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostRowsOfAQuery = 10'000; ///< of which a page is an answer
constexpr std::size_t kMostOfAList = 25;          ///< in the details of a metric: an assistant reads every word of them
/// An event is shown with as much around it as it lasts, and at least this.
constexpr TimeNs kLeastAroundAnEvent = 1'000'000;
constexpr std::array<std::string_view, 4> kProtocolVersions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;

Json failure(const Json& id, int code, std::string_view message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

const Json& object_in(const Json& object, const char* key) {
    static const Json none = Json::object();
    const auto found = object.find(key);
    return found != object.end() && found->is_object() ? *found : none;
}

std::string text_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// 2 and 2.0 are the same whole number; nothing for what is none, or negative.
std::optional<std::size_t> whole_number(const Json& value) {
    if (value.is_number_integer())
        return value.is_number_unsigned() || value.get<std::int64_t>() >= 0 ? std::optional(value.get<std::size_t>())
                                                                            : std::nullopt;
    const double number = value.is_number_float() ? value.get<double>() : -1;
    return number >= 0 && number < 1e9 && number == std::floor(number) ? std::optional(static_cast<std::size_t>(number))
                                                                       : std::nullopt;
}

/// As one word of a POSIX shell.
std::string shell_word(const std::string& text) {
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

/// The command that opens the run in the window; range: only this time of it, from the run's first event on.
std::string window_command(const Run& run, std::optional<TimeRange> range = {}) {
    const bool generated = run.path.is_relative() && run.path.parent_path() == "demo"; // as open_demo() has it read
    const std::string path = generated ? "--demo" : shell_word(run.path.string());
    if (!range)
        return fmt::format("rankscope {}", path);
    const TimeNs around = std::max(range->length(), kLeastAroundAnEvent);
    return fmt::format("rankscope --time-range {}ns/{}ns {}", std::max<TimeNs>(0, range->begin - around),
                       range->end + around, path);
}

/// A value as the tools' answers have it, without its details.
Json metric_value(const Metric& metric, const MetricResult& result) {
    Json value = metric_json(metric, result);
    value.erase("details");
    return value;
}

/// Cuts the long lists in the details; cut gets how long each of them is, by its path.
void cut_lists(Json& value, const std::string& path, Json& cut) {
    if (value.is_array() && value.size() > kMostOfAList) {
        cut[path] = value.size();
        value.erase(value.begin() + static_cast<std::ptrdiff_t>(kMostOfAList), value.end());
    }
    if (value.is_structured())
        for (auto& [key, part] : value.items())
            cut_lists(part, path.empty() ? key : path + '.' + key, cut);
}

std::size_t page_of(const Json& arguments) {
    const auto found = arguments.find("page");
    return found == arguments.end() ? 0 : whole_number(*found).value_or(0);
}

std::string column_names(const Json& table) {
    std::vector<std::string> names;
    for (const Json& column : table["columns"])
        names.push_back(column["name"]);
    return fmt::format("{}", fmt::join(names, " "));
}

} // namespace

struct StdioServer::Tool {
    enum class Kind : std::uint8_t { text, number, run };
    struct Argument {
        const char* name;
        Kind kind;
        bool required;
        const char* description;
    };
    std::string name;
    std::string description;
    std::vector<Argument> arguments;
    Json (StdioServer::*answer)(const Json& arguments, const std::stop_token& stop);

    [[nodiscard]] Json json() const {
        Json properties = Json::object();
        Json required = Json::array();
        for (const Argument& argument : arguments) {
            Json& property = properties[argument.name];
            property["type"] = argument.kind != Kind::text ? "integer" : "string";
            if (argument.kind != Kind::text)
                property["minimum"] = 0;
            property["description"] = argument.description;
            if (argument.required)
                required.push_back(argument.name);
        }
        return {{"name", name},
                {"description", description},
                {"inputSchema",
                 {{"type", "object"},
                  {"properties", std::move(properties)},
                  {"required", std::move(required)},
                  {"additionalProperties", false}}},
                {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}};
    }

    /// Throws ToolProblem: an argument that the tool does not know must not be passed over.
    void check(const Json& given) const {
        for (const auto& [key, value] : given.items()) {
            const auto known = std::ranges::find(arguments, key, [](const Argument& a) { return std::string(a.name); });
            if (known == arguments.end())
                throw ToolProblem(
                    fmt::format("{} takes no argument \"{}\"{}", name, shortened(key, 60),
                                arguments.empty() ? std::string() : fmt::format("; it takes {}", names())));
            if (known->kind != Kind::text && !whole_number(value))
                throw ToolProblem(
                    fmt::format("{} has to be {}", key,
                                known->kind == Kind::run ? "the number of an open run" : "a whole number, 0 or more"));
            if (known->kind == Kind::text && (!value.is_string() || value.get_ref<const std::string&>().empty()))
                throw ToolProblem(fmt::format("{} has to be text", key));
        }
        for (const Argument& argument : arguments)
            if (argument.required && !given.contains(argument.name))
                throw ToolProblem(fmt::format("{} needs {}: {}", name, argument.name, argument.description));
    }

private:
    [[nodiscard]] std::string names() const {
        std::vector<std::string_view> all;
        for (const Argument& argument : arguments)
            all.emplace_back(argument.name);
        return fmt::format("{}", fmt::join(all, ", "));
    }
};

const std::vector<StdioServer::Tool>& StdioServer::tools() {
    using enum Tool::Kind;
    static constexpr Tool::Argument of_run{"run", run, false, "number of an open run; default 0, the first"};
    static constexpr Tool::Argument page{"page", number, false,
                                         "of a long answer, which says how many pages it has; default 0"};
    static const std::vector<Tool> table{
        {"open",
         "Reads a run: a folder with the traces of a job on several GPUs, or one trace file (PyTorch profiler, Nsight "
         "Systems, XLA, ROCm, Flight Recorder). Returns the number by which the other tools know it.",
         {{"path", text, true, "path on this machine; \"demo\" opens two generated runs"},
          {"iterations", text, false, "only these profiler steps, such as 4-6,9"},
          {"time_range", text, false, "only this time of the run, such as 1.5s/2s or /200ms"},
          {"profile_mode", text, false, "the capture to read of a folder with several: torch, nsys ..."}},
         &StdioServer::open},
        {"summary",
         "What costs a run the most time, what could be judged, and the metrics with their units. Ask this first.",
         {of_run},
         &StdioServer::summary},
        {"findings",
         "Every finding of a run as a sentence: cost per step, ranks, the events that prove it, and a command that "
         "shows them. For a job that hangs also who did not come.",
         {of_run, page},
         &StdioServer::findings},
        {"why",
         "Why a step of a rank takes as long as it does: the step against the others, the rank against its peers, for "
         "whom it waits and who waits for it, and the critical path.",
         {of_run,
          {"step", number, false, "number of the step; default the longest"},
          {"rank", number, false, "default the one for which the others wait most"}},
         &StdioServer::why},
        {"around",
         "What an event has to do with: what encloses it, launched it, ran before, after and at the same time, and the "
         "same call on other ranks.",
         {{"event", number, true, "its id: a column id or event_id of sql, or event in why"}},
         &StdioServer::around},
        {"what_if",
         "Predicts the step if something were different, each change alone and all together.",
         {{"changes", text, true,
           "separated by commas: straggler=median, comm=0, comm.tp=2x, overlap=perfect, host=0, kernel:REGEX=1.5x, "
           "rank.5=peers, stages=even, microbatches=16"},
          of_run},
         &StdioServer::what_if},
        {"compare",
         "What changed between two open runs, and why: sentences, the metrics that changed, and the settings that "
         "differ.",
         {{"baseline", run, false, "number of an open run; default 0"},
          {"test", run, false, "number of another open run; default 1"}},
         &StdioServer::compare},
        {"sql",
         "One query in SQL (SQLite, read only) over the events of all open runs and what was measured of them. The "
         "tables: explain with topic \"tables\". Sum up and limit in the query: an answer has about 8 000 bytes.",
         {{"query", text, true, "a SELECT"}, page},
         &StdioServer::sql},
        {"metric",
         "One metric of a run with its definition and details. Of a long list the first entries are returned; \"cut\" "
         "says how long it is.",
         {{"name", text, true, "id of the metric, such as iter_time"}, of_run},
         &StdioServer::metric},
        {"explain",
         "What a word means, or what a step consists of.",
         {{"topic", text, true,
           "id of a metric, code of a notice or finding, name of a table; \"metrics\" or \"tables\" for lists of "
           "them; \"step\" or \"step 12\": the critical path of each step or this one, and to whom waiting is charged"},
          of_run,
          page},
         &StdioServer::explain},
        {"study",
         "All runs below a folder as one series: a row each with its metrics, and where a metric changed for good.",
         {{"folder", text, true, "path on this machine"},
          {"by", text, false, "the order: date (default), world_size, name, or a setting"},
          {"rank_by", text, false, "a metric: its best run first, and no changes"},
          {"metrics", text, false, "ids of metrics, separated by commas"},
          page},
         &StdioServer::study},
        {"list_runs",
         "The runs below a folder, by the names of their files.",
         {{"folder", text, true, "path on this machine"}, page},
         &StdioServer::list_runs},
        {"close", "Forgets a run. Runs after it get the next lower number.", {of_run}, &StdioServer::close}};
    return table;
}

StdioServer::StdioServer(Options options) : options_(std::move(options)) { options_.quiet = true; }

std::size_t StdioServer::run_of(const Json& arguments, const char* name, std::size_t otherwise) const {
    const auto found = arguments.find(name);
    const std::size_t number = found == arguments.end() ? otherwise : whole_number(*found).value_or(otherwise);
    if (runs_.empty())
        throw ToolProblem("no run is open: use open first");
    if (number >= runs_.size())
        throw ToolProblem(fmt::format("there is no run {}; the open runs are 0{}", number,
                                      runs_.size() == 1 ? "" : fmt::format(" to {}", runs_.size() - 1)));
    return number;
}

Json StdioServer::named(std::size_t run) const {
    return {{"run", run}, {"name", runs_[run].label}, {"link", window_command(runs_[run].run())}};
}

const AnalysedRun& StdioServer::measured(std::size_t run, const std::stop_token& stop) {
    if (!measured_[run]) {
        MetricReport metrics = compute_metrics(*runs_[run].analysis, {}, stop);
        if (stop.stop_requested())
            throw ToolProblem("interrupted");
        runs_[run].metrics = std::move(metrics);
        measured_[run] = true;
    }
    return runs_[run];
}

Json StdioServer::open(const Json& arguments, const std::stop_token& stop) {
    Options options = options_;
    if (const std::string steps = text_in(arguments, "iterations"); !steps.empty()) {
        const auto ranges = parse_iterations(steps);
        if (!ranges)
            throw ToolProblem("iterations: expected all, or step numbers such as 4-6,9");
        options.iterations = *ranges;
    }
    if (const std::string range = text_in(arguments, "time_range"); !range.empty()) {
        options.time = parse_time_range(range);
        if (!options.time)
            throw ToolProblem("time_range: expected BEGIN/END such as 4s420ms/35s390ms, 1.5s/, /200ms or @4s/@5s");
    }
    if (const std::string mode = text_in(arguments, "profile_mode"); !mode.empty()) {
        const auto known = parse_profile_mode(mode);
        if (!known)
            throw ToolProblem("profile_mode: expected auto, torch, nsys, nsys-stats, execution-trace, flight-recorder, "
                              "xplane, rocpd, inspector or operations");
        options.modes = {*known};
    }
    const std::string path = text_in(arguments, "path");
    if (path == "demo")
        return open_demo(options, stop);
    if (is_remote(path)) // whom it connects to is the user's affair
        throw ToolProblem("runs on other machines are opened by rankscope itself, not from here");
    return open_one(options, path, stop);
}

Json StdioServer::open_demo(Options options, const std::stop_token& stop) {
    if (!demo_) {
        auto made = DemoRuns::create(stop);
        if (!made)
            throw ToolProblem(english(made.error().message));
        demo_.emplace(std::move(*made));
    }
    options.demo = true;
    Json both = Json::array();
    for (const auto& path : demo_->paths())
        both.push_back(open_one(options, path, stop));
    Json told = both[0];
    told["also_open"] = Json::array({named(both[1]["run"].get<std::size_t>())});
    return told;
}

Json StdioServer::open_one(const Options& options, const std::filesystem::path& path, const std::stop_token& stop) {
    Timing untold;
    auto read = analyse_runs(options, std::span(&path, 1), stop, untold);
    if (!read)
        throw ToolProblem(english(read.error().message));
    runs_.push_back(std::move(read->front()));
    measured_.push_back(false);
    label_runs(runs_);
    database_.reset();
    const Run& run = runs_.back().run();
    Json ranks = Json::array();
    for (const auto& rank : run.ranks)
        ranks.push_back(rank->rank);
    Json opened = named(runs_.size() - 1);
    opened.update({{"path", run.path.string()},
                   {"source", trace_source_word(run.source)},
                   {"world_size", run.world_size},
                   {"ranks", std::move(ranks)},
                   {"iterations", iteration_numbers(*runs_.back().analysis)},
                   {"events", run.event_count()},
                   {"span_us", as_us(runs_.back().analysis->length())},
                   {"notices", notices_json(runs_.back().notices)}});
    return capped(std::move(opened));
}

Json StdioServer::summary(const Json& arguments, const std::stop_token& stop) {
    const std::size_t number = run_of(arguments);
    const AnalysedRun& run = measured(number, stop);
    const Findings& found = run.analysis->findings();
    Json metrics = Json::object();
    Json not_available = Json::array();
    for (const auto& [metric, result] : run.metrics.entries)
        if (result.available)
            metrics[metric->id] = metric_value(*metric, result);
        else
            not_available.push_back(metric->id);
    Json told = named(number);
    told["summary"] = english(found.summary);
    told["facts"] = english(all_fact_sentences(*run.analysis));
    told["step_time_us"] = found.of_steps && found.step_time > 0 ? Json(rounded_us(found.step_time)) : Json();
    told["judged"] = judged_json(found.judged);
    if (const Hang* hang = run.hang())
        told["hang"] = english(hang_sentences(*hang));
    told["metrics"] = std::move(metrics);
    told["not_available"] = std::move(not_available);
    return capped(std::move(told));
}

Json StdioServer::findings(const Json& arguments, const std::stop_token&) {
    constexpr std::size_t kMostEvents = 3; // of a finding

    const std::size_t number = run_of(arguments);
    const AnalysedRun& run = runs_[number];
    const Findings& found = run.analysis->findings();
    Json list = findings_json(std::span(&run, 1));
    for (std::size_t i = 0; i < found.list.size(); ++i)
        if (!found.list[i].events.empty()) {
            const FindingEvent& event = found.list[i].events.front();
            const TimeNs begin = run.analysis->since_start(event.rank, event.range.begin);
            Json& events = list[i]["evidence"]["events"];
            if (events.size() > kMostEvents)
                events.erase(events.begin() + kMostEvents, events.end());
            list[i]["link"] = window_command(run.run(), TimeRange{begin, begin + event.range.length()});
        }
    Json told = named(number);
    told["summary"] = english(found.summary);
    told["judged"] = judged_json(found.judged);
    told["findings"] = std::move(list);
    if (const Hang* hang = run.hang())
        told["hang"] = hang_json(*hang);
    return paged(std::move(told), "findings", page_of(arguments));
}

Json StdioServer::compare(const Json& arguments, const std::stop_token& stop) {
    const std::size_t from = run_of(arguments, "baseline", 0);
    const std::size_t to = run_of(arguments, "test", 1);
    if (from == to)
        throw ToolProblem(fmt::format("baseline and test are both run {}", from));
    const AnalysedRun baseline = measured(from, stop);
    AnalysedRun test = measured(to, stop);
    test.comparison =
        std::make_shared<const RunComparison>(baseline.analysis, baseline.metrics, test.analysis, test.metrics);
    Json told = comparison_json(baseline, test);
    Json similar = Json::array();
    Json changed = Json::object();
    for (auto& [id, metric] : told["metrics"].items())
        if (metric["status"] == "similar")
            similar.push_back(id);
        else
            changed[id] = std::move(metric);
    told["metrics"] = std::move(changed);
    told["similar"] = std::move(similar);
    told["link"] =
        fmt::format("rankscope {} {}", shell_word(baseline.run().path.string()), shell_word(test.run().path.string()));
    return capped(std::move(told));
}

Json StdioServer::sql(const Json& arguments, const std::stop_token& stop) {
    run_of(Json::object());
    return paged(table(text_in(arguments, "query"), kMostRowsOfAQuery, stop), "rows", page_of(arguments));
}

Json StdioServer::metric(const Json& arguments, const std::stop_token& stop) {
    const std::string name = text_in(arguments, "name");
    const MetricPointer wanted = find_metric(name, options_.rules.metrics);
    if (!wanted)
        throw ToolProblem(english(unknown_metric_message(name, options_.rules.metrics)));
    const std::size_t number = run_of(arguments);
    const MetricReport report = compute_metrics(*runs_[number].analysis, std::vector<std::string>{name}, stop);
    const MetricResult* const result = report.find(name);
    if (result == nullptr)
        throw ToolProblem("interrupted");
    Json told = named(number);
    told["metric"] = name;
    told["definition"] = wanted->definition;
    told.update(metric_json(*wanted, *result));
    Json cut = Json::object();
    if (told.contains("details"))
        cut_lists(told["details"], {}, cut);
    if (!cut.empty())
        told["cut"] = std::move(cut);
    return capped(std::move(told));
}

namespace {

/// The kinds of finding of a code, with and without a cause.
Json finding_kinds_json(std::string_view code) {
    constexpr std::array<std::string_view, 5> kNatures{"fault", "fault where it costs much", "fault or inherent",
                                                       "inherent", "doubt"};
    Json kinds = Json::array();
    for (const FindingKind& kind : kFindingKinds)
        if (code_word(kind.code) == code)
            kinds.push_back({{"cause", cause_word(kind.cause)},
                             {"nature", kNatures[static_cast<std::size_t>(kind.nature)]},
                             {"meaning", kind.meaning},
                             {"what_to_do", in_words_of_tools(std::string(kind.what_to_do))}});
    return kinds;
}

} // namespace

Json StdioServer::explain_step(const Json& arguments, const std::string& step) {
    const std::size_t number = run_of(arguments);
    const RunAnalysis& analysis = *runs_[number].analysis;
    Json told = named(number);
    told["summary"] = english(analysis.findings().summary);
    told["facts"] = english(all_fact_sentences(analysis));
    told["critical_path"] = Json::array();
    for (Json& path : critical_paths_json(analysis))
        if (step.empty() || path["step"].dump() == step)
            told["critical_path"].push_back(std::move(path));
    if (!step.empty() && told["critical_path"].empty())
        throw ToolProblem(fmt::format("there is no critical path of step \"{}\"; explain with topic \"step\" lists all",
                                      shortened(terminal_safe(step), 20)));
    told["waiting"] = waiting_json(analysis);
    return paged(std::move(told), "critical_path", page_of(arguments));
}

Json StdioServer::explain(const Json& arguments, const std::stop_token&) {
    const std::string topic = text_in(arguments, "topic");
    const Json tables = Json::parse(table_list_json());
    if (topic == "tables") {
        Json told{{"tables", Json::array()}, {"functions", tables["functions"]}};
        for (const auto& [name, table] : tables["tables"].items())
            told["tables"].push_back({{"table", name}, {"rows", table["rows"]}, {"columns", column_names(table)}});
        return paged(std::move(told), "tables", page_of(arguments));
    }
    if (topic == "metrics") {
        Json told{{"metrics", Json::array()}};
        const Json metrics = Json::parse(metric_list_json(options_.rules.metrics));
        for (const auto& [id, metric] : metrics["metrics"].items())
            told["metrics"].push_back({{"metric", id}, {"title", metric["title"]}, {"unit", metric["unit"]}});
        return paged(std::move(told), "metrics", page_of(arguments));
    }
    if (topic == "step" || topic.starts_with("step "))
        return explain_step(arguments, topic.substr(std::min<std::size_t>(topic.size(), 5)));
    Json told = Json::object(); // a word may be a metric and a kind of finding
    if (const MetricPointer metric = find_metric(topic, options_.rules.metrics))
        told.update({{"metric", metric->id},
                     {"title", metric->title},
                     {"unit", metric->unit},
                     {"better", better_word(metric->better)},
                     {"definition", metric->definition}});
    if (const auto code = NoticeCode::of(topic))
        told.update({{"notice", code->word()},
                     {"meaning", code->kind().meaning},
                     {"what_to_do", in_words_of_tools(std::string(code->kind().what_to_do))}});
    if (Json kinds = finding_kinds_json(topic); !kinds.empty())
        told.update({{"finding", topic}, {"kinds", std::move(kinds)}});
    if (!told.empty())
        return told;
    if (tables["tables"].contains(topic)) {
        told = tables["tables"][topic];
        told["table"] = topic;
        return capped(std::move(told));
    }
    throw ToolProblem(fmt::format("nothing is called \"{}\": give the id of a metric, the code of a notice or finding, "
                                  "the name of a table, metrics, tables, step or a step such as \"step 12\"",
                                  shortened(terminal_safe(topic), 60)));
}

std::optional<Json> StdioServer::call(const Json& id, const Json& parameters, const std::stop_token& stop) {
    const std::string name = text_in(parameters, "name");
    const auto tool = std::ranges::find(tools(), name, &Tool::name);
    if (tool == tools().end())
        return failure(id, kInvalidParams, fmt::format("there is no tool \"{}\"", shortened(valid_utf8(name), 60)));
    Json result;
    const auto problem = [&](std::string_view message) {
        result = {{"content", Json::array({{{"type", "text"}, {"text", valid_utf8(message)}}})}, {"isError", true}};
    };
    try {
        const Json& arguments = object_in(parameters, "arguments");
        tool->check(arguments);
        const Json value = (this->*tool->answer)(arguments, stop);
        result["content"] = Json::array({{{"type", "text"}, {"text", text_of_message(value)}}});
        result["isError"] = false;
    } catch (const ToolProblem& error) {
        problem(in_words_of_tools(error.what()));
    } catch (const std::bad_alloc&) {
        problem("not enough memory for this");
    } catch (const std::runtime_error& error) { // oneTBB, where no thread can be had
        problem(fmt::format("the system refuses what this needs: {}", error.what()));
    }
    if (stop.stop_requested())
        return {};
    return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

std::optional<Json> StdioServer::answer_one(const Json& request, const std::stop_token& stop) {
    if (!request.is_object())
        return failure(nullptr, kInvalidRequest, "a request is an object");
    const std::string method = text_in(request, "method");
    const bool has_id = request.contains("id");
    if (method.empty() && !request.contains("method") && (request.contains("result") || request.contains("error")))
        return {}; // an answer; this program asks nothing
    if (has_id && !message_id(request))
        return failure(nullptr, kInvalidRequest, "the id of a request is text or a whole number");
    const Json id = has_id ? request["id"] : Json();
    if (text_in(request, "jsonrpc") != "2.0" || method.empty())
        return failure(id, kInvalidRequest, "a request has \"jsonrpc\": \"2.0\" and a method");
    if (!has_id)
        return {}; // a notification
    const auto result = [&](Json value) { return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(value)}}; };
    if (request.contains("params") && !request["params"].is_object())
        return failure(id, kInvalidParams, "params has to be an object");
    const Json& parameters = object_in(request, "params");
    if (method == "initialize") {
        const std::string wanted = text_in(parameters, "protocolVersion");
        const auto known = std::ranges::find(kProtocolVersions, wanted);
        return result(
            {{"protocolVersion", known == kProtocolVersions.end() ? kProtocolVersions.front() : *known},
             {"capabilities", {{"tools", Json::object()}}},
             {"serverInfo", {{"name", "rankscope"}, {"title", "Rankscope"}, {"version", kVersion}}},
             {"instructions", "Open a run first, then ask for its summary, then why. Names say the unit: _us are "
                              "microseconds, _ns nanoseconds. Tables are columns and rows. A link is a command that "
                              "shows the place in Rankscope's window."}});
    }
    if (method == "ping")
        return result(Json::object());
    if (method == "tools/list") {
        Json list = Json::array();
        for (const Tool& tool : tools())
            list.push_back(tool.json());
        return result({{"tools", std::move(list)}});
    }
    if (method == "tools/call")
        return call(id, parameters, stop);
    return failure(id, kMethodNotFound, fmt::format("there is no method \"{}\"", shortened(valid_utf8(method), 60)));
}

std::optional<Json> StdioServer::answer(const Json& message, const std::stop_token& stop) {
    if (!message.is_array())
        return answer_one(message, stop);
    if (message.empty())
        return failure(nullptr, kInvalidRequest, "an empty batch");
    Json answers = Json::array();
    for (const Json& one : message)
        if (auto own = answer_one(one, stop))
            answers.push_back(std::move(*own));
    return answers.empty() ? std::nullopt : std::optional(std::move(answers));
}

std::optional<std::string> StdioServer::answer_line(std::string_view message) {
    const Json parsed = parse_shallow_json<Json>(message);
    const auto answered = parsed.is_discarded() ? not_json() : answer(parsed);
    return answered ? std::optional(text_of_message(*answered)) : std::nullopt;
}

Json StdioServer::not_json() {
    return failure(nullptr, kParseError, "this line is not JSON, or nests deeper than 64 levels");
}
Json StdioServer::too_long() { return failure(nullptr, kInvalidRequest, "a message may have 1 MB"); }

std::string text_of_message(const Json& message) {
    return terminal_safe_json(message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<std::string> message_id(const Json& message, const char* key) {
    if (!message.is_object() || !message.contains(key))
        return {};
    const Json& id = message[key];
    return id.is_string() || id.is_number_integer() ? std::optional(text_of_message(id)) : std::nullopt;
}

} // namespace rankscope
