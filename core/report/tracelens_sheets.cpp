// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tracelens_sheets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"
#include "core/metrics/metric.h"
#include "core/report/rank_operators.h"

namespace rankscope {
namespace {

using NumberStyle::three_decimals;
using NumberStyle::whole;

/// Calls that share a row, with what each took in microseconds.
struct CallGroup {
    std::vector<std::size_t> calls;
    std::vector<double> direct_us, subtree_us;
    double direct_sum() const {
        double sum = 0;
        for (const double us : direct_us)
            sum += us;
        return sum;
    }
};

/// Groups of the calls that launched something and do not communicate, largest direct time first.
template <typename Key, typename KeyOf>
std::vector<std::pair<Key, CallGroup>> grouped(RankOperators& rank, KeyOf&& key_of) {
    std::map<Key, CallGroup> groups;
    for (std::size_t i = 0; i < rank.calls.size(); ++i) {
        const OperatorCall& call = rank.calls[i];
        if (call.work.empty() || call.category == OperatorCategory::communication)
            continue;
        CallGroup& group = groups[key_of(call)];
        group.calls.push_back(i);
        group.direct_us.push_back(as_us(call.direct));
        group.subtree_us.push_back(as_us(call.subtree));
    }
    std::vector<std::pair<Key, CallGroup>> sorted(groups.begin(), groups.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& g) { return g.second.direct_sum(); });
    return sorted;
}

std::string module_cell(const std::string& module) { return module.empty() ? "NA" : "nn.Module: " + module; }

} // namespace

Sheet ops_summary_sheet(Runs runs) {
    Sheet sheet{"ops_summary",
                {{"rank", whole},
                 {"name"},
                 {"parent_module"},
                 {"total_direct_kernel_time_sum", three_decimals},
                 {"total_subtree_kernel_time_sum", three_decimals},
                 {"total_subtree_kernel_time_count", whole},
                 {"total_direct_kernel_time_ms", three_decimals},
                 {"total_subtree_kernel_time_ms", three_decimals},
                 {"Count", whole},
                 {"Categories"},
                 {"Percentage (%)", three_decimals},
                 {"Cumulative Percentage (%)", three_decimals},
                 {"source"}},
                {},
                false,
                "Times in microseconds unless the column says ms; direct: of what the operator launched itself."};
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        using Key = std::pair<std::string, std::string>;
        const double all = rank.time_of_all();
        double cumulative = 0;
        for (const auto& [key, group] : grouped<Key>(rank, [&](const OperatorCall& call) {
                 return Key(rank.trace.event_name(call.event), rank.module_of(call));
             })) {
            const double direct = group.direct_sum();
            const double subtree = sum_of(group.subtree_us);
            std::set<std::string_view> categories;
            for (const std::size_t i : group.calls)
                categories.insert(operator_category_word(rank.calls[i].category));
            cumulative += share(direct, all);
            const auto count = static_cast<double>(group.calls.size());
            sheet.rows.push_back({number_cell(rank.trace.rank), key.first, module_cell(key.second), direct, subtree,
                                  count, direct / 1000, subtree / 1000, count,
                                  fmt::format("{}", fmt::join(categories, ", ")), share(direct, all), cumulative,
                                  run.label});
        }
    });
    return sheet;
}

Sheet ops_summary_by_category_sheet(Runs runs) {
    Sheet sheet{"ops_summary_by_category",
                {{"rank", whole},
                 {"op category"},
                 {"parent_module"},
                 {"Count", whole},
                 {"total_direct_kernel_time_ms", three_decimals},
                 {"Percentage (%)", three_decimals},
                 {"Cumulative Percentage (%)", three_decimals},
                 {"source"}},
                {},
                false,
                {}};
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        using Key = std::pair<OperatorCategory, std::string>;
        const double all = rank.time_of_all();
        double cumulative = 0;
        for (const auto& [key, group] :
             grouped<Key>(rank, [&](const OperatorCall& call) { return Key(call.category, rank.module_of(call)); })) {
            const double direct = group.direct_sum();
            cumulative += share(direct, all);
            sheet.rows.push_back({number_cell(rank.trace.rank), std::string(operator_category_word(key.first)),
                                  module_cell(key.second), static_cast<double>(group.calls.size()), direct / 1000,
                                  share(direct, all), cumulative, run.label});
        }
    });
    return sheet;
}

