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

} // namespace

std::string study_html(const Study& study) {
    const MetricList metrics = metrics_of(study.runs);
    const bool scales = study_scales(study);
    std::string html = fmt::format("<h1>Study of {} runs</h1>\n<p class=\"dim\">Rankscope {}. Ordered by {}.</p>\n",
                                   study.runs.size(), kVersion, escaped_markup(study.key));
    if (!study.note.empty())
        html += fmt::format("<p class=\"lead\">{}</p>\n", escaped_markup(study.note));
    if (study.changes.empty()) {
        html += "<p class=\"lead\">No metric changed its level.</p>\n";
    } else {
        html += fmt::format("<p class=\"lead\">{}</p>\n<ul>",
                            study.changes.size() == 1 ? "One metric changed its level:"
                                                      : fmt::format("{} changes of level:", study.changes.size()));
        for (const StudyChange& change : study.changes)
            html += fmt::format("<li>{}</li>\n", escaped_markup(study_change_text(study, change)));
        html += "</ul>\n";
    }
    std::vector<std::string> titles{study.key, "run", "#ranks"};
    if (scales)
        titles.insert(titles.end(), {"#strong scaling", "#weak scaling"});
    for (const MetricPointer& metric : metrics)
        titles.push_back("#" + with_unit(*metric));
    HtmlTable table(titles);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyRun& run = study.runs[i];
        table.cell(study.texts[i].empty() ? "-" : study.texts[i]).cell(run.label).cell(std::to_string(run.world_size));
        if (scales)
            for (const double StudyEfficiency::*part : {&StudyEfficiency::strong, &StudyEfficiency::weak})
                table.cell(study.scaling[i] ? fmt::format("{:.3f}", (*study.scaling[i]).*part) : "-");
        for (const MetricPointer& metric : metrics) {
            const StudyValue* value = run.find(metric->id);
            table.cell(value == nullptr ? "-"
                       : value->spread  ? fmt::format("{:.4g} ± {:.2g}", value->value, *value->spread)
                                        : fmt::format("{:.4g}", value->value));
        }
        table.end_row();
    }
    html += "<h2>Runs</h2>\n" + table.html();
    if (scales)
        html += "<p class=\"dim\">Efficiency by step_time (what the GPU takes for an iteration) "
                "against the smallest run: strong scaling is right where all "
                "runs do "
                "the same work, weak scaling where each rank does. 1: no loss.</p>\n";
    std::string charts;
    for (const MetricPointer& metric : metrics)
        charts += metric_chart(study, *metric);
    if (!charts.empty())
        html += "<h2>Metrics over the runs</h2>\n<p class=\"dim\">Each on its own scale, in the order of the table. "
                "Bars: the "
                "spread between the iterations of a run. A line marks the first run on a new level.</p>\n<div "
                "class=\"grid2\">" +
                charts + "</div>\n";
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
