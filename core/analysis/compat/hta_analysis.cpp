// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's analyses of every rank, in parallel.
#include "core/analysis/compat/hta_analysis.h"

#include "core/analysis/basics/per_rank.h"

namespace rankscope {
namespace {

HtaHost hta_host(const RankTrace& rank, const std::vector<HtaRow>& rows, HtaFilter filter) {
    if (filter.include_last_step)
        return {hta_idle(rank, rows), {}, {}, hta_describe({}), 0};
    std::vector<double> delays;
    for (const HtaLaunch& launch : hta_launches(rank, rows))
        delays.push_back(launch.delay_us);
    return {hta_idle(rank, rows), hta_queue_summary(hta_queue(rank, rows)),
            hta_bandwidth_summary(hta_memory_bandwidth(rank, rows)), hta_describe(std::move(delays)),
            hta_start_span(rank, rows, filter)};
}

} // namespace

HtaAnalysis hta_analysis(const Run& run, bool include_last_step) {
    struct RankResult {
        TemporalBreakdown breakdown;
        std::vector<HtaKernel> kernels;
        HtaClassTimes times{};
        HtaHost host;
    };
    const HtaFilter filter = hta_filter(run, include_last_step);
    std::vector<RankResult> ranks = per_rank<RankResult>(run, [&](const RankTrace& rank, std::size_t) {
        const std::vector<HtaRow> rows = hta_gpu_rows(rank, filter);
        return RankResult{temporal_breakdown(rank, rows), hta_kernels(rank, rows), hta_class_times(rows),
                          hta_host(rank, rows, filter)};
    });
    HtaAnalysis result;
    std::vector<HtaClassTimes> times;
    std::vector<HtaClassTimes> times_without_memory;
    for (RankResult& rank : ranks) {
        result.breakdowns.push_back(rank.breakdown);
        result.kernels.push_back(std::move(rank.kernels));
        result.host.push_back(std::move(rank.host));
        times.push_back(rank.times);
        times_without_memory.push_back(without_memory(rank.times));
    }
    result.types = hta_kernel_types(times);
    result.types_without_memory = hta_kernel_types(times_without_memory);
    return result;
}

} // namespace rankscope