Sheet ops_unique_args_sheet(Runs runs) {
    std::vector<SheetColumn> columns{{"rank", whole},
                                     {"name"},
                                     {"op category"},
                                     {"parent_module"},
                                     {"thread_name"},
                                     {"Input Dims"},
                                     {"Input type"},
                                     {"Input Strides"},
                                     {"Concrete Inputs"},
                                     {"num_kernels", whole},
                                     {"operation_count", whole}};
    for (const char* of : {"total_direct_kernel_time", "total_subtree_kernel_time"}) {
        add_columns(columns, of);
        columns.push_back({std::string(of) + "_sum", three_decimals});
    }
    for (const char* title : {"kernel_details_summary"})
        columns.push_back({title});
    columns.push_back({"Percentage (%)", three_decimals});
    columns.push_back({"Cumulative Percentage (%)", three_decimals});
    columns.push_back({"source"});
    Sheet sheet{"ops_unique_args", std::move(columns), {}, false, "Times in microseconds."};
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        // Calls of equal inputs that launch other kernels are other rows.
        using Key = std::tuple<std::string, OperatorCategory, std::string, InputTexts, std::set<std::string_view>,
                               std::size_t, std::string>;
        const double all = rank.time_of_all();
        double cumulative = 0;
        for (const auto& [key, group] : grouped<Key>(rank, [&](const OperatorCall& call) {
                 std::set<std::string_view> kernels;
                 for (const EventIndex event : call.work)
                     kernels.insert(rank.trace.event_name(event));
                 return Key(rank.trace.event_name(call.event), call.category, rank.module_of(call),
                            rank.input_texts(call), std::move(kernels), call.work.size(), rank.thread_of(call));
             })) {
            const InputTexts& inputs = std::get<3>(key);
            const double direct = group.direct_sum();
            cumulative += share(direct, all);
            std::vector<EventIndex> work;
            for (const std::size_t i : group.calls)
                work.insert(work.end(), rank.calls[i].work.begin(), rank.calls[i].work.end());
            std::vector<Cell> row{number_cell(rank.trace.rank),
                                  std::get<0>(key),
                                  std::string(operator_category_word(std::get<1>(key))),
                                  module_cell(std::get<2>(key)),
                                  std::get<6>(key),
                                  std::string(inputs.dims),
                                  std::string(inputs.types),
                                  std::string(inputs.strides),
                                  std::string(inputs.concrete),
                                  static_cast<double>(std::get<5>(key)),
                                  static_cast<double>(group.calls.size())};
            for (const auto* values : {&group.direct_us, &group.subtree_us}) {
                add_cells(row, spread_over(*values));
                row.emplace_back(sum_of(*values));
            }
            row.emplace_back(rank.kernels_text(work));
            row.emplace_back(share(direct, all));
            row.emplace_back(cumulative);
            row.emplace_back(run.label);
            sheet.rows.push_back(std::move(row));
        }
    });
    return sheet;
}

