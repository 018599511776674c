// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets of final_analysis_report.xlsx.
#include "core/report/rccl_sheets.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/operator_diff.h"
#include "core/compare/rccl_comparison.h"
#include "core/compare/side_by_side.h"
#include "core/report/memory_diff.h"
#include "core/report/raw_sheets.h"

namespace rankscope {
namespace {

using enum NumberStyle;

constexpr std::string_view kConvention = "+ is better: (baseline - test) / baseline for times, (test - baseline) / "
                                         "baseline for bandwidths. Better beyond +1 %, Worse "
                                         "beyond -1 %, else Similar.";

constexpr std::string_view kOfDashboard =
    "+ is better: (baseline - test) / baseline for times, (test - baseline) / baseline for bandwidths. Better and "
    "Worse "
    "only where the step's time is as well, else Changed; Similar up to 1 %, and within the interval of the change.";

using Cells = std::vector<Cell>;

template <typename T>
Cell optional_cell(const std::optional<T>& value) {
    return value ? Cell(*value) : Cell();
}

/// What is in one run only is said, not dropped.
std::string only_in(bool in_baseline) { return in_baseline ? "Only in baseline" : "Only in test"; }

class Pair {
public:
    Pair(const AnalysedRun& baseline, const AnalysedRun& test)
        : baseline_(baseline), test_(test), part_(test.comparison->part()) {}

    [[nodiscard]] std::vector<Sheet> sheets() const {
        std::vector<Sheet> all{dashboard(), summary(), by_rank(), implicit_sync(), long_table(), config(), operators()};
        if (!test_.comparison->memory().empty())
            all.push_back(memory_diff_sheet(baseline_, test_));
        return all;
    }

private:
    [[nodiscard]] std::string b(std::string_view what) const { return fmt::format("{}_{}", baseline_.label, what); }
    [[nodiscard]] std::string t(std::string_view what) const { return fmt::format("{}_{}", test_.label, what); }

    static SheetColumn improvement(std::string title) {
        return {std::move(title), two_decimals, true, std::string(kConvention)};
    }

    /// baseline, test, difference, improvement and ratio of one value.
    void add_value_columns(std::vector<SheetColumn>& columns, std::string_view what, NumberStyle style,
                           bool directed = true) const {
        columns.push_back({b(what), style, false, {}});
        columns.push_back({t(what), style, false, {}});
        columns.push_back({fmt::format("diff_{}", what), style, false, {}});
        if (directed)
            columns.push_back(improvement(fmt::format("percent_change_{}", what)));
        columns.push_back({fmt::format("ratio_{}", what), three_decimals, false, {}});
    }
    static void add_value(Cells& row, std::optional<double> before, std::optional<double> after, bool directed = true,
                          bool lower = true) {
        const bool both = before && after;
        row.push_back(optional_cell(before));
        row.push_back(optional_cell(after));
        row.push_back(both ? Cell(*after - *before) : Cell());
        if (directed)
            row.push_back(both ? optional_cell(improvement_percent(*before, *after, lower)) : Cell());
        row.push_back(both && *before != 0 ? Cell(*after / *before) : Cell());
    }

