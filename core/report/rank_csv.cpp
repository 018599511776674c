// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV files with one or more rows per rank.
#include "core/report/rank_csv.h"

#include "core/analysis/steps/parts_of_step.h"
#include "core/report/csv.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

TimeNs non_compute(const GpuTimeline& gpu) { return gpu.total - gpu.idle - gpu.computation; }

/// Empty cells where the rank shares no collective with another: it has no lag then, not a lag of 0.
void add_lag(CsvTable& table, const RankLag& lag) {
    table.integer(lag.calls);
    if (lag.calls == 0)
        table.empty().empty().empty().empty();
    else
        table.number(as_us(lag.sum_lag) / static_cast<double>(lag.calls))
            .microseconds(lag.sum_lag)
            .integer(lag.times_last)
            .microseconds(lag.sum_wait);
}

/// Under the names of SQL.
void add_lag_and_waits(CsvTable& table, const RankLag& lag) {
    if (lag.calls == 0)
        table.empty().empty().empty();
    else
        table.microseconds(lag.sum_lag).microseconds(lag.sum_wait).microseconds(lag.wait_caused);
}

/// Exposed communication of a profiler step without waits, and the waits. Empty cells where it is not known.
void add_communication(CsvTable& table, const StepParts* parts) {
    if (parts == nullptr)
        table.empty().empty();
    else
        table.microseconds(parts->transfer).microseconds(parts->wait);
}

void add_breakdown(CsvTable& table, const TemporalBreakdown& hta) {
    table.integer(hta.idle_us)
        .integer(hta.compute_us)
        .integer(hta.non_compute_us)
        .integer(hta.kernel_us)
        .number(hta.idle_percent)
        .number(hta.compute_percent)
        .number(hta.non_compute_percent);
}

} // namespace

std::string ranks_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank",
                   "device",
                   "total_us",
                   "busy_us",
                   "computation_us",
                   "total_comm_us",
                   "exposed_comm_us",
                   "overlap_us",
                   "total_memcpy_us",
                   "exposed_memcpy_us",
                   "idle_us",
                   "collectives",
                   "mean_lag_us",
                   "sum_lag_us",
                   "times_last",
                   "sum_wait_us",
                   "exposed_comm_with_waits_us",
                   "lag_us",
                   "wait_us",
                   "wait_caused_us",
                   "run"};
    for (const AnalysedRun& run : runs)
        for (std::size_t i = 0; i < run.analysis->ranks().size(); ++i) {
            const RankAnalysis& rank = run.analysis->ranks()[i];
            const GpuTimeline& gpu = rank.timeline;
            table.integer(rank.trace->rank)
                .integer(rank.trace->device())
                .microseconds(gpu.total)
                .microseconds(gpu.busy)
                .microseconds(gpu.computation)
                .microseconds(gpu.total_comm)
                .microseconds(gpu.exposed_comm)
                .microseconds(gpu.overlap)
                .microseconds(gpu.total_memcpy)
                .microseconds(gpu.exposed_memcpy)
                .microseconds(gpu.idle);
            const RankLag& lag = run.analysis->stragglers().ranks[i];
            add_lag(table, lag);
            table.microseconds(gpu.exposed_comm);
            add_lag_and_waits(table, lag);
            table.text(run.label).end_row();
        }
    return table.content();
}

std::string iterations_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank",
                   "iteration",
                   "start_us",
                   "duration_us",
                   "computation_us",
                   "exposed_comm_us",
                   "exposed_memcpy_us",
                   "idle_us",
                   "gpu_total_us",
                   "step",
                   "exposed_comm_with_waits_us",
                   "exposed_communication_us",
                   "waiting_us",
                   "run"};
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.analysis->ranks().size(); ++r)
            for (const auto& [step, gpu] : run.analysis->iteration_tables()[r]) {
                const RankTrace& rank = *run.run().ranks[r];
                table.integer(rank.rank)
                    .integer(step.number)
                    .microseconds(run.analysis->since_start(r, step.range.begin));
                (has_known_end(rank, step.number) ? table.microseconds(step.range.length()) : table.empty())
                    .microseconds(gpu.computation)
                    .microseconds(gpu.exposed_comm)
                    .microseconds(gpu.exposed_memcpy)
                    .microseconds(gpu.idle)
                    .microseconds(gpu.total)
                    .integer(step.number)
                    .microseconds(gpu.exposed_comm);
                add_communication(table, parts_of_step(run.analysis->steps(), r, step.number));
                table.text(run.label).end_row();
            }
    return table.content();
}

std::string kernels_csv(std::span<const AnalysedRun> runs, const NameFilter& filter) {
    CsvTable table{"rank", "name", "class", "count", "total_us", "mean_us", "min_us", "max_us", "std_us", "run"};
    for (const AnalysedRun& run : runs)
        for (std::size_t i = 0; i < run.analysis->ranks().size(); ++i) {
            const RankTrace& trace = *run.analysis->ranks()[i].trace;
            for (const KernelStatistics& kernel : run.analysis->kernel_tables()[i]) {
                const std::string_view name = trace.names->view(kernel.name);
                if (filter && !filter(name))
                    continue;
                table.integer(trace.rank)
                    .text(name)
                    .text(kernel_class_word(kernel.kernel_class))
                    .integer(kernel.count)
                    .microseconds(kernel.total)
                    .number(kernel.mean / 1000.0)
                    .microseconds(kernel.min)
                    .microseconds(kernel.max)
                    .number(kernel.standard_deviation / 1000.0)
                    .text(run.label)
                    .end_row();
            }
        }
    return table.content();
}

std::string breakdown_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank",
                   "idle_time(us)",
                   "compute_time(us)",
                   "non_compute_time(us)",
                   "kernel_time(us)",
                   "idle_time_pctg",
                   "compute_time_pctg",
                   "non_compute_time_pctg",
                   "comm_comp_overlap_pctg",
                   "with_last_step_idle_time(us)",
                   "with_last_step_compute_time(us)",
                   "with_last_step_non_compute_time(us)",
                   "with_last_step_kernel_time(us)",
                   "with_last_step_idle_time_pctg",
                   "with_last_step_compute_time_pctg",
                   "with_last_step_non_compute_time_pctg",
                   "with_last_step_comm_comp_overlap_pctg",
                   "exact_idle_us",
                   "exact_compute_us",
                   "exact_non_compute_us",
                   "exact_kernel_us",
                   "run"};
    for (const AnalysedRun& run : runs)
        for (std::size_t i = 0; i < run.analysis->ranks().size(); ++i) {
            const RankAnalysis& rank = run.analysis->ranks()[i];
            const TemporalBreakdown& hta = run.analysis->hta_breakdowns()[i];
            const TemporalBreakdown& with_last = run.analysis->hta_breakdowns_with_last()[i];
            table.integer(rank.trace->rank);
            add_breakdown(table, hta);
            table.number(hta.comm_comp_overlap_percent);
            add_breakdown(table, with_last);
            table.number(with_last.comm_comp_overlap_percent)
                .microseconds(rank.timeline.idle)
                .microseconds(rank.timeline.computation)
                .microseconds(non_compute(rank.timeline))
                .microseconds(rank.timeline.total)
                .text(run.label)
                .end_row();
        }
    return table.content();
}

} // namespace rankscope
