// SPDX-License-Identifier: GPL-3.0-or-later
#include "hta.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "core/base/stopping.h"
#include "core/compare/operator_diff.h"
#include "failure.h"
#include "hta_calls.h"

namespace rankscope::python {
namespace {

using Names = std::vector<std::string>;

class Rows {
public:
    Rows(QuerySink& sink, const Names& names) : sink_(sink) { sink_.columns(names); }
    void add(const std::vector<QueryValue>& values) { sink_.row(values); }

private:
    QuerySink& sink_;
};

std::int64_t whole_us(TimeNs ns) { return ns / 1000; }

/// Calls work(number of the rank, its trace, its rows) for each rank.
template <typename Work>
void for_each_rank(const RunAnalysis& analysis, bool include_last_step, const Work& work) {
    const HtaFilter filter = hta_filter(analysis.run(), include_last_step);
    for (const auto& rank : analysis.run().ranks) {
        check_stop();
        work(std::int64_t{rank->rank}, *rank, hta_gpu_rows(*rank, filter));
    }
}

void append(std::vector<QueryValue>& row, const HtaDescription& d) {
    row.emplace_back(static_cast<double>(d.count));
    for (const double value : {d.mean, d.std, d.min, d.q25, d.q50, d.q75, d.max})
        row.emplace_back(value);
}

Names described(Names keys) {
    for (const char* const name : {"count", "mean", "std", "min", "25%", "50%", "75%", "max"})
        keys.emplace_back(name);
    return keys;
}

const HtaAnalysis& hta_of(const RunAnalysis& analysis, const HtaQuestion& question) {
    return question.include_last_step ? analysis.hta_with_last() : analysis.hta();
}

void temporal_breakdown(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"rank", "idle_time(us)", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)",
                     "idle_time_pctg", "compute_time_pctg", "non_compute_time_pctg"});
    for (const TemporalBreakdown& b : hta_of(analysis, question).breakdowns)
        if (b.kernel_us == 0) // nothing that HTA counts: its zeros would say that the GPU did nothing
            rows.add({std::int64_t{b.rank}, {}, {}, {}, {}, {}, {}, {}});
        else
            rows.add({std::int64_t{b.rank}, b.idle_us, b.compute_us, b.non_compute_us, b.kernel_us, b.idle_percent,
                      b.compute_percent, b.non_compute_percent});
}

void comm_comp_overlap(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"rank", "comp_comm_overlap_pctg"});
    for (const TemporalBreakdown& b : hta_of(analysis, question).breakdowns)
        rows.add({std::int64_t{b.rank}, b.comm_comp_overlap_percent});
}

void idle_time_breakdown(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"rank", "stream", "idle_category", "idle_time", "idle_time_ratio"});
    const auto& ranks = analysis.run().ranks;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (const HtaIdle& idle : hta_of(analysis, question).host[i].idle)
            rows.add(
                {std::int64_t{ranks[i]->rank}, idle.stream, idle_cause_word(idle.cause), idle.time_us, idle.ratio});
}

void idle_interval_stats(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, described({"idle_category", "rank", "stream"}));
    const auto& ranks = analysis.run().ranks;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (const HtaIdle& idle : hta_of(analysis, question).host[i].idle) {
            std::vector<QueryValue> row{idle_cause_word(idle.cause), std::int64_t{ranks[i]->rank}, idle.stream};
            append(row, idle.intervals);
            rows.add(row);
        }
}

void kernel_types(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"kernel_type", "sum", "percentage"});
    const HtaAnalysis& hta = hta_of(analysis, question);
    for (const HtaKernelType& type : question.memory ? hta.types : hta.types_without_memory)
        rows.add({type.name, type.sum_us, type.percent});
}

/// question.limit: of each type, the rest of which is together; 0: all.
void kernels(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"name", "sum (us)", "max (us)", "min (us)", "stddev", "mean (us)", "kernel_type", "rank"});
    const auto& ranks = analysis.run().ranks;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::vector<HtaKernel>& all = hta_of(analysis, question).kernels[i];
        for (const HtaKernel& k :
             question.limit > 0 ? hta_top_kernels(all, static_cast<std::size_t>(question.limit)) : all)
            rows.add({k.name, k.sum_us, k.max_us, k.min_us, k.std_us, k.mean_us, hta_class_word(k.type),
                      std::int64_t{ranks[i]->rank}});
    }
}