Sheet kernel_summary_sheet(Runs runs) {
    Sheet sheet{"kernel_summary",
                {{"rank", whole},
                 {"Parent op category"},
                 {"Parent cpu_op"},
                 {"Kernel name"},
                 {"Kernel stream", whole},
                 {"Kernel duration (\u00b5s)_sum", three_decimals},
                 {"Kernel duration (\u00b5s)_count", whole},
                 {"Kernel duration (\u00b5s)_mean", three_decimals},
                 {"Kernel duration (\u00b5s)_min", three_decimals},
                 {"Kernel duration (\u00b5s)_max", three_decimals},
                 {"Percent of kernels time (%)", three_decimals},
                 {"Percent of total time (%)", three_decimals},
                 {"source"}},
                {},
                false,
                {}};
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        using Key = std::tuple<std::string, std::string, std::string, std::int64_t>;
        std::map<Key, std::vector<double>> groups;
        PlaceMap<EventIndex, const OperatorCall*> call_of;
        for (const OperatorCall& call : rank.calls)
            for (const EventIndex event : call.work)
                call_of[event] = &call;
        double all = 0;
        TimeRange span;
        const std::size_t r = static_cast<std::size_t>(
            std::ranges::find(run.run().ranks, &rank.trace, [](const auto& t) { return t.get(); }) -
            run.run().ranks.begin());
        for (const GpuSlice& slice : run.analysis->ranks()[r].gpu_work) {
            span = span.empty()
                       ? slice.range
                       : TimeRange{std::min(span.begin, slice.range.begin), std::max(span.end, slice.range.end)};
            if (rank.trace.events.kind[slice.event] != EventKind::kernel)
                continue;
            const auto call = call_of.find(slice.event);
            const bool known = call != call_of.end();
            groups[{known ? std::string(operator_category_word(call->second->category)) : std::string(),
                    known ? std::string(rank.trace.event_name(call->second->event)) : std::string(),
                    std::string(rank.trace.event_name(slice.event)), rank.trace.lane_of(slice.event).stream}]
                .push_back(as_us(slice.range.length()));
            all += as_us(slice.range.length());
        }
        std::vector<std::pair<Key, Spread>> sorted;
        for (const auto& [key, values] : groups)
            sorted.emplace_back(key, spread_over(values));
        std::ranges::stable_sort(sorted, std::greater(), [](const auto& g) { return g.second.sum; });
        for (const auto& [key, spread] : sorted)
            sheet.rows.push_back({number_cell(rank.trace.rank), std::get<0>(key), std::get<1>(key), std::get<2>(key),
                                  number_cell(std::get<3>(key)), spread.sum, static_cast<double>(groups[key].size()),
                                  spread.mean, spread.min, spread.max, share(spread.sum, all),
                                  share(spread.sum, as_us(span.length())), run.label});
    });
    return sheet;
}