    [[nodiscard]] Sheet dashboard() const {
        Sheet sheet{"Summary_Dashboard",
                    {{"Metric"},
                     {baseline_.label, two_decimals},
                     {test_.label, two_decimals},
                     {"Improvement (%)", two_decimals, true, std::string(kOfDashboard)},
                     {"Status"}},
                    {},
                    false,
                    std::string(kOfDashboard)};
        const auto steps_of = [](const RunAnalysis& analysis) {
            return std::max<std::int64_t>(1, outline_of(analysis).steps);
        };
        const auto before = static_cast<double>(steps_of(*part_.baseline));
        const auto after = static_cast<double>(steps_of(*part_.test));
        const bool per_step = before != after; // sums over recordings of one length are left as they are
        const ChangeStatus of_step = step_status();
        for (const TimelineChange& change : timeline_changes(*part_.baseline, *part_.test))
            if (change.baseline && change.test) {
                const double was = change.baseline->ms / (per_step ? before : 1);
                const double is = change.test->ms / (per_step ? after : 1);
                add_dashboard_row(sheet, fmt::format("GPU_{}{}", change.type, per_step ? " per step" : ""), was, is,
                                  Better::lower, word_by_step(was, is, of_step));
            }
        for (const MetricChange& change : test_.comparison->metrics())
            if (const std::string title = english(change_title(change));
                change.metric->id != "gpu_timeline") // its fields stand above
                add_dashboard_row(
                    sheet, change.metric->unit.empty() ? title : fmt::format("{} ({})", title, change.metric->unit),
                    change.baseline, change.test, change.metric->better, dashboard_word(change.status));
        return sheet;
    }
    /// Of the step's time: what all else is judged by.
    [[nodiscard]] ChangeStatus step_status() const {
        for (const MetricChange& change : test_.comparison->metrics())
            if (change.metric->id == "step_time")
                return change.status;
        return ChangeStatus::changed;
    }
    static std::string_view dashboard_word(ChangeStatus status) {
        return status == ChangeStatus::better    ? "Better"
               : status == ChangeStatus::worse   ? "Worse"
               : status == ChangeStatus::similar ? "Similar"
                                                 : "Changed";
    }
    /// A time of the GPU is better or worse where the step is.
    static std::string_view word_by_step(double before, double after, ChangeStatus of_step) {
        const auto percent = improvement_percent(before, after, true);
        const std::string_view own = percent ? improvement_word(*percent) : "Worse"; // there was none before
        return own == "Similar" || own == dashboard_word(of_step) ? own : "Changed";
    }
    static void add_dashboard_row(Sheet& sheet, std::string name, double before, double after, Better better,
                                  std::string_view word) {
        const auto percent =
            better == Better::none ? std::nullopt : improvement_percent(before, after, better == Better::lower);
        sheet.rows.push_back({std::move(name), before, after, optional_cell(percent), std::string(word)});
    }

    [[nodiscard]] std::vector<SheetColumn> timeline_columns(bool by_rank) const {
        std::vector<SheetColumn> columns;
        if (by_rank)
            columns.push_back({"rank", whole});
        columns.insert(columns.end(), {{"type"},
                                       {b("time_ms"), three_decimals},
                                       {t("time_ms"), three_decimals},
                                       {"diff_time_ms", three_decimals},
                                       improvement("percent_change")});
        if (by_rank)
            columns.push_back({"status"});
        columns.insert(columns.end(), {{"ratio", three_decimals},
                                       {b("percent"), two_decimals},
                                       {t("percent"), two_decimals},
                                       {"diff_percent", two_decimals}});
        return columns;
    }
    static std::string status_of(const TimelineChange& change, const double* improvement) {
        if (!change.baseline || !change.test)
            return only_in(change.baseline.has_value());
        return improvement == nullptr ? "Worse" : std::string(improvement_word(*improvement)); // more than nothing
    }
    static Cells timeline_row(const TimelineChange& change) {
        const bool both = change.baseline && change.test;
        const Cell percent =
            both ? optional_cell(improvement_percent(change.baseline->ms, change.test->ms, true)) : Cell();
        Cells row;
        if (change.rank)
            row.emplace_back(static_cast<double>(*change.rank));
        row.emplace_back(std::string(change.type));
        row.push_back(change.baseline ? Cell(change.baseline->ms) : Cell());
        row.push_back(change.test ? Cell(change.test->ms) : Cell());
        row.push_back(both ? Cell(change.test->ms - change.baseline->ms) : Cell());
        row.push_back(percent);
        if (change.rank)
            row.emplace_back(status_of(change, std::get_if<double>(&percent)));
        row.push_back(both && change.baseline->ms != 0 ? Cell(change.test->ms / change.baseline->ms) : Cell());
        row.push_back(change.baseline ? Cell(change.baseline->percent) : Cell());
        row.push_back(change.test ? Cell(change.test->percent) : Cell());
        row.push_back(both ? Cell(change.test->percent - change.baseline->percent) : Cell());
        return row;
    }
    [[nodiscard]] Sheet summary() const {
        Sheet sheet{"GPU_Summary_Cmp", timeline_columns(false), {}, false, "Means over ranks."};
        for (const TimelineChange& change : timeline_changes(*part_.baseline, *part_.test))
            if (change.baseline || change.test)
                sheet.rows.push_back(timeline_row(change));
        return sheet;
    }
    [[nodiscard]] Sheet by_rank() const {
        Sheet sheet{"GPU_ByRank_Cmp", timeline_columns(true), {}, false, {}};
        for (const TimelineChange& change : timeline_changes_by_rank(*part_.baseline, *part_.test))
            if (change.baseline || change.test)
                sheet.rows.push_back(timeline_row(change));
        return sheet;
    }