void annotations(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"name", "sum (us)", "max (us)", "min (us)", "stddev", "mean (us)", "rank"});
    const EventKind kind = question.gpu_annotations ? EventKind::gpu_annotation : EventKind::annotation;
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    for (const auto& rank : analysis.run().ranks)
        for (const HtaKernel& k : hta_annotations(*rank, filter, kind))
            rows.add({k.name, k.sum_us, k.max_us, k.min_us, k.std_us, k.mean_us, std::int64_t{rank->rank}});
}

void launches(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"cpu_duration", "gpu_duration", "launch_delay", "rank"});
    for_each_rank(analysis, question.include_last_step,
                  [&](std::int64_t number, const RankTrace& rank, const auto& work) {
                      for (const HtaLaunch& launch : hta_launches(rank, work))
                          if (question.memory || !launch.memory)
                              rows.add({launch.call_us, launch.kernel_us, launch.delay_us, number});
                  });
}

void queue_time_series(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"index", "ts", "stream", "queue_length", "rank"});
    const TimeNs zero = hta_first_start(analysis.run());
    for_each_rank(analysis, question.include_last_step,
                  [&](std::int64_t number, const RankTrace& rank, const auto& work) {
                      for (const HtaQueuePoint& point : hta_queue(rank, work))
                          rows.add({std::int64_t{rank.events.ordinal[point.event]}, whole_us(point.time - zero),
                                    point.stream, point.length, number});
                  });
}

void queue_summary(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, described({"rank", "stream"}));
    for_each_rank(analysis, question.include_last_step,
                  [&](std::int64_t number, const RankTrace& rank, const auto& work) {
                      for (const HtaQueueSummary& queue : hta_queue_summary(hta_queue(rank, work))) {
                          std::vector<QueryValue> row{number, queue.stream};
                          append(row, queue.length);
                          rows.add(row);
                      }
                  });
}

void full_queue(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"rank", "stream", "duration_at_max_queue_length", "relative_duration_at_max_queue_length"});
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    for_each_rank(analysis, question.include_last_step,
                  [&](std::int64_t number, const RankTrace& rank, const auto& work) {
                      const double span = static_cast<double>(hta_start_span(rank, work, filter)) / 1000.0;
                      for (const HtaQueueSummary& queue : hta_queue_summary(hta_queue(rank, work), question.limit))
                          if (queue.full_us > 0)
                              rows.add({number, queue.stream, queue.full_us, queue.full_us / span});
                  });
}

void bandwidth_time_series(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, {"ts", "name", "memory_bw_gbps", "rank"});
    const TimeNs zero = hta_first_start(analysis.run());
    for_each_rank(analysis, question.include_last_step,
                  [&](std::int64_t number, const RankTrace& rank, const auto& work) {
                      for (const HtaBandwidthPoint& point : hta_memory_bandwidth(rank, work))
                          rows.add({static_cast<double>(point.time - zero) / 1000.0, point.name, point.gb_s, number});
                  });
}

void bandwidth_summary(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    Rows rows(sink, described({"rank", "name"}));
    for_each_rank(
        analysis, question.include_last_step, [&](std::int64_t number, const RankTrace& rank, const auto& work) {
            for (const HtaBandwidthSummary& summary : hta_bandwidth_summary(hta_memory_bandwidth(rank, work))) {
                std::vector<QueryValue> row{number, summary.name};
                append(row, summary.gb_s);
                rows.add(row);
            }
        });
}

/// HTA adds up CPU and GPU rows of one name.
std::map<std::string, NameTotal> by_name(const NameTotals& totals, const std::string& device, bool short_names) {
    std::map<std::string, NameTotal> result;
    for (const auto& [key, total] : totals)
        if (device == "ALL" || (device == "CPU") == (key.first == DiffDevice::cpu)) {
            NameTotal& sum = result[short_names ? shortened_name(key.second) : key.second];
            sum.count += total.count;
            sum.time_us += total.time_us;
        }
    return result;
}