Sheet unified_perf_summary_sheet(Runs runs) {
    std::vector<SheetColumn> columns{{"rank", whole},
                                     {"name"},
                                     {"op category"},
                                     {"thread_name"},
                                     {"Input Dims"},
                                     {"Input type"},
                                     {"Input Strides"},
                                     {"Concrete Inputs"},
                                     {"operation_count", whole},
                                     {"total_duration_us", three_decimals},
                                     {"mean_duration_us", three_decimals},
                                     {"std_duration_us", three_decimals},
                                     {"duration_us_median", three_decimals},
                                     {"duration_us_min", three_decimals},
                                     {"duration_us_max", three_decimals},
                                     {"GFLOPS"},
                                     {"Data Moved (MB)"},
                                     {"FLOPS/Byte"}};
    add_columns(columns, "TB/s");
    add_columns(columns, "TFLOPS/s");
    add_columns(columns, "Kernel Time (\u00b5s)");
    columns.push_back({"Kernel Time (\u00b5s)_sum", three_decimals});
    columns.push_back({"kernel_details_summary"});
    columns.push_back({"has_perf_model"});
    columns.push_back({"Percentage (%)", three_decimals});
    columns.push_back({"Cumulative Percentage (%)", three_decimals});
    columns.push_back({"source"});
    Sheet sheet{"unified_perf_summary",
                std::move(columns),
                {},
                false,
                "FLOPs and bytes (MiB) of a call, over the time of all kernels inside it."};
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        struct Values {
            std::vector<double> cpu_us, kernel_us, tb_s, tflops_s;
            std::vector<EventIndex> work;
            std::optional<OperatorWork> of_call;
            bool has_model = false;
        };
        using Key = std::tuple<std::string, OperatorCategory, InputTexts, std::string>;
        const std::vector<bool> around_models = rank.around_models();
        const std::vector<std::size_t> rows = rank.rows_of(around_models);
        // By the call that a row counts; of one around modelled calls its own work alone, by kernel.
        std::map<std::pair<std::size_t, std::string_view>, std::vector<EventIndex>> work_of;
        for (std::size_t i = 0; i < rank.calls.size(); ++i) {
            const OperatorCall& call = rank.calls[i];
            if (call.category == OperatorCategory::communication)
                continue;
            const std::size_t row = rows[i];
            for (const EventIndex event : call.work)
                work_of[{row, around_models[row] ? rank.trace.event_name(event) : std::string_view{}}].push_back(event);
        }
        std::map<Key, Values> groups;
        double all = 0;
        for (auto& [row, work] : work_of) {
            const OperatorCall& call = rank.calls[row.first];
            const OperatorInputs in = rank.inputs(call);
            const std::string operator_name(rank.trace.event_name(call.event));
            const std::string name =
                row.second.empty() ? operator_name : fmt::format("{}->{} (Synthetic Op)", operator_name, row.second);
            const bool own_row = call.model != OperatorCall::kNoCall;
            const EventIndex kernel = !row.second.empty() || call.work.empty() ? work.front() : call.work.front();
            Values& values = groups[{name, operator_category(operator_name, rank.trace.event_name(kernel)),
                                     rank.input_texts(call), rank.thread_of(call)}];
            // Its own kernels one after the other, or with those of the operators inside it, whose union counts.
            double us = 0;
            for (const EventIndex event : work)
                us += as_us(rank.trace.events.duration[event]);
            if (own_row || (row.second.empty() && work.size() > call.work.size()))
                us = as_us(call.subtree);
            values.has_model = own_row;
            values.cpu_us.push_back(rank.trace.events.kind[call.event] == EventKind::cpu_op
                                        ? as_us(rank.trace.events.duration[call.event])
                                        : 0);
            values.kernel_us.push_back(us);
            values.work.insert(values.work.end(), work.begin(), work.end());
            all += us;
            std::optional<OperatorWork> model;
            if (own_row)
                if (const auto shapes =
                        OperatorShapes::parse(rank.text(in.dims), rank.text(in.types), rank.text(in.concrete))) {
                    model = operator_work(name, *shapes);
                    if (!model && call.attended)
                        model = paged_attention_work(name, *shapes, *call.attended);
                }
            if (model && us > 0) {
                values.tb_s.push_back(model->bytes / us / 1e6);
                values.tflops_s.push_back(model->flops / us / 1e6);
            }
            if (!values.of_call)
                values.of_call = model;
        }
        std::vector<std::pair<double, const std::pair<const Key, Values>*>> sorted;
        for (const auto& group : groups)
            sorted.emplace_back(sum_of(group.second.kernel_us), &group);
        std::ranges::stable_sort(sorted, std::greater(), [](const auto& g) { return g.first; });
        double cumulative = 0;
        for (const auto& [sum, group] : sorted) {
            const auto& [key, values] = *group;
            const InputTexts& inputs = std::get<2>(key);
            const Spread cpu = spread_over(values.cpu_us);
            cumulative += share(sum, all);
            const auto model = [&](double value) { return values.of_call ? Cell(value) : Cell(); };
            const OperatorWork work = values.of_call.value_or(OperatorWork{});
            std::vector<Cell> row{number_cell(rank.trace.rank),
                                  std::get<0>(key),
                                  std::string(operator_category_word(std::get<1>(key))),
                                  std::get<3>(key),
                                  std::string(inputs.dims),
                                  std::string(inputs.types),
                                  std::string(inputs.strides),
                                  std::string(inputs.concrete),
                                  static_cast<double>(values.kernel_us.size()),
                                  cpu.sum,
                                  cpu.mean,
                                  cpu.deviation,
                                  cpu.median,
                                  cpu.min,
                                  cpu.max,
                                  model(work.flops / 1e9),
                                  model(work.bytes / kMiB),
                                  work.bytes > 0 ? Cell(work.flops / work.bytes) : Cell()};
            for (const auto* rates : {&values.tb_s, &values.tflops_s}) {
                if (rates->empty())
                    row.insert(row.end(), 5, Cell());
                else
                    add_cells(row, spread_over(*rates));
            }
            add_cells(row, spread_over(values.kernel_us));
            row.emplace_back(sum);
            row.emplace_back(rank.kernels_text(values.work));
            row.emplace_back(values.has_model ? std::string("True") : std::string("False"));
            row.emplace_back(share(sum, all));
            row.emplace_back(cumulative);
            row.emplace_back(run.label);
            sheet.rows.push_back(std::move(row));
        }
    });
    return sheet;
}

