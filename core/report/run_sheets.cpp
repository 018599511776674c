// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets of report.xlsx.
#include "core/report/run_sheets.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "core/report/findings_report.h"
#include "core/report/operator_sheets.h"
#include "core/report/raw_sheets.h"
#include "core/report/tracelens_sheets.h"
#include "core/report/xla_sheets.h"

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

} // namespace

std::vector<Sheet> run_sheets(std::span<const AnalysedRun> runs, const NameFilter& filter) {
    std::vector<Sheet> sheets{metrics_sheet(runs),
                              findings_sheet(runs),
                              evidence_sheet(runs),
                              gpu_mean_sheet(runs),
                              gpu_rank_sheet(runs),
                              steps_sheet(runs),
                              operators_sheet(runs),
                              kernels_sheet(runs, filter),
                              short_kernels_sheet(runs, filter),
                              implicit_sync_sheet(runs),
                              long_collectives_sheet(runs),
                              all_to_allv_sheet(runs),
                              stragglers_sheet(runs),
                              ops_summary_sheet(runs),
                              ops_summary_by_category_sheet(runs),
                              ops_unique_args_sheet(runs),
                              kernel_summary_sheet(runs),
                              unified_perf_summary_sheet(runs),
                              short_kernels_summary_sheet(runs),
                              short_kernel_histogram_sheet(runs),
                              serving_steps_sheet(runs),
                              graphs_sheet(runs),
                              modules_sheet(runs),
                              modules_by_step_sheet(runs)};
    std::ranges::move(operator_sheets(runs), std::back_inserter(sheets));
    std::ranges::move(xla_sheets(runs), std::back_inserter(sheets));
    // Only of runs that have such things.
    std::erase_if(sheets, [](const Sheet& sheet) {
        return sheet.rows.empty() &&
               (sheet.name == "Serving_Steps" || sheet.name == "Graphs" || sheet.name.starts_with("Modules"));
    });
    return sheets;
}

} // namespace rankscope