    static Cells key_cells(const CollectiveKey& key) {
        return {key.collective, key.dtype,
                key.in_elements == kUnknown ? Cell() : Cell(static_cast<double>(key.in_elements))};
    }
    static std::vector<SheetColumn> key_columns() { return {{"Collective name"}, {"dtype"}, {"In msg nelems", whole}}; }

    [[nodiscard]] Sheet implicit_sync() const {
        Sheet sheet{"NCCL_ImplSync_Cmp",
                    key_columns(),
                    {},
                    false,
                    "Bandwidths in GiB/s (2^30 bytes), which the old report calls GB/s."};
        add_value_columns(sheet.columns, "comm_latency_mean", three_decimals);
        add_value_columns(sheet.columns, "algo bw (GiB/s)_mean", three_decimals);
        add_value_columns(sheet.columns, "bus bw (GiB/s)_mean", three_decimals);
        add_value_columns(sheet.columns, "Total comm latency (ms)", three_decimals);
        add_value_columns(sheet.columns, "count", whole, false);
        sheet.columns.push_back({"in"});
        for (const ImplicitSyncChange& change : implicit_sync_changes(*part_.baseline, *part_.test)) {
            const auto values = [&](double (*value)(const ImplicitSyncRow&), bool directed, bool lower) {
                add_value(sheet.rows.back(), change.baseline ? std::optional(value(*change.baseline)) : std::nullopt,
                          change.test ? std::optional(value(*change.test)) : std::nullopt, directed, lower);
            };
            sheet.rows.push_back(key_cells(change.key));
            values([](const ImplicitSyncRow& row) { return row.latency.mean / 1000; }, true, true);
            values([](const ImplicitSyncRow& row) { return row.algbw.mean * kGibPerGb; }, true, false);
            values([](const ImplicitSyncRow& row) { return row.busbw.mean * kGibPerGb; }, true, false);
            values([](const ImplicitSyncRow& row) { return row.latency.sum / 1e6; }, true, true);
            values([](const ImplicitSyncRow& row) { return static_cast<double>(row.latency.count); }, false, true);
            sheet.rows.back().emplace_back(change.baseline && change.test ? "both"
                                                                          : only_in(change.baseline != nullptr));
        }
        return sheet;
    }
    [[nodiscard]] Sheet long_table() const {
        Sheet sheet{"NCCL_Long_Cmp",
                    key_columns(),
                    {},
                    false,
                    "Durations of every call on every rank, waiting for other ranks included."};
        add_value_columns(sheet.columns, "dur_sum (ms)", three_decimals);
        add_value_columns(sheet.columns, "dur_mean", three_decimals);
        add_value_columns(sheet.columns, "dur_min", three_decimals);
        add_value_columns(sheet.columns, "dur_max", three_decimals);
        add_value_columns(sheet.columns, "operation_count", whole, false);
        sheet.columns.push_back({"in"});
        for (const LongChange& change : long_changes(*part_.baseline, *part_.test)) {
            const auto values = [&](double (*value)(const LongTotal&), bool directed) {
                add_value(sheet.rows.back(), change.baseline ? std::optional(value(*change.baseline)) : std::nullopt,
                          change.test ? std::optional(value(*change.test)) : std::nullopt, directed);
            };
            sheet.rows.push_back(key_cells(change.key));
            values([](const LongTotal& total) { return total.sum_us / 1000; }, true);
            values([](const LongTotal& total) { return total.mean_us(); }, true);
            values([](const LongTotal& total) { return total.min_us; }, true);
            values([](const LongTotal& total) { return total.max_us; }, true);
            values([](const LongTotal& total) { return static_cast<double>(total.calls); }, false);
            sheet.rows.back().emplace_back(change.baseline && change.test ? "both"
                                                                          : only_in(change.baseline.has_value()));
        }
        return sheet;
    }