Sheet serving_steps_sheet(Runs runs) {
    std::vector<SheetColumn> columns{{"rank", whole},
                                     {"step", whole},
                                     {"kind"},
                                     {"requests", whole},
                                     {"tokens", whole},
                                     {"prompt_tokens", whole},
                                     {"generated_tokens"},
                                     {"start_ms", three_decimals},
                                     {"host_ms", three_decimals},
                                     {"time_ms", three_decimals},
                                     {"gpu_busy_percent", three_decimals},
                                     {"between_us", three_decimals}};
    for (std::size_t p = 0; p < kStepParts; ++p)
        columns.push_back({std::string(step_part_word(static_cast<StepPart>(p))) + "_us", three_decimals});
    columns.push_back({"tokens_per_second", three_decimals});
    columns.push_back({"stall"});
    columns.push_back({"source"});
    Sheet sheet{"Serving_Steps",
                std::move(columns),
                {},
                false,
                "time: from the end of the GPU's work for the step before to the end of its own."};
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r) {
            std::int64_t number = 0;
            for (const ServedStep& step : run.analysis->served_steps()[r]) {
                ++number;
                if (!step.selected)
                    continue;
                const auto known = [](std::int64_t n) { return n == kUnknown ? Cell() : number_cell(n); };
                const bool timed = step.gpu_events > 0;
                const auto us = [&](TimeNs time) { return timed ? Cell(as_us(time)) : Cell(); };
                const double cycle = static_cast<double>(step.cycle.length());
                std::vector<Cell> row{number_cell(run.run().ranks[r]->rank),
                                      number_cell(number),
                                      std::string(engine_phase_word(step.step.phase)),
                                      known(step.requests()),
                                      known(step.tokens()),
                                      known(step.prompt_tokens()),
                                      std::isfinite(step.generated()) ? Cell(step.generated()) : Cell(),
                                      as_ms(run.analysis->since_start(r, step.step.range.begin)),
                                      as_ms(step.step.range.length()),
                                      timed ? Cell(cycle / 1e6) : Cell(),
                                      timed && cycle > 0 ? Cell(100.0 * static_cast<double>(step.busy) / cycle)
                                                         : Cell(),
                                      us(step.between)};
                for (const TimeNs part : step.parts)
                    row.push_back(us(part));
                row.push_back(timed && cycle > 0 && step.tokens() != kUnknown && step.step.phase != EnginePhase::verify
                                  ? Cell(static_cast<double>(step.tokens()) / cycle * 1e9)
                                  : Cell());
                row.emplace_back(timed ? std::string(step_part_word(step.stall())) : std::string());
                row.emplace_back(run.label);
                sheet.rows.push_back(std::move(row));
            }
        }
    return sheet;
}

