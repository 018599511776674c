// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/study_page.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/metrics/numbers.h"
#include "core/report/html_page.h"
#include "core/report/html_table.h"
#include "core/report/markup.h"
#include "core/report/study_report.h"
#include "core/report/study_table.h"
#include "core/report/svg_charts.h"
#include "core/version.h"

namespace rankscope {
namespace {

constexpr double kNoSpread = std::numeric_limits<double>::quiet_NaN();

bool study_scales(const Study& study) {
    return std::ranges::any_of(
        study.scaling, [](const auto& scaling) { return scaling.has_value(); });
}

std::string with_unit(const Metric& metric) {
    return metric.unit.empty() ? metric.id : fmt::format("{} ({})", metric.id, metric.unit);
}

std::string metric_chart(const Study& study, const Metric& metric) {
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        if (const StudyValue* value = study.runs[i].find(metric.id)) {
            const bool changed = std::ranges::any_of(study.changes, [&](const StudyChange& change) {
                return change.run == i && change.metric->id == metric.id;
            });
            points.push_back({static_cast<double>(i), value->value, value->spread.value_or(kNoSpread),
                              fmt::format("{} ({} {})", study.runs[i].label, study.key, study.texts[i]), changed});
        }
    if (points.size() < 2)
        return {};
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                       series_svg(points, metric.title, metric.unit), escaped_markup(with_unit(metric)));
}

std::string html_of(const StudyTable& table) {
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < table.titles.size(); ++i)
        titles.push_back((i < table.text_columns ? "" : "#") + table.titles[i]);
    HtmlTable html(titles);
    for (const auto& row : table.rows) {
        for (const StudyTable::Cell& cell : row) {
            const std::string text = cell.text.empty() ? "-" : cell.text;
            if (!cell.link.empty())
                html.link(text, cell.link);
            else if (cell.best)
                html.cell(text, "better");
            else
                html.cell(text);
        }
        html.end_row();
    }
    return html.html();
}

std::string pareto_part(const Study& study, const std::optional<ParetoMetrics>& metrics) {
    if (!metrics)
        return {};
    std::vector<ParetoPoint> points;
    for (const StudyRun& run : study.runs) {
        const StudyValue* const x = run.find(metrics->x->id);
        const StudyValue* const y = run.find(metrics->y->id);
        if (x != nullptr && y != nullptr)
            points.push_back({x->value, y->value, run.label});
    }
    const auto axis = [](const Metric& metric) {
        return ParetoAxis{metric.title, metric.unit, metric.better != Better::higher};
    };
    if (points.size() < 2)
        return {};
    return "<h2>Which run for which purpose</h2>\n<p class=\"dim\">Of the runs on the line no other is better in both; "
           "all others are beaten by one of them (Pareto's front).</p>\n<figure>" +
           pareto_svg(points, axis(*metrics->x), axis(*metrics->y)) + "</figure>\n";
}

std::string levels_part(const Study& study) {
    std::string html;
    for (const std::string& sentence : {fastest_and_slowest(study), study.note})
        if (!sentence.empty())
            html += fmt::format("<p class=\"lead\">{}</p>\n", escaped_markup(sentence));
    if (study.changes.empty() && has_enough_for_changes(study) && study.note.empty())
        html += "<p class=\"lead\">No metric changed its level from one run on.</p>\n";
    if (study.changes.empty())
        return html;
    html += fmt::format("<p class=\"lead\">{}</p>\n<ul>",
                        study.changes.size() == 1 ? "One metric changed its level:"
                                                  : fmt::format("{} changes of level:", study.changes.size()));
    for (const StudyChange& change : study.changes)
        html += fmt::format("<li>{}</li>\n", escaped_markup(study_change_text(study, change)));
    return html + "</ul>\n";
}

/// All settings of each run: what its workload card and its recording say.
std::string settings_part(const Study& study) {
    std::string html;
    for (const StudyRun& run : study.runs) {
        if (run.config.empty())
            continue;
        HtmlTable table({"setting", "value"});
        for (const auto& [key, value] : run.config) {
            table.cell(key).cell(value);
            table.end_row();
        }
        html += fmt::format("<details><summary>{}: {} settings</summary>{}</details>\n", escaped_markup(run.label),
                            run.config.size(), table.html());
    }
    return html.empty() ? html : "<h2>Settings</h2>\n" + html;
}

} // namespace

