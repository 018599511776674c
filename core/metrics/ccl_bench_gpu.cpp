// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels, copies and balance of CCL-Bench's dashboard.
#include "core/metrics/ccl_bench_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "core/analysis/basics/intervals.h"
#include "core/base/statistics.h"
#include "core/metrics/ccl_bench_kernels.h"
#include "core/metrics/numbers.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

bool all_kernels(const DashboardKernel&) { return true; }

} // namespace

namespace dashboard {

DashboardNumber moe_fraction(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    return {share_of_all(run, [](const DashboardKernel& kernel) { return kernel.says->own_moe; }),
            share_of_all(run, [](const DashboardKernel& kernel) { return kernel.says->moe; })};
}

DashboardNumber mean_sm_coverage(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    double weighted = 0, weight = 0, sum = 0, count = 0;
    for (const DashboardRank& rank : run.ranks) {
        const GpuColumns& gpu = rank.rank->trace->gpu;
        for (const DashboardKernel& kernel : rank.kernels) {
            if (gpu.occupancy.empty() || !std::isfinite(gpu.occupancy_of(kernel.event).blocks_per_sm))
                continue;
            const double covered = std::min(double{gpu.occupancy_of(kernel.event).blocks_per_sm}, 1.0) * 100;
            weighted += covered * length_ns(kernel.range);
            weight += length_ns(kernel.range);
            sum += covered;
            ++count;
        }
    }
    return {weighted / weight, run.nsys ? sum / count : weighted / weight};
}

DashboardNumber dominant_kernel_concentration(const RunAnalysis& analysis) {
    std::map<NameId, double> by_name;
    double all = 0;
    for (const DashboardRank& rank : dashboard_run(analysis).ranks)
        for (const DashboardKernel& kernel : rank.kernels) {
            by_name[rank.rank->trace->events.name[kernel.event]] += length_ns(kernel.range);
            all += length_ns(kernel.range);
        }
    double most = 0;
    for (const auto& [name, ns] : by_name)
        most = std::max(most, ns);
    return {percent_of(most, all), percent_of(most, all)};
}

DashboardNumber total_kernel_time(const RunAnalysis& analysis) {
    double sum = 0;
    for (const DashboardRank& rank : dashboard_run(analysis).ranks)
        for (const DashboardKernel& kernel : rank.kernels)
            sum += length_ns(kernel.range);
    return sum > 0 ? DashboardNumber{sum / kNsPerS, sum / kNsPerS} : DashboardNumber{};
}

/// Bytes of copies over their time. Theirs counts sets of a Kineto trace as well.
DashboardNumber average_memory_bandwidth(const RunAnalysis& analysis) {
    double copied = 0, copy_ns = 0, set = 0, set_ns = 0;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const MemoryTransfer& transfer : rank.trace->memory_transfers) {
            const TimeNs duration = rank.trace->events.duration[transfer.event];
            const bool selected = std::ranges::any_of(
                std::ranges::equal_range(rank.gpu_work, rank.trace->events.start[transfer.event], {},
                                         [](const GpuSlice& slice) { return slice.range.begin; }),
                [&](const GpuSlice& slice) { return slice.event == transfer.event; });
            if (transfer.bytes <= 0 || duration <= 0 || !selected)
                continue;
            const bool is_copy = rank.trace->events.kind[transfer.event] == EventKind::memcpy;
            (is_copy ? copied : set) += static_cast<double>(transfer.bytes);
            (is_copy ? copy_ns : set_ns) += static_cast<double>(duration);
        }
    const bool nsys = analysis.run().source == TraceSource::nsys || analysis.run().source == TraceSource::nsys_stats;
    return {copied / copy_ns, nsys ? copied / copy_ns : (copied + set) / (copy_ns + set_ns)};
}

/// Time with copies in the time from a rank's first to its last GPU work. Theirs: of Kineto traces kernels whose names
/// speak of copies, which real copies are not; of Nsight Systems the copies of all GPUs added over one time.
DashboardNumber memory_transfer_overhead(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    std::vector<double> ours;
    double added = 0;
    std::optional<TimeRange> all;
    for (const RankAnalysis& rank : analysis.ranks()) {
        std::vector<TimeRange> copies;
        std::optional<TimeRange> span;
        for (const GpuSlice& slice : rank.gpu_work) {
            const EventKind kind = rank.trace->events.kind[slice.event];
            if (kind == EventKind::memcpy)
                copies.push_back(slice.range);
            if (kind != EventKind::kernel && kind != EventKind::memcpy)
                continue;
            span = span ? TimeRange{std::min(span->begin, slice.range.begin), std::max(span->end, slice.range.end)}
                        : slice.range;
        }
        if (!span)
            continue;
        for (const TimeRange& copy : copies)
            added += length_ns(copy);
        all = all ? TimeRange{std::min(all->begin, span->begin), std::max(all->end, span->end)} : *span;
        ours.push_back(percent_of(static_cast<double>(measure(merge(std::move(copies)))), length_ns(*span)));
    }
    const double theirs = run.nsys && all
                              ? percent_of(added, length_ns(*all))
                              : share_of_all(run, [](const DashboardKernel& kernel) { return kernel.says->copy; });
    return {mean_of(ours), theirs};
}