Sheet graphs_sheet(Runs runs) {
    Sheet sheet{
        "Graphs",
        {{"graph"},
         {"replays", whole},
         {"median_us", three_decimals},
         {"min_us", three_decimals},
         {"max_us", three_decimals},
         {"node", whole},
         {"name"},
         {"operator"},
         {"node_median_us", three_decimals},
         {"node_min_us", three_decimals},
         {"node_max_us", three_decimals},
         {"node_total_us", three_decimals},
         {"source"}},
        {},
        false,
        "Each stream runs the same work in the same order in all replays of a graph. Nodes are numbered in that "
        "order, stream by stream."};
    for (const AnalysedRun& run : runs) {
        const StringTable& names = *run.run().names;
        for (const GraphStatistics& graph : run.analysis->graphs().graphs)
            for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
                const GraphNodeStatistics& node = graph.nodes[k];
                sheet.rows.push_back({std::string(names.view(graph.name)), static_cast<double>(graph.replays.size()),
                                      as_us(graph.median), as_us(graph.min), as_us(graph.max),
                                      static_cast<double>(k + 1), std::string(names.view(node.name)),
                                      std::string(names.view(node.op)), as_us(node.median), as_us(node.min),
                                      as_us(node.max), as_us(node.total), run.label});
            }
    }
    return sheet;
}

namespace {

std::vector<SheetColumn> module_columns() {
    return {{"module"},
            {"depth", whole},
            {"calls", whole},
            {"kernels", whole},
            {"self_us", three_decimals},
            {"total_us", three_decimals},
            {"allocated_bytes", whole},
            {"source"}};
}

std::vector<Cell> module_cells(const std::vector<ModuleRow>& modules, std::size_t i, const std::string& label) {
    const ModuleRow& row = modules[i];
    return {module_path(modules, i),
            static_cast<double>(row.depth),
            number_cell(row.calls),
            number_cell(row.kernels),
            as_us(row.self),
            as_us(row.total),
            number_cell(row.allocated),
            label};
}

} // namespace

Sheet modules_sheet(Runs runs) {
    Sheet sheet{"Modules",
                module_columns(),
                {},
                false,
                "self: of kernels that no inner module launched; total: with the modules inside."};
    for (const AnalysedRun& run : runs)
        for (std::size_t i = 0; i < run.analysis->modules().modules.size(); ++i)
            sheet.rows.push_back(module_cells(run.analysis->modules().modules, i, run.label));
    return sheet;
}

Sheet modules_by_step_sheet(Runs runs) {
    constexpr std::size_t kMostSteps = 50;
    std::vector<SheetColumn> columns = module_columns();
    columns.insert(columns.begin(), {"step", whole});
    Sheet sheet{"Modules_by_Step",
                std::move(columns),
                {},
                false,
                "Kernels count in the step in which they start, memory in the one in which it is allocated."};
    for (const AnalysedRun& run : runs) {
        if (run.analysis->modules().modules.empty())
            continue;
        const StepAccount& steps = run.analysis->steps();
        std::map<std::int64_t, std::vector<TimeRange>> by_number;
        for (std::size_t r = 0; r < steps.numbers.size(); ++r)
            for (std::size_t s = 0; s < steps.numbers[r].size(); ++s) {
                std::vector<TimeRange>& times = by_number[steps.numbers[r][s]];
                times.resize(run.run().ranks.size());
                times[r] = steps.windows[r][s];
            }
        if (by_number.size() < 2)
            continue;
        std::vector<std::span<const GpuSlice>> work;
        for (const RankAnalysis& rank : run.analysis->ranks())
            work.emplace_back(rank.gpu_work);
        std::size_t count = 0;
        for (const auto& [number, times] : by_number) {
            if (++count > kMostSteps)
                break;
            const ModuleAnalysis of_step = analyse_modules_of_step(run.run(), times, work);
            for (std::size_t i = 0; i < of_step.modules.size(); ++i) {
                sheet.rows.push_back(module_cells(of_step.modules, i, run.label));
                sheet.rows.back().insert(sheet.rows.back().begin(), number_cell(number));
            }
        }
    }
    return sheet;
}

} // namespace rankscope
