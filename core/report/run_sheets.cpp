// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets of report.xlsx.
#include "core/report/run_sheets.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/operators/roofline.h"
#include "core/metrics/workload.h"
#include "core/report/findings_report.h"
#include "core/report/raw_sheets.h"
#include "core/report/tracelens_sheets.h"

namespace rankscope {
namespace {

using enum NumberStyle;

Sheet operators_sheet(Runs runs) {
    Sheet sheet{"Operators",
                {{"rank", whole},
                 {"operator"},
                 {"category"},
                 {"input_dims"},
                 {"input_types"},
                 {"calls", whole},
                 {"gpu_events", whole},
                 {"gpu_time_ms", three_decimals},
                 {"gpu_time_mean_us", three_decimals},
                 {"gpu_time_min_us", three_decimals},
                 {"gpu_time_max_us", three_decimals},
                 {"cpu_time_ms", three_decimals},
                 {"source"}},
                {},
                false,
                "Operators that launched GPU work themselves; its time is the union of what a call launched."};
    for (const AnalysedRun& run : runs) {
        const StringTable& names = *run.run().names;
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r)
            for (const OperatorRow& row : run.analysis->operators()[r].leaves)
                sheet.rows.push_back({number_cell(run.run().ranks[r]->rank), std::string(names.view(row.name)),
                                      std::string(operator_category_word(row.category)),
                                      std::string(names.view(row.dims)), std::string(names.view(row.types)),
                                      number_cell(row.calls), number_cell(row.gpu_events), as_ms(row.direct),
                                      as_us(row.direct) / static_cast<double>(row.calls), as_us(row.direct_min),
                                      as_us(row.direct_max), as_ms(row.cpu), run.label});
    }
    return sheet;
}

Sheet kernels_sheet(Runs runs, const NameFilter& filter) {
    Sheet sheet{"Kernels",
                {{"rank", whole},
                 {"kernel"},
                 {"class"},
                 {"count", whole},
                 {"total_ms", three_decimals},
                 {"mean_us", three_decimals},
                 {"min_us", three_decimals},
                 {"max_us", three_decimals},
                 {"std_us", three_decimals},
                 {"source"}},
                {},
                false,
                {}};
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r)
            for (const KernelStatistics& k : run.analysis->kernel_tables()[r]) {
                const std::string_view name = run.run().names->view(k.name);
                if (!filter || filter(name))
                    sheet.rows.push_back({number_cell(run.run().ranks[r]->rank), std::string(name),
                                          std::string(kernel_class_word(k.kernel_class)), number_cell(k.count),
                                          as_ms(k.total), k.mean / 1000, as_us(k.min), as_us(k.max),
                                          k.standard_deviation / 1000, run.label});
            }
    return sheet;
}

/// Kernels of one name that are shorter than each limit.
using ShortByName = std::map<std::string_view, std::array<ShortKernels, kShortKernelLimits.size()>>;

ShortByName short_kernels(const RankAnalysis& rank) {
    ShortByName sums;
    for (const GpuSlice& slice : rank.gpu_work)
        for (std::size_t i = 0; i < kShortKernelLimits.size(); ++i)
            if (rank.trace->events.kind[slice.event] == EventKind::kernel &&
                slice.range.length() < kShortKernelLimits[i]) {
                ShortKernels& sum = sums[rank.trace->event_name(slice.event)][i];
                ++sum.count;
                sum.time += slice.range.length();
            }
    return sums;
}

Sheet short_kernels_sheet(Runs runs, const NameFilter& filter) {
    Sheet sheet{"Short_Kernels",
                {{"rank", whole},
                 {"kernel"},
                 {"under 10 us: count", whole},
                 {"under 10 us: total_ms", three_decimals},
                 {"under 50 us: count", whole},
                 {"under 50 us: total_ms", three_decimals},
                 {"source"}},
                {},
                false,
                "Such kernels often cost less than launching them."};
    for (const AnalysedRun& run : runs)
        for (const RankAnalysis& rank : run.analysis->ranks()) {
            const ShortByName sums = short_kernels(rank);
            std::vector<std::pair<std::string_view, std::array<ShortKernels, 2>>> sorted(sums.begin(), sums.end());
            std::ranges::stable_sort(sorted, std::greater<>(),
                                     [](const auto& entry) { return entry.second.back().time; });
            for (const auto& [name, by_limit] : sorted)
                if (!filter || filter(name))
                    sheet.rows.push_back({number_cell(rank.trace->rank), std::string(name),
                                          number_cell(by_limit[0].count), as_ms(by_limit[0].time),
                                          number_cell(by_limit[1].count), as_ms(by_limit[1].time), run.label});
        }
    return sheet;
}

