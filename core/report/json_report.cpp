// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON document rankscope.metrics.v1.
#include "core/report/json_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/analysis/collectives/link_fits.h"
#include "core/base/safe_json.h"
#include "core/base/shallow_json.h"
#include "core/base/text.h"
#include "core/compare/change_explanation.h"
#include "core/compare/config_comparison.h"
#include "core/compare/config_influence.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/side_by_side.h"
#include "core/remote/remote_path.h"
#include "core/report/critical_path_csv.h"
#include "core/report/facts_report.h"
#include "core/report/findings_csv.h"
#include "core/report/hang_report.h"
#include "core/report/link_report.h"
#include "core/report/memory_report.h"
#include "core/trace/rank_ranges.h"
#include "core/trace/step_ends.h"
#include "core/version.h"
#include "core/views/efficiency_tree.h"

namespace rankscope {
namespace {

/// Names come from traces and need not be valid UTF-8; nlohmann replaces what is not, instead of throwing.
std::string text_of(const Json& document) {
    return terminal_safe_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
}

Json optional_number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json described(const Metric& metric) {
    return {{"title", metric.title}, {"unit", metric.unit}, {"better", better_word(metric.better)}};
}

Json metrics_of(const MetricReport& report) {
    Json out = Json::object();
    for (const auto& [metric, result] : report.entries)
        out[metric->id] = metric_json(*metric, result);
    return out;
}

/// A configuration value as the file had it: a number or truth value where the text is exactly one, else the text.
Json config_value(const std::string& text) {
    Json value = parse_shallow_json<Json>(text);
    return (value.is_number() || value.is_boolean()) && value.dump() == text ? value : Json(text);
}

Json config_json(const RunConfig& config) {
    Json out = Json::object();
    for (const auto& [key, text] : config)
        out[key] = config_value(text);
    return out;
}

Json timeline_json(const GpuTimeline& gpu) {
    return {{"total_us", as_us(gpu.total)},
            {"busy_us", as_us(gpu.busy)},
            {"computation_us", as_us(gpu.computation)},
            {"total_comm_us", as_us(gpu.total_comm)},
            {"exposed_comm_us", as_us(gpu.exposed_comm)},
            {"exposed_comm_with_waits_us", as_us(gpu.exposed_comm)}, // the name that it has everywhere
            {"total_memcpy_us", as_us(gpu.total_memcpy)},
            {"exposed_memcpy_us", as_us(gpu.exposed_memcpy)},
            {"idle_us", as_us(gpu.idle)},
            {"overlap_us", as_us(gpu.overlap)}};
}

Json rank_json(const RankAnalysis& rank) {
    const auto is_kernel = [&](const GpuSlice& slice) {
        return rank.trace->events.kind[slice.event] == EventKind::kernel;
    };
    const auto is_comm_kernel = [&](const GpuSlice& slice) {
        return is_kernel(slice) && slice.kernel_class == KernelClass::communication;
    };
    Json iterations = Json::array();
    for (const ProfilerStep& step : rank.steps)
        if (has_known_end(*rank.trace, step.number))
            iterations.push_back(as_us(step.range.length()));
    return {{"rank", rank.trace->rank},
            {"device", rank.trace->device()},
            {"gpu_timeline", timeline_json(rank.timeline)},
            {"iterations_us", std::move(iterations)},
            {"kernels", std::ranges::count_if(rank.gpu_work, is_kernel)},
            {"comm_kernels", std::ranges::count_if(rank.gpu_work, is_comm_kernel)}};
}

/// file: of all files together, nullptr.
Json accounting_json(const Accounting& accounting, const std::filesystem::path* file = nullptr) {
    Json not_shown = Json::object();
    for (std::size_t i = 0; i < kNotShownCount; ++i)
        if (accounting.not_shown[i] > 0)
            not_shown[std::string(not_shown_word(static_cast<NotShown>(i)))] = accounting.not_shown[i];
    Json json = Json::object();
    if (file != nullptr)
        json["file"] = file->string();
    json["events_in_file"] = accounting.events_in_file;
    json["on_timeline"] = accounting.on_timeline;
    json["not_shown"] = std::move(not_shown);
    if (!accounting.rows_by_table.empty())
        json["rows_by_table"] = accounting.rows_by_table;
    return json;
}

Json accounting_of_files(const Run& run) {
    // The demo's path is a name, the same every time; its files lie in a temporary folder.
    std::error_code error;
    const bool only_a_name = !is_remote(run.path) && !std::filesystem::exists(run.path, error);
    Json files = Json::array();
    for (const FileAccounting& of_file : accounting_by_file(run)) {
        const std::filesystem::path file = only_a_name ? run.path / of_file.file.filename() : of_file.file;
        files.push_back(accounting_json(of_file.accounting, &file));
    }
    return files;
}

/// Without collectives that end together nothing tells how well the clocks agree: no residual.
Json clock_json(const RunAnalysis& analysis) {
    const ClockAlignment& clock = analysis.clock();
    Json offsets = Json::object();
    for (std::size_t i = 0; i < analysis.run().ranks.size(); ++i)
        offsets[std::to_string(analysis.run().ranks[i]->rank)] = as_us(clock.offset[i]);
    const bool told = std::ranges::any_of(analysis.collectives().matched, [](const MatchedCall& call) {
        return call.members.size() > 1 && synchronises(call.kind);
    });
    Json json{{"method", clock.method()},
              {"offset_us", std::move(offsets)},
              {"residual_us", told ? Json(as_us(clock.residual)) : Json(nullptr)}};
    for (std::size_t i = 0; i < clock.drift.size(); ++i)
        json["drift_ppm"][std::to_string(analysis.run().ranks[i]->rank)] = std::round(1e9 * clock.drift[i]) / 1e3;
    return json;
}

Json run_json(const AnalysedRun& analysed) {
    const Run& run = analysed.run();
    Json ranks = Json::array();
    for (const auto& rank : run.ranks)
        ranks.push_back(rank->rank);
    Json per_rank = Json::array();
    for (const RankAnalysis& rank : analysed.analysis->ranks())
        per_rank.push_back(rank_json(rank));
    const std::vector<RankRange> missing = missing_ranges(run);
    Json json{{"role", analysed.role},
              {"name", analysed.label},
              {"path", run.path.string()},
              {"source", trace_source_word(run.source)},
              {"world_size", run.world_size},
              {"ranks", std::move(ranks)},
              {"missing_ranks", run.missing_ranks},
              {"iterations", iteration_numbers(*analysed.analysis)},
              {"span_us", as_us(analysed.analysis->length())},
              {"events", run.event_count()},
              {"accounting", accounting_of_files(run)},
              {"accounting_total", accounting_json(accounting_of(run))},
              {"clock", clock_json(*analysed.analysis)},
              {"notices", notices_json(analysed.notices)},
              {"config", config_json(run.config)},
              {"metrics", metrics_of(analysed.metrics)},
              {"facts", facts_json(*analysed.analysis)},
              {"summary", english(analysed.analysis->findings().summary)},
              {"judged", judged_json(analysed.analysis->findings().judged)},
              {"waiting", waiting_json(*analysed.analysis)},
              {"critical_path", critical_paths_json(*analysed.analysis)},
              {"per_rank", std::move(per_rank)}};
    if (rank_count(missing) > static_cast<std::int64_t>(kMostMissingListed)) {
        Json& ranges = json["missing_rank_ranges"] = Json::array();
        for (const RankRange& range : missing)
            ranges.push_back({range.first, range.last});
        json["missing_rank_count"] = rank_count(missing);
    }
    if (!analysed.analysis->link_fits().fits.empty() || !run.nccl_tests.empty())
        json["links"] = links_json(*analysed.analysis);
    if (has_memory_snapshots(std::span(&analysed, 1)))
        json["memory"] = snapshot_memory_json(*analysed.analysis);
    if (const Hang* hang = analysed.hang(); hang != nullptr)
        json["hang"] = hang_json(*hang);
    return json;
}

/// Times rounded to the nanosecond, as everywhere in the document.
double whole_ns(double us) { return std::round(us * 1000) / 1000; }

Json changes_json(const ChangeExplanation& change) {
    if (!change.unavailable.empty())
        return {
            {"available", false}, {"reason", english(change.unavailable)}, {"sentences", english(change.sentences)}};
    Json parts = Json::array();
    for (const ChangePart& part : change.parts)
        parts.push_back({{"id", part.id},
                         {"title", english(part.title)},
                         {"baseline_us", whole_ns(part.baseline_us)},
                         {"test_us", whole_ns(part.test_us)},
                         {"difference_us", whole_ns(part.difference_us())},
                         {"cause", english(part.cause)}});
    Json json_changes = {{"available", true},
                         {"of", english(change.iteration)},
                         {"baseline_us", whole_ns(change.baseline_us)},
                         {"test_us", whole_ns(change.test_us)},
                         {"difference_us", whole_ns(change.difference_us())},
                         {"residual_us", whole_ns(change.residual_us())},
                         {"setup", english(change.setup)},
                         {"slow_rank", english(change.slow_rank)},
                         {"parts", std::move(parts)},
                         {"sentences", english(change.sentences)}};
    if (change.steps)
        json_changes["steps"] = {{"run", change.steps->in_test ? "test" : "baseline"},
                                 {"numbers", change.steps->numbers},
                                 {"words", english(change.steps->words)},
                                 {"baseline_us", whole_ns(change.steps->baseline_us)},
                                 {"test_us", whole_ns(change.steps->test_us)},
                                 {"others_baseline_us", whole_ns(change.steps->others_baseline_us)},
                                 {"others_test_us", whole_ns(change.steps->others_test_us)}};
    return json_changes;
}

Json compared_run_json(const RunAnalysis& analysis) {
    const RunOutline outline = outline_of(analysis);
    return {{"steps", outline.steps},           {"ranks", outline.ranks},
            {"world_size", outline.world_size}, {"recorded_ms", outline.recorded_ms},
            {"step_ms", outline.step_ms},       {"gpu", outline.gpu},
            {"engine", outline.engine}};
}

Json comparability_json(const RunComparison& comparison) {
    const Comparability& common = comparison.comparability();
    return {{"comparable", common.comparable()},
            {"verdict", english(common.verdict)},
            {"kernel_time_in_common_percent", optional_number(common.kernel_time_percent)},
            {"operator_time_in_common_percent", optional_number(common.operator_time_percent)},
            {"other_iterations", english(common.other_iterations)},
            {"inputs",
             {{"recorded_in_baseline", common.inputs.of_baseline},
              {"recorded_in_test", common.inputs.of_test},
              {"differ", english(common.inputs.differ)}}},
            {"baseline", compared_run_json(*comparison.part().baseline)},
            {"test", compared_run_json(*comparison.part().test)},
            {"left_out", english(comparison.part().sentences)}};
}

/// all: values of all steps, beside those of equal batches.
Json equal_batches_json(const AllSteps& all, std::size_t steps) {
    return {{"steps", steps}, {"all_steps_baseline", all.baseline}, {"all_steps_test", all.test}};
}

Json gate_json(const GateResult& result) {
    Json out = {{"expression", result.gate.expression},
                {"value", optional_number(result.value)},
                {"limit", std::isnan(result.gate.limit) ? Json(nullptr) : Json(result.gate.limit)},
                {"passed", result.passed},
                {"run", result.run},
                {"text", gate_words(result)}};
    if (result.baseline && result.test)
        out.update({{"baseline", *result.baseline},
                    {"test", *result.test},
                    {"interval_percent", optional_number(result.interval_percent)},
                    {"within_interval", result.within_interval},
                    {"of_common_part", result.of_common_part}});
    if (result.all_steps)
        out["equal_batches"] = equal_batches_json(*result.all_steps, result.equal_steps);
    if (!result.not_at_equal_batches.empty())
        out["not_at_equal_batches"] = result.not_at_equal_batches;
    if (result.gate.of_history)
        out.update({{"history_runs", result.history_runs}, {"per_iteration", result.per_iteration}});
    if (result.bound != ValueBound::none)
        out["bound"] = bound_word(result.bound);
    if (!result.value)
        out["reason"] = english(result.reason);
    return out;
}

} // namespace

Json notices_json(const Notices& notices) {
    Json out = Json::array();
    for (const Notice& notice : notices)
        out.push_back({{"code", notice.code.word()},
                       {"message", english(notice.message)},
                       {"file", notice.file},
                       {"count", notice.count}});
    return out;
}

Json metric_json(const Metric& metric, const MetricResult& result) {
    Json entry = described(metric);
    entry["available"] = result.available;
    if (result.available)
        entry["value"] = result.value;
    else
        entry["reason"] = english(result.reason);
    if (result.bound != ValueBound::none) {
        entry["bound"] = bound_word(result.bound);
        entry["bound_reason"] = english(result.bound_reason);
    }
    if (result.available || !result.details.empty())
        entry["details"] = result.details;
    return entry;
}

Json comparison_json(const AnalysedRun& baseline, const AnalysedRun& test) {
    Json metrics = Json::object();
    const std::vector<MetricChange>& changes = test.comparison->metrics();
    for (const MetricChange& change : changes) {
        metrics[change.metric->id] = {{"baseline", change.baseline},
                                      {"test", change.test},
                                      {"difference", change.difference},
                                      {"percent_change", optional_number(change.percent_change)},
                                      {"status", change_status_word(change.status)},
                                      {"baseline_spread", optional_number(change.baseline_spread)},
                                      {"test_spread", optional_number(change.test_spread)},
                                      {"interval", optional_number(change.interval)},
                                      {"per_iteration", change.per_iteration}};
        if (change.all_steps)
            metrics[change.metric->id]["equal_batches"] = equal_batches_json(*change.all_steps, change.equal_steps);
        if (!change.not_at_equal_batches.empty())
            metrics[change.metric->id]["not_at_equal_batches"] = english(change.not_at_equal_batches);
        if (!change.interval)
            metrics[change.metric->id]["no_interval"] = english(change.no_interval);
        if (!change.measured_otherwise.empty())
            metrics[change.metric->id]["measured_otherwise"] = change.measured_otherwise;
    }
    if (metrics.contains("parallel_efficiency")) {
        const ScalingEfficiency scaling =
            scaling_efficiency(baseline.analysis->parallel_efficiency(), test.analysis->parallel_efficiency());
        metrics["parallel_efficiency"]["computation_scaling"] = scaling.computation_scaling;
        metrics["parallel_efficiency"]["global_efficiency"] = scaling.global;
    }
    Json config = Json::array();
    for (const ConfigEntry& entry : test.comparison->config())
        if (!entry.equal()) {
            Json moved = Json::array();
            for (const MetricChange* change : may_explain(entry, changes))
                moved.push_back(change->metric->id);
            config.push_back({{"key", entry.key},
                              {"baseline", entry.baseline ? config_value(*entry.baseline) : Json(nullptr)},
                              {"test", entry.test ? config_value(*entry.test) : Json(nullptr)},
                              {"may_explain", std::move(moved)}});
        }
    Json json{{"baseline", baseline.label},
              {"test", test.label},
              {"comparability", comparability_json(*test.comparison)},
              {"metrics", std::move(metrics)},
              {"config", std::move(config)},
              {"changes", changes_json(test.comparison->explanation())}};
    if (Json memory = memory_comparison_json(test.comparison->memory()); !memory.is_null())
        json["memory"] = std::move(memory);
    return json;
}

namespace {

Json step_change_json(const std::optional<MetricChange>& change) {
    return change ? Json{{"percent_change", optional_number(change->percent_change)},
                         {"status", change_status_word(change->status)},
                         {"interval_ms", optional_number(change->interval)}}
                  : Json(nullptr);
}

Json side_by_side_json(std::span<const AnalysedRun> runs) {
    Json list = Json::array();
    const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
    for (std::size_t i = 0; i < runs.size(); ++i)
        list.push_back({{"name", runs[i].label},
                        {"step_ms", optional_number(rows[i].step_ms)},
                        {"best", rows[i].best},
                        {"against_first", step_change_json(rows[i].against_first)},
                        {"against_best", step_change_json(rows[i].against_best)},
                        {"verdict", english(rows[i].verdict)},
                        {"note", english(note_of(rows[i]))}});
    return list;
}

} // namespace

std::string metrics_json(std::span<const AnalysedRun> runs, std::span<const GateResult> gates) {
    Json document = {{"schema", "rankscope.metrics.v1"}, {"version", kVersion}};
    Json& run_list = document["runs"] = Json::array();
    for (const AnalysedRun& run : runs)
        run_list.push_back(run_json(run));
    Json& comparisons = document["comparison"] = Json::array();
    for (std::size_t i = 1; i < runs.size(); ++i)
        comparisons.push_back(comparison_json(runs[0], runs[i]));
    if (runs.size() > 2)
        document["side_by_side"] = side_by_side_json(runs);
    document["findings"] = findings_json(runs);
    for (const AnalysedRun& run : runs)
        if (const Hang* hang = run.hang(); hang != nullptr && !document.contains("hang"))
            document["hang"] = hang_json(*hang);
    if (Json predictions = predictions_json(runs); !predictions.empty())
        document["what_if"] = std::move(predictions);
    Json& gate_list = document["gates"] = Json::array();
    for (const GateResult& gate : gates)
        gate_list.push_back(gate_json(gate));
    return text_of(document);
}

std::string metric_list_json(const MetricList& own) {
    Json metrics = Json::object();
    for (const MetricPointer& metric : all_metrics(own)) {
        Json& entry = metrics[metric->id] = described(*metric);
        entry["topic"] = metric->topic;
        entry["definition"] = metric->definition;
    }
    return text_of({{"schema", "rankscope.metric_list.v1"}, {"version", kVersion}, {"metrics", std::move(metrics)}});
}

std::string metric_value_json(const MetricResult& result) {
    return (result.available ? Json(result.value).dump() : "null") + '\n';
}

} // namespace rankscope
