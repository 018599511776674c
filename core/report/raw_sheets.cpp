// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets of metrics, GPU timelines and collectives, in TraceLens's columns where it has them.
#include "core/report/raw_sheets.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/rccl_comparison.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

using enum NumberStyle;
using Cells = std::vector<Cell>;

Cell known(std::int64_t value) { return value == kUnknown ? Cell() : Cell(static_cast<double>(value)); }
Cell mib(std::int64_t bytes) { return bytes == kUnknown ? Cell() : Cell(static_cast<double>(bytes) / 1048576.0); }
Cell name(const RunAnalysis& analysis, NameId id) { return std::string(analysis.run().names->view(id)); }

void add_spread_columns(Sheet& sheet, std::string_view what) {
    for (const char* suffix : {"mean", "median", "min", "max"})
        sheet.columns.push_back({fmt::format("{}_{}", what, suffix), three_decimals});
}
void add_spread(Cells& row, const Statistics& values, double scale) {
    for (const double value : {values.mean, values.median, values.min, values.max})
        row.emplace_back(value * scale);
}

Sheet rank_table(Runs runs, std::string sheet_name, double TimelineValue::*member, NumberStyle style) {
    std::set<int> numbers;
    for (const AnalysedRun& run : runs)
        for (const RankAnalysis& rank : run.analysis->ranks())
            numbers.insert(rank.trace->rank);
    Sheet sheet{std::move(sheet_name), {{"type"}}, {}, false, {}};
    for (const int number : numbers)
        sheet.columns.push_back({std::to_string(number), style});
    sheet.columns.push_back({"source"});
    for (const AnalysedRun& run : runs)
        for (const TimelineField& field : kTimelineFields) {
            Cells row(sheet.columns.size());
            row.front() = std::string(field.type);
            row.back() = run.label;
            for (const RankAnalysis& rank : run.analysis->ranks())
                if (const auto value = timeline_value(rank, field))
                    row[static_cast<std::size_t>(std::distance(numbers.begin(), numbers.find(rank.trace->rank))) + 1] =
                        (*value).*member;
            sheet.rows.push_back(std::move(row));
        }
    return sheet;
}

} // namespace

Sheet metrics_sheet(Runs runs) {
    Sheet sheet{"Metrics",
                {{"metric"},
                 {"title"},
                 {"value"},
                 {"unit"},
                 {"better"},
                 {"not available because"},
                 {"source"},
                 {"bound"},
                 {"a bound because"}},
                {},
                false,
                {}};
    for (const AnalysedRun& run : runs)
        for (const auto& [metric, result] : run.metrics.entries)
            sheet.rows.push_back(
                {metric->id, metric->title, result.available ? Cell(result.value) : Cell(), metric->unit,
                 std::string(better_word(metric->better)), result.available ? Cell() : Cell(english(result.reason)),
                 run.label, result.bound == ValueBound::none ? Cell() : Cell(std::string(bound_word(result.bound))),
                 result.bound == ValueBound::none ? Cell() : Cell(english(result.bound_reason))});
    return sheet;
}

Sheet gpu_mean_sheet(Runs runs) {
    Sheet sheet{"GPU_Summary",
                {{"type"}, {"time ms", three_decimals}, {"percent", two_decimals}, {"num_ranks", whole}, {"source"}},
                {},
                false,
                {}};
    for (const AnalysedRun& run : runs) {
        const auto ranks = std::ranges::count_if(run.analysis->ranks(),
                                                 [](const RankAnalysis& rank) { return rank.timeline.total > 0; });
        for (const TimelineField& field : kTimelineFields)
            if (const auto value = mean_timeline_value(run.analysis->ranks(), field))
                sheet.rows.push_back(
                    {std::string(field.type), value->ms, value->percent, number_cell(ranks), run.label});
    }
    return sheet;
}

Sheet gpu_rank_sheet(Runs runs) {
    Sheet sheet{"GPU_Timeline",
                {{"type"}, {"time ms", three_decimals}, {"percent", two_decimals}, {"rank", whole}, {"source"}},
                {},
                false,
                {}};
    for (const AnalysedRun& run : runs)
        for (const RankAnalysis& rank : run.analysis->ranks())
            for (const TimelineField& field : kTimelineFields)
                if (const auto value = timeline_value(rank, field))
                    sheet.rows.push_back(
                        {std::string(field.type), value->ms, value->percent, number_cell(rank.trace->rank), run.label});
    return sheet;
}

