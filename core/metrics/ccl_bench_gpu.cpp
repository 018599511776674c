// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels, copies and balance of CCL-Bench's dashboard.
#include "core/metrics/ccl_bench_numbers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/statistics.h"
#include "core/metrics/ccl_bench_kernels.h"
#include "core/metrics/numbers.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

bool all_kernels(const DashboardKernel&) { return true; }

} // namespace

namespace dashboard {

DashboardNumber moe_fraction(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    return {share_of_all(run, [](const DashboardKernel& kernel) { return kernel.says->own_moe; }),
            their_share(run, [](const DashboardKernel& kernel) { return kernel.says->moe; })};
}

/// Theirs of Nsight Systems: by the grids, over the processors of the report's first device.
DashboardNumber mean_sm_coverage(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto processors = find_number(analysis.run().config, {"trace.nsys.device_multiprocessors"});
    constexpr double kPercent = 100;
    double weighted = 0, weight = 0;
    std::vector<double> by_grid;
    for (const DashboardRank& rank : run.ranks) {
        const RankTrace& trace = *rank.rank->trace;
        for (const DashboardKernel& kernel : rank.kernels) {
            if (processors && !trace.gpu.launch_shape.empty() && is_theirs(kernel)) {
                const auto& grid = trace.launch_shapes[trace.gpu.launch_shape[kernel.event]].grid;
                const double blocks = static_cast<double>(grid[0]) * grid[1] * grid[2];
                by_grid.push_back(std::min(blocks / processors->value, 1.0) * kPercent);
            }
            if (trace.gpu.occupancy.empty() || !std::isfinite(trace.gpu.occupancy_of(kernel.event).blocks_per_sm))
                continue;
            const double covered = std::min(double{trace.gpu.occupancy_of(kernel.event).blocks_per_sm}, 1.0) * kPercent;
            weighted += covered * length_ns(kernel.range);
            weight += length_ns(kernel.range);
        }
    }
    return {weighted / weight, run.nsys ? mean_of(by_grid) : weighted / weight};
}

/// Theirs puts all kernels of one function together in a report of Nsight Systems, whatever their template arguments.
DashboardNumber dominant_kernel_concentration(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    std::map<NameId, double> by_name;
    std::map<std::string_view, double> by_key;
    for (const DashboardRank& rank : run.ranks)
        for (const DashboardKernel& kernel : rank.kernels)
            by_name[rank.rank->trace->events.name[kernel.event]] += length_ns(kernel.range);
    run.each_of_theirs([&](const DashboardKernel& kernel) { by_key[kernel.says->key] += length_ns(kernel.range); });
    const auto most = [](const auto& times) {
        double longest = 0, all = 0;
        for (const auto& [name, ns] : times) {
            longest = std::max(longest, ns);
            all += ns;
        }
        return percent_of(longest, all);
    };
    return {most(by_name), most(by_key)};
}

DashboardNumber total_kernel_time(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    double ours = 0, theirs = 0;
    for (const DashboardRank& rank : run.ranks)
        for (const DashboardKernel& kernel : rank.kernels)
            ours += length_ns(kernel.range);
    run.each_of_theirs([&](const DashboardKernel& kernel) { theirs += length_ns(kernel.range); });
    return ours > 0 ? DashboardNumber{ours / kNsPerS, theirs / kNsPerS} : DashboardNumber{};
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

namespace {

double span_ns(const IntervalSet& set) {
    return set.empty() ? 0 : static_cast<double>(set.back().end - set.front().begin);
}

/// Theirs. Of Kineto traces: what kernels whose names speak of copies, which real copies are not, run without
/// computation beside them, over the time from first to last kernel of ranks that have such kernels.
double their_copies(const DashboardRun& run) {
    double alone = 0, whole = 0;
    for (const DashboardRank& rank : run.ranks) {
        const IntervalSet copies = rank.united([](const DashboardKernel& kernel) { return kernel.says->copy; });
        if (copies.empty())
            continue;
        alone += length_ns(subtract(copies, rank.united([](const DashboardKernel& kernel) {
            return !kernel.says->copy && !kernel.says->in_copies;
        })));
        whole += span_ns(rank.united(all_kernels));
    }
    constexpr double kPlaces = 1e4; // it prints four
    return std::round(percent_of(alone, whole) * kPlaces) / kPlaces;
}

std::vector<TimeRange> copies_of(const RankAnalysis& rank) {
    std::vector<TimeRange> copies;
    for (const GpuSlice& slice : rank.gpu_work)
        if (rank.trace->events.kind[slice.event] == EventKind::memcpy)
            copies.push_back(slice.range);
    return copies;
}

/// Of Nsight Systems: time with copies and without kernels, all GPUs put into one.
double their_copies_of_nsys(const DashboardRun& run) {
    IntervalSet kernels, copies;
    for (const DashboardRank& rank : run.ranks) {
        copies = unite(copies, merge(copies_of(*rank.rank)));
        kernels = unite(kernels, rank.united(is_theirs));
    }
    return copies.empty() || kernels.empty()
               ? kNoNumber
               : percent_of(length_ns(subtract(copies, kernels)), span_ns(unite(copies, kernels)));
}

} // namespace

/// Time with copies in the time from a rank's first to its last kernel or copy.
DashboardNumber memory_transfer_overhead(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    std::vector<double> ours;
    for (const RankAnalysis& rank : analysis.ranks()) {
        std::vector<TimeRange> work = copies_of(rank);
        const double copied = length_ns(merge(work));
        for (const GpuSlice& slice : rank.gpu_work)
            if (rank.trace->events.kind[slice.event] == EventKind::kernel)
                work.push_back(slice.range);
        if (!work.empty())
            ours.push_back(percent_of(copied, span_ns(merge(std::move(work)))));
    }
    return {mean_of(ours), run.nsys ? their_copies_of_nsys(run) : their_copies(run)};
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

/// (longest - shortest) / longest. Theirs is of the time in NCCL's device kernels, which is longest where nobody is
/// late; 0 of fewer than two ranks with such.
DashboardNumber straggler(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    std::vector<double> ours, theirs;
    for (const DashboardRank& rank : run.ranks) {
        double nccl = 0;
        for (const DashboardKernel& kernel : rank.kernels)
            nccl += kernel.says->nccl_device ? length_ns(kernel.range) : 0;
        if (nccl > 0)
            theirs.push_back(nccl);
        if (!rank.kernels.empty())
            ours.push_back(length_ns(rank.united(is_computation)));
    }
    const auto delay = [](const std::vector<double>& times, double none) {
        return times.size() < 2 || std::ranges::max(times) <= 0
                   ? none
                   : (std::ranges::max(times) - std::ranges::min(times)) / std::ranges::max(times);
    };
    return {delay(ours, kNoNumber), run.nsys ? kNoNumber : delay(theirs, 0)};
}

/// Time with kernels from the first to the last. Theirs puts all GPUs of a report of Nsight Systems into one.
DashboardNumber aggregate_gpu_utilization(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto busy = [](const IntervalSet& set) { return percent_of(length_ns(set), span_ns(set)); };
    IntervalSet all;
    DashboardNumber number = mean_over_ranks(run, [&](const DashboardRank& rank) {
        const IntervalSet set = rank.united(all_kernels);
        if (run.nsys)
            all = unite(all, rank.united(is_theirs));
        return DashboardNumber{busy(set), busy(set)};
    });
    if (run.nsys)
        number.theirs = busy(all);
    return number;
}

/// Theirs: GPUs of gpu_count.txt, else files named "rank..._trace.json".
DashboardNumber gpu_step_score(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const auto setting = [&](const char* key, double otherwise) {
        const auto found = find_number(run.config, {key});
        return found ? found->value : otherwise;
    };
    const double base_gpus = setting("gpu_step_score_config.G0", 16),
                 base_step = setting("gpu_step_score_config.T0", 0.44),
                 weight = setting("gpu_step_score_config.w", 0.5);
    const DashboardNumber step = avg_step_time(analysis);
    const auto score = [&](double gpus, double seconds) {
        return gpus > 0 && seconds > 0 ? weight * (base_gpus / gpus) + (1 - weight) * (base_step / seconds) : kNoNumber;
    };
    const auto files = std::ranges::count_if(run.ranks, [](const auto& rank) {
        const std::string file = rank->file.filename().string();
        return file.starts_with("rank") && file.ends_with("_trace.json");
    });
    return {score(run.world_size, step.ours), score(setting("gpu_count", static_cast<double>(files)), step.theirs)};
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
