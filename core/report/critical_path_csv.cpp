// SPDX-License-Identifier: GPL-3.0-or-later
// Critical paths for other programs.
#include "core/report/critical_path_csv.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/statistics.h"
#include "core/metrics/numbers.h"
#include "core/report/csv.h"

namespace rankscope {
namespace {

bool on_gpu(const RankTrace& trace, EventIndex event) { return event < trace.events.gpu_count; }

/// By rank, name, and whether it is GPU work: compilers name operators as the kernels that they launch.
using SlackOf = std::map<std::tuple<std::uint32_t, std::string_view, bool>, std::vector<TimeNs>>;

SlackOf slack_by_name(const RunAnalysis& analysis, const NumberedSteps& steps, std::int64_t step) {
    SlackOf slack;
    for (const EventSlack& event : step_slack(steps, step)) {
        const RankTrace& trace = *analysis.run().ranks[event.rank];
        slack[{event.rank, trace.event_name(event.event), on_gpu(trace, event.event)}].push_back(event.slack);
    }
    return slack;
}

/// Each step has the slack of all events in it, so that steps which overlap share theirs. No program runs so many at
/// once: such marks are no steps, and their slack would take time by the square.
bool overlap_too_often(const StepGraph& graph) {
    constexpr double kMostAtOnce = 64;
    TimeRange all{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    double sum = 0;
    for (const GraphStep& step : graph.steps) {
        all = {std::min(all.begin, step.range.begin), std::max(all.end, step.range.end)};
        sum += static_cast<double>(step.range.length());
    }
    const auto ranks = static_cast<double>(graph.first_gpu_node.size());
    return !graph.steps.empty() && sum > kMostAtOnce * ranks * static_cast<double>(all.length());
}

std::vector<PathRow> rows_of(const RunAnalysis& analysis, const NumberedSteps& steps, const CriticalPath& path,
                             bool with_slack) {
    struct Sum {
        std::int64_t pieces = 0;
        TimeNs time = 0;
    };
    std::map<std::tuple<std::uint32_t, PathClass, std::string_view, bool, bool>, Sum> sums;
    for (const PathSpan& span : path.spans) {
        const RankTrace& trace = *analysis.run().ranks[span.rank];
        const bool between = span.event == kNoEvent;
        const std::string_view name = between ? "" : trace.event_name(span.event);
        Sum& sum = sums[{span.rank, span.path_class, name, between, !between && on_gpu(trace, span.event)}];
        ++sum.pieces;
        sum.time += span.range.length();
    }
    const SlackOf slack = with_slack ? slack_by_name(analysis, steps, path.step) : SlackOf();
    std::vector<PathRow> rows;
    for (const auto& [key, sum] : sums) {
        const auto& [rank, path_class, name, between, of_gpu] = key;
        PathRow row{
            path.step, analysis.run().ranks[rank]->rank, path_class, std::string(name), sum.pieces, sum.time, 0, 0, 0};
        if (const auto found = slack.find({rank, name, of_gpu}); !between && found != slack.end()) {
            const std::vector<TimeNs>& values = found->second;
            row.events = static_cast<std::int64_t>(values.size());
            row.most_slack = std::ranges::max(values);
            row.median_slack = lower_median(values);
        }
        rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const PathRow& a, const PathRow& b) { return a.time > b.time; });
    return rows;
}

/// The classes on the path. Without operators that launch nothing, as in digests, what the host did in and between them
/// is not told apart.
std::vector<std::pair<std::string, TimeNs>> times_by_class(const CriticalPath& path, bool of_digests) {
    constexpr auto kOperator = static_cast<std::size_t>(PathClass::host_operator);
    constexpr auto kOther = static_cast<std::size_t>(PathClass::host_other);
    auto times = path.by_class;
    if (of_digests)
        times[kOperator] += std::exchange(times[kOther], 0);
    std::vector<std::pair<std::string, TimeNs>> result;
    for (std::size_t c = 0; c < kPathClassCount; ++c)
        if (times[c] > 0)
            result.emplace_back(of_digests && c == kOperator ? "host" : path_class_word(static_cast<PathClass>(c)),
                                times[c]);
    return result;
}

} // namespace

std::vector<PathRow> path_rows(const RunAnalysis& analysis, std::int64_t step) {
    const auto& paths = analysis.critical_paths();
    const auto path = std::ranges::find(paths, step, &CriticalPath::step);
    return path != paths.end() ? rows_of(analysis, NumberedSteps(analysis.step_graph()), *path, true)
                               : std::vector<PathRow>();
}

std::string critical_path_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"step",    "rank",   "class",           "name",         "pieces",
                   "time_us", "events", "median_slack_us", "max_slack_us", "run"};
    for (const AnalysedRun& run : runs) {
        const auto& paths = run.analysis->critical_paths();
        const std::optional<NumberedSteps> steps =
            paths.empty() ? std::nullopt : std::optional<NumberedSteps>(run.analysis->step_graph());
        const bool with_slack = !overlap_too_often(run.analysis->step_graph());
        for (const CriticalPath& path : paths)
            for (const PathRow& row : rows_of(*run.analysis, *steps, path, with_slack)) {
                table.integer(row.step)
                    .integer(row.rank)
                    .text(path_class_word(row.path_class))
                    .text(row.name)
                    .integer(row.pieces)
                    .microseconds(row.time);
                if (row.events > 0)
                    table.integer(row.events).microseconds(row.median_slack).microseconds(row.most_slack);
                else
                    table.empty().empty().empty();
                table.text(run.label).end_row();
            }
    }
    return table.content();
}

Json critical_paths_json(const RunAnalysis& analysis) {
    const bool of_digests =
        std::ranges::any_of(analysis.run().ranks, [](const auto& rank) { return rank->digest != nullptr; });
    Json steps = Json::array();
    for (const CriticalPath& path : analysis.critical_paths()) {
        Json by_class = Json::object();
        for (const auto& [key, time] : times_by_class(path, of_digests))
            by_class[key] = as_us(time);
        Json by_rank = Json::object();
        for (std::size_t r = 0; r < path.by_rank.size(); ++r)
            if (path.by_rank[r] > 0)
                by_rank[std::to_string(analysis.run().ranks[r]->rank)] = as_us(path.by_rank[r]);
        steps.push_back({{"step", path.step},
                         {"window_us", as_us(path.window.length())},
                         {"by_class_us", std::move(by_class)},
                         {"by_rank_us", std::move(by_rank)}});
    }
    return steps;
}

} // namespace rankscope
