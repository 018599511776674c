// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/study_report.h"

#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/base/safe_json.h"
#include "core/metrics/numbers.h"
#include "core/metrics/value_words.h"
#include "core/report/csv.h"
#include "core/version.h"

namespace rankscope {
namespace {

const StudyChange* change_with(const Study& study, std::size_t run, const Metric& metric) {
    for (const StudyChange& change : study.changes)
        if (change.run == run && change.metric->id == metric.id)
            return &change;
    return nullptr;
}

/// best_runs() by id.
std::map<std::string, std::vector<bool>> best_by_metric(const Study& study) {
    std::map<std::string, std::vector<bool>> best;
    for (const MetricPointer& metric : metrics_of(study.runs))
        best.emplace(metric->id, best_runs(study, *metric));
    return best;
}

} // namespace

std::string study_csv(const Study& study) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    CsvTable table{
        "order",  "run",  "key",    "key_value",           "world_size",      "first_event_ns", "metric",
        "value",  "unit", "spread", "strong_efficiency",   "weak_efficiency", "change",         "change_percent",
        "chance", "path", "best",   "against_best_percent"};
    const auto best = best_by_metric(study);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyRun& run = study.runs[i];
        for (const StudyValue& value : run.values) {
            const StudyChange* change = change_with(study, i, *value.metric);
            const auto& scaling = study.scaling[i];
            const bool scales =
                scaling && value.metric->id == (run.find("step_time") != nullptr ? "step_time" : "iter_time");
            table.integer(static_cast<std::int64_t>(i))
                .text(run.label)
                .text(study.key)
                .text(study.texts[i])
                .integer(run.world_size);
            if (run.first == 0)
                table.empty();
            else
                table.integer(run.first);
            table.text(value.metric->id)
                .number(value.value)
                .text(value.unit())
                .number(value.spread.value_or(kNone))
                .number(scales ? rounded(scaling->strong) : kNone)
                .number(scales ? rounded(scaling->weak) : kNone)
                .text(change == nullptr ? "" : change_status_word(change->status))
                .number(change == nullptr ? kNone : rounded(change->percent()))
                .number(change == nullptr ? kNone : change->chance)
                .text(run.path)
                .text(best.at(value.metric->id)[i] ? "best" : "")
                .number(value.metric->id == study.ranked_by && study.against_best[i] ? rounded(*study.against_best[i])
                                                                                     : kNone)
                .end_row();
        }
    }
    return table.content();
}

std::string study_json(const Study& study) {
    Json runs = Json::array();
    const auto best = best_by_metric(study);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const StudyRun& run = study.runs[i];
        Json metrics = Json::object();
        Json best_of = Json::array();
        for (const StudyValue& value : run.values)
            if (best.at(value.metric->id)[i])
                best_of.push_back(value.metric->id);
        for (const StudyValue& value : run.values)
            metrics[value.metric->id] = {{"value", value.value},
                                         {"unit", value.unit()},
                                         {"spread", value.spread ? Json(*value.spread) : Json(nullptr)}};
        Json entry{{"name", run.label},
                   {"path", run.path},
                   {"key", study.texts[i].empty() ? Json(nullptr) : Json(study.texts[i])},
                   {"world_size", run.world_size},
                   {"traced_ranks", run.traced},
                   {"first_event_ns", run.first == 0 ? Json(nullptr) : Json(run.first)},
                   {"metrics", std::move(metrics)},
                   {"best", std::move(best_of)}};
        if (!run.report.empty())
            entry["report"] = run.report;
        if (!study.ranked_by.empty())
            entry["against_best_percent"] = study.against_best[i] ? Json(rounded(*study.against_best[i])) : Json();
        if (study.scaling[i])
            entry["efficiency"] = {{"strong", rounded(study.scaling[i]->strong)},
                                   {"weak", rounded(study.scaling[i]->weak)}};
        runs.push_back(std::move(entry));
    }
    Json changes = Json::array();
    for (const StudyChange& change : study.changes)
        changes.push_back({{"metric", change.metric->id},
                           {"run", study.runs[change.run].label},
                           {"order", change.run},
                           {"before", change.before},
                           {"after", change.after},
                           {"percent_change", rounded(change.percent())},
                           {"status", change_status_word(change.status)},
                           {"chance", change.chance}});
    Json document{
        {"schema", "rankscope.study.v1"}, {"version", kVersion},          {"by", study.key}, {"note", study.note},
        {"runs", std::move(runs)},        {"changes", std::move(changes)}};
    if (!study.ranked_by.empty())
        document["rank_by"] = study.ranked_by;
    return terminal_safe_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
}

std::string study_change_text(const Study& study, const StudyChange& change) {
    return fmt::format("{}: {:+.2f} % with {} ({} to {} {}, {}); chance that noise looks so: {:.1g}", change.metric->id,
                       change.percent(), study.runs[change.run].label, plain_digits(change.before),
                       plain_digits(change.after), change.metric->unit, change_status_word(change.status),
                       change.chance);
}

} // namespace rankscope
