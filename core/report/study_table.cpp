// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/study_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/metrics/value_words.h"

namespace rankscope {
namespace {

const std::string kGpu = "trace.device.name";

/// What is told of each run.
struct Line {
    std::string title;
    bool is_text = false;
    std::vector<StudyTable::Cell> cells;
};

Line metric_line(const Study& study, const Metric& metric) {
    Line line{metric.unit.empty() ? metric.id : fmt::format("{} ({})", metric.id, metric.unit), false, {}};
    const std::vector<bool> best = best_runs(study, metric);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyValue* const value = study.runs[i].find(metric.id);
        line.cells.push_back({value == nullptr ? std::string()
                              : value->spread  ? digits_with_spread(value->value, *value->spread)
                                               : plain_digits(value->value),
                              best[i],
                              {}});
    }
    return line;
}

/// Of the metric that ranks the runs, else of the step's time.
Line against_best_line(const Study& study, const MetricList& metrics) {
    const std::string_view id = study.ranked_by.empty() ? step_metric(study.runs) : study.ranked_by;
    Line line{fmt::format("{} against the best", id), false, {}};
    const auto metric = std::ranges::find(metrics, id, [](const MetricPointer& each) { return each->id; });
    if (metric == metrics.end())
        return line;
    for (const std::optional<double>& percent : against_best(study, **metric))
        line.cells.push_back({percent ? change_words(*percent) : std::string(), false, {}});
    return line;
}

std::vector<Line> lines_of(const Study& study, const MetricList& metrics, bool always_gpu) {
    std::vector<Line> lines;
    const auto add = [&](std::string title, bool is_text, const auto& text_of) {
        Line line{std::move(title), is_text, {}};
        for (std::size_t i = 0; i < study.runs.size(); ++i)
            line.cells.push_back({text_of(i), false, {}});
        lines.push_back(std::move(line));
    };
    if (study.key != "name")
        add(
            study.key, true, [&](std::size_t i) { return study.texts[i]; });
    add("run", true, [&](std::size_t i) { return study.runs[i].label; });
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        lines.back().cells[i].link = study.runs[i].report;
    if (always_gpu && std::ranges::any_of(study.runs, [](const StudyRun& run) { return run.config.contains(kGpu); }))
        add("GPU", true, [&](std::size_t i) { return study_key_text(study.runs[i], kGpu); });
    for (const StudySetting& setting : settings_that_differ(study, 6))
        if (!always_gpu || setting.key != kGpu)
            add(
                setting.key, true, [&](std::size_t i) { return setting.values[i]; });
    add("ranks", false, [&](std::size_t i) { return study.runs[i].ranks_text(); });
    if (Line line = against_best_line(study, metrics); !line.cells.empty())
        lines.push_back(std::move(line));
    for (const MetricPointer& metric : metrics)
        lines.push_back(metric_line(study, *metric));
    if (std::ranges::any_of(study.scaling, [](const auto& scaling) { return scaling.has_value(); }))
        for (const auto& [title, part] :
             {std::pair("strong scaling", &StudyEfficiency::strong), std::pair("weak scaling", &StudyEfficiency::weak)})
            add(title, false, [&](std::size_t i) {
                return study.scaling[i] ? fmt::format("{:.3f}", (*study.scaling[i]).*part) : std::string();
            });
    return lines;
}

} // namespace

MetricList main_metrics(const Study& study, bool few) {
    constexpr std::array<std::string_view, 6> kFew{"step_time", "iter_time",         "throughput_tokens",
                                                   "mfu",       "comm_comp_overlap", "straggler_lag"};
    constexpr std::array<std::string_view, 8> kMore{"exposed_comm", "wait_for_ranks", "bubble", "idle",
                                                    "ttft",         "tpot",           "memory", "serving_throughput"};
    MetricList chosen;
    for (const MetricPointer& metric : metrics_of(study.runs))
        if (std::ranges::find(kFew, metric->id) != kFew.end() || metric->id == study.ranked_by ||
            (!few && std::ranges::find(kMore, metric->id) != kMore.end()))
            chosen.push_back(metric);
    return chosen;
}

StudyTable study_table(const Study& study, const MetricList& metrics, bool run_per_column, bool always_gpu) {
    const std::vector<Line> lines = lines_of(study, metrics, always_gpu);
    StudyTable table;
    table.run_per_column = run_per_column;
    if (run_per_column) { // the line "run" is the heading
        const auto heading = std::ranges::find(lines, "run", &Line::title);
        table.titles.emplace_back();
        for (const StudyTable::Cell& cell : heading->cells)
            table.titles.push_back(cell.text);
        for (const Line& line : lines) {
            const bool linked = std::ranges::any_of(line.cells, [](const auto& cell) { return !cell.link.empty(); });
            if (&line == &*heading && !linked)
                continue;
            auto& row = table.rows.emplace_back();
            row.push_back({linked ? "report" : line.title, false, {}});
            row.insert(row.end(), line.cells.begin(), line.cells.end());
        }
        return table;
    }
    table.text_columns = static_cast<std::size_t>(std::ranges::count(lines, true, &Line::is_text));
    table.rows.resize(study.runs.size());
    for (const Line& line : lines) {
        table.titles.push_back(line.title);
        for (std::size_t i = 0; i < study.runs.size(); ++i)
            table.rows[i].push_back(line.cells[i]);
    }
    return table;
}

} // namespace rankscope