/// Longest over shortest time of the ranks. Kernels of collectives last as long as they wait: ours leaves them out.
DashboardNumber load_imbalance_ratio(const RunAnalysis& analysis) {
    std::vector<double> ours, theirs;
    for (const DashboardRank& rank : dashboard_run(analysis).ranks)
        if (!rank.kernels.empty()) {
            ours.push_back(static_cast<double>(measure(rank.united(is_computation))));
            theirs.push_back(static_cast<double>(measure(rank.united(all_kernels))));
        }
    const auto ratio = [](const std::vector<double>& times) {
        return times.size() < 2 || std::ranges::min(times) <= 0 ? kNoNumber
                                                                : std::ranges::max(times) / std::ranges::min(times);
    };
    return {ratio(ours), ratio(theirs)};
}

/// (longest - shortest) / longest. Theirs is of the time in NCCL's kernels, which is longest where nobody is late.
DashboardNumber straggler(const RunAnalysis& analysis) {
    std::vector<double> ours, theirs;
    for (const DashboardRank& rank : dashboard_run(analysis).ranks) {
        double nccl = 0;
        for (const DashboardKernel& kernel : rank.kernels)
            nccl += kernel.says->nccl ? length_ns(kernel.range) : 0;
        if (nccl > 0)
            theirs.push_back(nccl);
        if (!rank.kernels.empty())
            ours.push_back(static_cast<double>(measure(rank.united(is_computation))));
    }
    const auto delay = [](const std::vector<double>& times) {
        return times.size() < 2 || std::ranges::max(times) <= 0
                   ? kNoNumber
                   : (std::ranges::max(times) - std::ranges::min(times)) / std::ranges::max(times);
    };
    return {delay(ours), delay(theirs)};
}

/// Time with kernels from the first to the last. Theirs puts all GPUs of a report of Nsight Systems into one.
DashboardNumber aggregate_gpu_utilization(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto busy = [](const IntervalSet& set) {
        return set.empty() ? kNoNumber
                           : percent_of(static_cast<double>(measure(set)),
                                        static_cast<double>(set.back().end - set.front().begin));
    };
    IntervalSet all;
    DashboardNumber number = mean_over_ranks(run, [&](const DashboardRank& rank) {
        const IntervalSet set = rank.united(all_kernels);
        if (run.nsys)
            all = unite(all, set);
        return DashboardNumber{busy(set), busy(set)};
    });
    if (run.nsys)
        number.theirs = busy(all);
    return number;
}

DashboardNumber gpu_step_score(const RunAnalysis& analysis) {
    constexpr double kBaseGpus = 16, kBaseStep = 0.44, kWeight = 0.5;
    const double step = avg_step_time(analysis).ours;
    const auto score = [&](double gpus) {
        return gpus > 0 && step > 0 ? kWeight * (kBaseGpus / gpus) + (1 - kWeight) * (kBaseStep / step) : kNoNumber;
    };
    return {score(analysis.run().world_size), score(static_cast<double>(analysis.run().ranks.size()))};
}

/// Theirs: kernels of NCCL, their times added, over the GPUs and over how often rank 0 calls RedistributeBackward.
DashboardNumber traffic_time(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    double sum = 0;
    for (const DashboardRank& rank : run.ranks)
        for (const DashboardKernel& kernel : rank.kernels)
            sum += kernel.says->nccl ? length_ns(kernel.range) : 0;
    if (run.ranks.empty() || sum == 0)
        return {};
    const RankTrace& first = *run.ranks.front().rank->trace;
    std::int64_t iterations = 0;
    for (EventIndex i = first.events.gpu_count; i < first.events.size(); ++i)
        iterations +=
            first.events.kind[i] == EventKind::cpu_op && first.event_name(i) == "RedistributeBackward" ? 1 : 0;
    const double per_gpu = sum / kNsPerS / static_cast<double>(run.ranks.size());
    return {kNoNumber, per_gpu / static_cast<double>(std::max<std::int64_t>(1, iterations))};
}

} // namespace dashboard
} // namespace rankscope