Sheet gpu_rank_times_sheet(Runs runs) { return rank_table(runs, "GPU_Time", &TimelineValue::ms, three_decimals); }
Sheet gpu_rank_percents_sheet(Runs runs) { return rank_table(runs, "GPU_Pct", &TimelineValue::percent, two_decimals); }

Sheet steps_sheet(Runs runs) {
    Sheet sheet{
        "Steps", {{"rank", whole}, {"step", whole}}, {}, false, "GPU times are those of the work each step launched."};
    for (const char* title :
         {"duration_ms", "computation_ms", "exposed_comm_ms", "exposed_memcpy_ms", "idle_ms", "gpu_total_ms"})
        sheet.columns.push_back({title, three_decimals});
    sheet.columns.push_back({"source"});
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.analysis->ranks().size(); ++r) {
            const RankAnalysis& rank = run.analysis->ranks()[r];
            for (const IterationRow& step : run.analysis->iteration_tables()[r])
                sheet.rows.push_back(
                    {number_cell(rank.trace->rank), number_cell(step.step.number),
                     has_known_end(*rank.trace, step.step.number) ? Cell(as_ms(step.step.range.length())) : Cell(),
                     as_ms(step.gpu.computation), as_ms(step.gpu.exposed_comm), as_ms(step.gpu.exposed_memcpy),
                     as_ms(step.gpu.idle), as_ms(step.gpu.total), run.label});
        }
    return sheet;
}

Sheet implicit_sync_sheet(Runs runs) {
    Sheet sheet{"NCCL_ImplSync",
                {{"Collective name"},
                 {"dtype"},
                 {"In msg nelems", whole},
                 {"Process Group Name"},
                 {"Group size", whole},
                 {"Full msg size (MB)", three_decimals}},
                {},
                false,
                "Latencies and skews in us; MB are MiB; bandwidths in GiB/s (2^30 bytes)."};
    for (const char* what :
         {"comm_latency", "skew in start time", "skew in end time", "algo bw (GiB/s)", "bus bw (GiB/s)"})
        add_spread_columns(sheet, what);
    sheet.columns.insert(sheet.columns.end(),
                         {{"count", whole}, {"Total comm latency (ms)", three_decimals}, {"source"}});
    for (const AnalysedRun& run : runs)
        for (const ImplicitSyncRow& r : run.analysis->collective_summaries().implicit_sync) {
            Cells row{r.collective,
                      name(*run.analysis, r.dtype),
                      known(r.in_elements),
                      run.analysis->collectives().groups[r.group].name,
                      r.group_size <= 0 ? Cell() : number_cell(r.group_size),
                      mib(r.bytes)};
            add_spread(row, r.latency, 1e-3);
            add_spread(row, r.start_skew, 1e-3);
            add_spread(row, r.end_skew, 1e-3);
            add_spread(row, r.algbw, kGibPerGb);
            add_spread(row, r.busbw, kGibPerGb);
            row.insert(row.end(), {number_cell(r.latency.count), r.latency.sum / 1e6, run.label});
            sheet.rows.push_back(std::move(row));
        }
    return sheet;
}

