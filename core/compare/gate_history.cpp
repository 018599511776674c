// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/gate_history.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rankscope {
namespace {

constexpr auto kDivisions =
    std::to_array<std::string_view>({"tp", "pp", "dp", "cp", "ep", "dp_replicate", "dp_shard", "tensor_parallel_degree",
                                     "pipeline_parallel_degree", "context_parallel_degree", "expert_parallel_degree",
                                     "data_parallel_replicate_degree", "data_parallel_shard_degree"});

/// Why the run of the history does other work than the run; empty: it does the same.
std::string difference(const RunLayout& of_history, const RunLayout& run) {
    if (of_history.world_size != run.world_size)
        return fmt::format("{} ranks, and not {}", of_history.world_size, run.world_size);
    if (!of_history.gpu.empty() && !run.gpu.empty() && of_history.gpu != run.gpu)
        return fmt::format("{}, and not {}", of_history.gpu, run.gpu);
    for (const auto& [key, value] : run.divisions)
        if (const auto other = of_history.divisions.find(key);
            other != of_history.divisions.end() && other->second != value)
            return fmt::format("{} {}, and not {}", key, other->second, value);
    return {};
}

} // namespace

RunLayout layout_of(const RunAnalysis& analysis) {
    RunLayout layout{analysis.run().world_size, analysis.steps().gpu, {}};
    for (const auto& [key, value] : analysis.run().config) {
        const std::string_view end = std::string_view(key).substr(key.rfind('.') + 1);
        if (std::ranges::find(kDivisions, end) != kDivisions.end())
            layout.divisions.insert_or_assign(std::string(end), value);
    }
    return layout;
}

HistoryRun history_run(std::string name, const RunAnalysis& analysis, MetricReport metrics) {
    return {std::move(name), layout_of(analysis), work_profile(analysis), analysis.run().span, std::move(metrics)};
}

FittingHistory fitting_history(std::span<const HistoryRun> history, const RunAnalysis& run) {
    const RunLayout layout = layout_of(run);
    const WorkProfile work = history.empty() ? WorkProfile() : work_profile(run);
    FittingHistory fitting;
    for (const HistoryRun& earlier : history) {
        std::string why = difference(earlier.layout, layout);
        if (why.empty())
            why = english(compare_work(earlier.work, work).verdict);
        if (why.empty() && earlier.span == run.run().span)
            why = "it is the run itself";
        if (why.empty())
            fitting.reports.push_back(earlier.metrics);
        else
            fitting.left_out.push_back(fmt::format("{}: {}", earlier.name, why));
    }
    return fitting;
}

} // namespace rankscope