struct Performance {
    Sheet gemm;
    Sheet attention;
    Sheet convolution;
};

Sheet performance_sheet(std::string name) {
    return {std::move(name),
            {{"rank", whole},
             {"operator"},
             {"category"},
             {"input_dims"},
             {"input_types"},
             {"calls", whole},
             {"gpu_time_ms", three_decimals},
             {"GFLOPs per call", three_decimals},
             {"MB per call", three_decimals},
             {"FLOPs/byte", two_decimals},
             {"TFLOP/s", two_decimals},
             {"TB/s", three_decimals},
             {"roofline_us", three_decimals},
             {"bound"},
             {"source"}},
            {},
            false,
            "FLOPs and bytes (MiB) that the recorded shapes need, over the GPU time of the calls."};
}

Sheet* sheet_of(Performance& performance, OperatorCategory category) {
    switch (category) {
    case OperatorCategory::gemm:
    case OperatorCategory::grouped_gemm:
    case OperatorCategory::moe_fused:
    case OperatorCategory::moe_unfused: return &performance.gemm;
    case OperatorCategory::inference_attention:
    case OperatorCategory::attention_forward:
    case OperatorCategory::attention_backward: return &performance.attention;
    case OperatorCategory::conv_forward:
    case OperatorCategory::conv_backward: return &performance.convolution;
    default: return nullptr;
    }
}

Performance performance_sheets(Runs runs) {
    Performance result{performance_sheet("GEMM"), performance_sheet("Attention"), performance_sheet("Convolution")};
    for (const AnalysedRun& run : runs) {
        const StringTable& names = *run.run().names;
        const std::string device = run_device_name(run.run());
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r)
            for (const RooflineRow& line : roofline(names, run.analysis->operators()[r].modelled, device))
                if (Sheet* sheet = sheet_of(result, line.row.category))
                    sheet->rows.push_back(
                        {number_cell(run.run().ranks[r]->rank), std::string(names.view(line.row.name)),
                         std::string(operator_category_word(line.row.category)), std::string(names.view(line.row.dims)),
                         std::string(names.view(line.row.types)), number_cell(line.row.calls), as_ms(line.row.direct),
                         line.work.flops / 1e9, line.work.bytes / 1048576.0, line.flops_per_byte, line.tflops_s,
                         line.tb_s, line.roofline_us ? Cell(*line.roofline_us) : Cell(),
                         std::string(bound_word(line.bound)), run.label});
    }
    return result;
}

} // namespace

std::vector<Sheet> run_sheets(std::span<const AnalysedRun> runs, const NameFilter& filter) {
    Performance performance = performance_sheets(runs);
    std::vector<Sheet> sheets{metrics_sheet(runs),
                              findings_sheet(runs),
                              evidence_sheet(runs),
                              gpu_mean_sheet(runs),
                              gpu_rank_sheet(runs),
                              steps_sheet(runs),
                              operators_sheet(runs),
                              kernels_sheet(runs, filter),
                              short_kernels_sheet(runs, filter),
                              std::move(performance.gemm),
                              std::move(performance.attention),
                              std::move(performance.convolution),
                              implicit_sync_sheet(runs),
                              long_collectives_sheet(runs),
                              all_to_allv_sheet(runs),
                              stragglers_sheet(runs),
                              ops_summary_sheet(runs),
                              ops_summary_by_category_sheet(runs),
                              ops_unique_args_sheet(runs),
                              kernel_summary_sheet(runs),
                              unified_perf_summary_sheet(runs),
                              serving_steps_sheet(runs),
                              graphs_sheet(runs),
                              modules_sheet(runs)};
    // Only of runs that have such things.
    std::erase_if(sheets, [](const Sheet& sheet) {
        return sheet.rows.empty() &&
               (sheet.name == "Serving_Steps" || sheet.name == "Graphs" || sheet.name == "Modules");
    });
    return sheets;
}

} // namespace rankscope