Sheet long_collectives_sheet(Runs runs) {
    Sheet sheet{"NCCL_Long",
                {{"rank", whole},
                 {"Process Group Name"},
                 {"Process Group Ranks"},
                 {"Collective name"},
                 {"Group size", whole},
                 {"dtype"},
                 {"In msg nelems", whole},
                 {"Out msg nelems", whole},
                 {"In split size"},
                 {"Out split size"},
                 {"stream", whole},
                 {"In msg size (MB)_first", three_decimals},
                 {"Out msg size (MB)_first", three_decimals}},
                {},
                false,
                "Durations in us, waiting for other ranks included; MB are MiB."};
    for (const char* title : {"dur_sum", "dur_mean", "dur_std", "dur_min", "dur_max"})
        sheet.columns.push_back({title, three_decimals});
    sheet.columns.insert(sheet.columns.end(), {{"operation_count", whole}, {"source"}});
    for (const AnalysedRun& run : runs) {
        const RunAnalysis& analysis = *run.analysis;
        for (const LongRow& r : analysis.collective_summaries().by_rank) {
            const CommGroup& group = analysis.collectives().groups[r.group];
            const int size = dtype_bytes(analysis.run().names->view(r.dtype));
            const auto bytes = [&](std::int64_t elements) {
                return elements == kUnknown || size == 0 ? kUnknown : elements * size;
            };
            sheet.rows.push_back({number_cell(analysis.run().ranks[r.rank]->rank),
                                  group.name,
                                  fmt::format("[{}]", fmt::join(group.ranks, ", ")),
                                  r.collective,
                                  r.group_size <= 0 ? Cell() : number_cell(r.group_size),
                                  name(analysis, r.dtype),
                                  known(r.in_elements),
                                  known(r.out_elements),
                                  name(analysis, r.in_split),
                                  name(analysis, r.out_split),
                                  number_cell(r.stream),
                                  mib(bytes(r.in_elements)),
                                  mib(bytes(r.out_elements)),
                                  r.duration.sum / 1000,
                                  r.duration.mean / 1000,
                                  r.duration.deviation / 1000,
                                  r.duration.min / 1000,
                                  r.duration.max / 1000,
                                  number_cell(r.duration.count),
                                  run.label});
        }
    }
    return sheet;
}

Sheet all_to_allv_sheet(Runs runs) {
    Sheet sheet{"NCCL_AllToAllV",
                {{"Process Group Name"}, {"dtype"}, {"Group size", whole}},
                {},
                false,
                "MB are MiB; throughput in GiB/s (2^30 bytes)."};
    for (const char* what : {"total data communicated (MB)", "wall_time (us)", "throughput (GiB/s)", "size_imbalance",
                             "max_rank_dur (us)", "skew in start time", "skew in end time"})
        add_spread_columns(sheet, what);
    sheet.columns.insert(sheet.columns.end(), {{"count", whole}, {"Total wall_time (ms)", three_decimals}, {"source"}});
    for (const AnalysedRun& run : runs)
        for (const AllToAllVRow& r : run.analysis->collective_summaries().all_to_allv) {
            Cells row{run.analysis->collectives().groups[r.group].name, name(*run.analysis, r.dtype),
                      number_cell(r.group_size)};
            add_spread(row, r.bytes, 1 / 1048576.0);
            add_spread(row, r.wall, 1e-3);
            add_spread(row, r.throughput, kGibPerGb);
            add_spread(row, r.imbalance, 1);
            add_spread(row, r.longest, 1e-3);
            add_spread(row, r.start_skew, 1e-3);
            add_spread(row, r.end_skew, 1e-3);
            row.insert(row.end(), {number_cell(r.wall.count), r.wall.sum / 1e6, run.label});
            sheet.rows.push_back(std::move(row));
        }
    return sheet;
}

Sheet stragglers_sheet(Runs runs) {
    Sheet sheet{
        "Stragglers",
        {{"rank", whole},
         {"total_wait_time_us", three_decimals},
         {"mean_wait_time_us", three_decimals},
         {"times_arrived_last", whole},
         {"times_arrived_first", whole},
         {"pct_arrived_last", two_decimals},
         {"num_collectives", whole},
         {"total_nccl_dur_us", three_decimals},
         {"source"}},
        {},
        false,
        "Of calls that make each rank wait for all others: all-reduce, all-gather, reduce-scatter, even all-to-all."};
    for (const AnalysedRun& run : runs) {
        for (const ArrivalRow& row : run.analysis->collective_summaries().arrivals)
            if (row.calls > 0)
                sheet.rows.push_back({number_cell(run.run().ranks[row.rank]->rank), as_us(row.wait),
                                      as_us(row.wait) / static_cast<double>(row.calls), number_cell(row.times_last),
                                      number_cell(row.times_first),
                                      100.0 * static_cast<double>(row.times_last) / static_cast<double>(row.calls),
                                      number_cell(row.calls), as_us(row.communication), run.label});
    }
    return sheet;
}

} // namespace rankscope