    [[nodiscard]] Sheet config() const {
        Sheet sheet{"Config_Diff", {{"key"}, {baseline_.label}, {test_.label}, {"status"}}, {}, false, {}};
        auto entries = test_.comparison->config();
        std::ranges::stable_sort(entries, std::less<>(), [](const ConfigEntry& entry) {
            return entry.equal() ? 2 : entry.baseline && entry.test ? 0 : 1;
        });
        for (const ConfigEntry& entry : entries)
            sheet.rows.push_back({entry.key, optional_cell(entry.baseline), optional_cell(entry.test),
                                  std::string(config_status_word(entry))});
        return sheet;
    }

    [[nodiscard]] Sheet operators() const {
        Sheet sheet{"Ops_Diff",
                    {{"device"},
                     {"name"},
                     {"status"},
                     {b("count"), two_decimals},
                     {t("count"), two_decimals},
                     {"diff_count", two_decimals},
                     {b("time_ms"), three_decimals},
                     {t("time_ms"), three_decimals},
                     {"diff_time_ms", three_decimals},
                     improvement("percent_change"),
                     {"name in test, where matched without template arguments"}},
                    {},
                    false,
                    "Means over ranks; the largest change of time first. Status by count."};
        for (const OperatorChange& change : test_.comparison->operators()) {
            const double before = change.baseline.time_us / 1000;
            const double after = change.test.time_us / 1000;
            sheet.rows.push_back({std::string(diff_device_word(change.device)), change.name,
                                  std::string(operator_status_word(change.status)), change.baseline.count,
                                  change.test.count, change.test.count - change.baseline.count, before, after,
                                  after - before, optional_cell(improvement_percent(before, after, true)),
                                  change.shortened ? Cell(change.test_name) : Cell()});
        }
        return sheet;
    }

    const AnalysedRun& baseline_;
    const AnalysedRun& test_;
    const CommonPart& part_; ///< what both have: all sheets are of that
};

} // namespace

namespace {

Sheet all_runs_sheet(std::span<const AnalysedRun> runs) {
    Sheet sheet{"All_Runs",
                {{"Run"}, {"step_time (ms)", three_decimals}, {"against the first"}, {"against the best"}, {"note"}},
                {},
                false,
                "By the time of a step, as it is: + is more."};
    const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
    for (std::size_t i = 0; i < runs.size(); ++i)
        sheet.rows.push_back({runs[i].label, optional_cell(rows[i].step_ms),
                              english(step_change_words(rows[i].against_first)),
                              english(step_change_words(rows[i].against_best)), english(note_of(rows[i]))});
    return sheet;
}

} // namespace

std::vector<Sheet> comparison_sheets(std::span<const AnalysedRun> runs) {
    std::vector<Sheet> sheets;
    for (std::size_t i = 1; i < runs.size(); ++i)
        for (Sheet& sheet : Pair(runs[0], runs[i]).sheets()) {
            if (i > 1)
                sheet.name += fmt::format("_{}", i);
            sheets.push_back(std::move(sheet));
        }
    if (runs.size() > 2)
        sheets.push_back(all_runs_sheet(runs));
    for (auto* const raw : {gpu_mean_sheet, gpu_rank_sheet, gpu_rank_times_sheet, gpu_rank_percents_sheet,
                            implicit_sync_sheet, long_collectives_sheet, stragglers_sheet, metrics_sheet}) {
        Sheet sheet = raw(runs);
        sheet.name = sheet.name == "GPU_Timeline" ? "GPU_AllRanks_Raw" : sheet.name + "_Raw";
        sheet.hidden = true;
        sheets.push_back(std::move(sheet));
    }
    return sheets;
}

} // namespace rankscope