/// HTA's counts_change_categories.
std::string_view change_of(double control, double test) { return test > control ? "+" : test < control ? "-" : "="; }

/// Throws Failure (input): no rank has GPU work that HTA counts.
void need_gpu_work(const RunAnalysis& analysis, const HtaQuestion& question) {
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    if (std::ranges::all_of(analysis.run().ranks,
                            [&](const auto& rank) { return hta_gpu_rows(*rank, filter).empty(); }))
        throw Failure{{Error::Code::input,
                       "%1 has no GPU work that HTA counts: it needs streams and, if there are several "
                       "profiler steps, launches before the last one"_text(analysis.run().path.string())}};
}

/// Throws Failure: input without profiler steps, usage without one of those asked for.
void need_steps(const HtaSide& side) {
    if (side.rank->steps.empty())
        throw Failure{
            {Error::Code::input, "rank %1 has no profiler steps, of which HTA compares one"_text(side.rank->rank)}};
    for (const std::int64_t step : side.steps)
        if (std::ranges::find(side.rank->steps, step, &ProfilerStep::number) == side.rank->steps.end())
            throw Failure{{Error::Code::usage, "rank %1 has no profiler step %2"_text(side.rank->rank, step)}};
}

} // namespace

void hta_table(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    using Table = void (*)(const RunAnalysis&, const HtaQuestion&, QuerySink&);
    static const std::map<std::string, Table> kTables{{"temporal_breakdown", temporal_breakdown},
                                                      {"comm_comp_overlap", comm_comp_overlap},
                                                      {"idle_time_breakdown", idle_time_breakdown},
                                                      {"idle_interval_stats", idle_interval_stats},
                                                      {"kernel_types", kernel_types},
                                                      {"kernels", kernels},
                                                      {"annotations", annotations},
                                                      {"launches", launches},
                                                      {"queue_time_series", queue_time_series},
                                                      {"queue_summary", queue_summary},
                                                      {"full_queue", full_queue},
                                                      {"bandwidth_time_series", bandwidth_time_series},
                                                      {"bandwidth_summary", bandwidth_summary},
                                                      {"communication_rows", hta_communication_rows},
                                                      {"step_extents", hta_step_extents},
                                                      {"annotated_kernels", hta_annotated_kernels},
                                                      {"kernel_sequences", hta_kernel_sequences}};
    static const std::set<std::string> kWithoutGpuWork{"annotations", "communication_rows", "step_extents"};
    const auto found = kTables.find(question.table);
    if (found == kTables.end())
        throw Failure{{Error::Code::usage, "no such analysis: %1"_text(question.table)}};
    if (!kWithoutGpuWork.contains(question.table))
        need_gpu_work(analysis, question);
    found->second(analysis, question, sink);
}

void hta_trace_diff(const HtaSide& control, const HtaSide& test, const std::string& device, bool short_names,
                    QuerySink& sink) {
    if (device != "ALL" && device != "CPU" && device != "GPU")
        throw Failure{{Error::Code::usage, "device is ALL, CPU or GPU, not %1"_text(device)}};
    need_steps(control);
    need_steps(test);
    auto of_control = by_name(hta_name_totals(*control.rank, control.steps), device, short_names);
    auto of_test = by_name(hta_name_totals(*test.rank, test.steps), device, short_names);
    std::set<std::string> names;
    for (const auto* const totals : {&of_control, &of_test})
        for (const auto& [name, total] : *totals)
            names.insert(name);
    Rows rows(sink, {short_names ? "short_name" : "name", "control_counts", "control_total_duration", "test_counts",
                     "test_total_duration", "diff_counts", "diff_duration", "counts_change_categories"});
    for (const std::string& name : names) {
        const NameTotal a = of_control[name];
        const NameTotal b = of_test[name];
        rows.add({name, a.count, a.time_us, b.count, b.time_us, b.count - a.count, b.time_us - a.time_us,
                  change_of(a.count, b.count)});
    }
}

} // namespace rankscope::python