std::optional<ParetoMetrics> usual_pareto(const Study& study) {
    const MetricList metrics = metrics_of(study.runs);
    const auto find = [&](std::string_view id) {
        const auto found = std::ranges::find(metrics, id, [](const MetricPointer& metric) { return metric->id; });
        return found == metrics.end() ? MetricPointer() : *found;
    };
    for (const auto& [x, y] : {std::pair("tpot", "serving_throughput"), std::pair("ttft", "serving_throughput"),
                               std::pair("step_time", "memory")})
        if (const ParetoMetrics pair{find(x), find(y)}; pair.x && pair.y)
            return pair;
    return {};
}

std::string study_html(const Study& study, const std::optional<ParetoMetrics>& pareto) {
    const MetricList metrics = metrics_of(study.runs);
    const bool columns = study.runs.size() <= kMostColumns;
    std::string html = fmt::format("<h1>Study of {} {}</h1>\n<p class=\"dim\">Rankscope {}. Ordered by {}.</p>\n",
                                   study.runs.size(), study.runs.size() == 1 ? "run" : "runs", kVersion,
                                   escaped_markup(study.ranked_by.empty() ? study.key : study.ranked_by));
    html += levels_part(study);
    html +=
        "<h2>Runs</h2>\n" + html_of(study_table(study, columns ? metrics : main_metrics(study, true), columns, true));
    if (study_scales(study))
        html +=
            "<p class=\"dim\">Efficiency by step_time (what the GPU takes for an iteration) against the smallest "
            "run: strong scaling is right where all runs do the same work, weak scaling where each rank does. 1: no "
            "loss.</p>\n";
    html += pareto_part(study, pareto);
    std::string charts;
    for (const MetricPointer& metric : metrics)
        charts += metric_chart(study, *metric);
    if (!charts.empty())
        html += "<h2>Metrics over the runs</h2>\n<p class=\"dim\">Each on its own scale, in the order of the table. "
                "Bars: the spread between the iterations of a run. A line marks the first run on a new level.</p>\n"
                "<div class=\"grid2\">" +
                charts + "</div>\n";
    html += settings_part(study);
    return html_page("Rankscope: study of " + std::to_string(study.runs.size()) + " runs", html);
}

std::vector<Sheet> study_sheets(const Study& study) {
    const MetricList metrics = metrics_of(study.runs);
    const bool scales = study_scales(study);
    Sheet runs{"Study", {{study.key}, {"run"}, {"world_size", NumberStyle::whole}}, {}, false, {}};
    if (scales)
        runs.columns.insert(runs.columns.end(), {{"strong_efficiency", NumberStyle::three_decimals},
                                                 {"weak_efficiency", NumberStyle::three_decimals}});
    for (const MetricPointer& metric : metrics) {
        runs.columns.push_back({with_unit(*metric), NumberStyle::plain, false, metric->definition});
        runs.columns.push_back({metric->id + " spread"});
    }
    runs.columns.push_back({"path"});
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyRun& run = study.runs[i];
        std::vector<Cell> row{study.texts[i], run.label, number_cell(run.world_size)};
        if (scales)
            for (const double StudyEfficiency::*part : {&StudyEfficiency::strong, &StudyEfficiency::weak})
                row.push_back(study.scaling[i] ? Cell((*study.scaling[i]).*part) : Cell());
        for (const MetricPointer& metric : metrics) {
            const StudyValue* value = run.find(metric->id);
            row.push_back(value == nullptr ? Cell() : Cell(value->value));
            row.push_back(value == nullptr || !value->spread ? Cell() : Cell(*value->spread));
        }
        row.emplace_back(run.path);
        runs.rows.push_back(std::move(row));
    }
    std::vector<Sheet> sheets{std::move(runs)};
    if (study.changes.empty())
        return sheets;
    Sheet changes{"Changes",
                  {{"metric"},
                   {"first run on the new level"},
                   {"before"},
                   {"after"},
                   {"change %", NumberStyle::two_decimals},
                   {"unit"},
                   {"chance"},
                   {"in words"}},
                  {},
                  false,
                  {}};
    for (const StudyChange& change : study.changes)
        changes.rows.push_back({change.metric->id, study.runs[change.run].label, change.before, change.after,
                                rounded(change.percent()), change.metric->unit, change.chance,
                                study_change_text(study, change)});
    sheets.push_back(std::move(changes));
    return sheets;
}

} // namespace rankscope
