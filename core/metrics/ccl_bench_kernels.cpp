// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ccl_bench_kernels.h"

#include <algorithm>
#include <array>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::array kDashboardCollectives{"allreduce"sv,    "allgather"sv,      "reducescatter"sv, "broadcast"sv,
                                           "cross_device"sv, "cross-device"sv,   "crossdevice"sv,   "all_reduce"sv,
                                           "all_gather"sv,   "reduce_scatter"sv, "sendrecv"sv};
constexpr std::array kDashboardFractionOnly{"nccl"sv, "send"sv, "recv"sv, "p2p"sv, "communicate"sv};
constexpr std::array kDashboardOverlapOnly{"nccl"sv,     "all-reduce"sv, "all-gather"sv, "reduce-scatter"sv,
                                           "alltoall"sv, "all-to-all"sv, "all_to_all"sv, "collective"sv};
constexpr std::array kDashboardMoe{"moe"sv,          "expert"sv,   "routing"sv, "gating"sv,
                                   "grouped_gemm"sv, "dispatch"sv, "combine"sv};
constexpr std::array kDashboardCopies{"memcpy"sv, "memset"sv, "copy_kernel"sv};
/// Attention that is split over its keys combines the parts, PyTorch sorts and aggregates, NCCL sends: no experts.
constexpr std::array kDashboardNoExperts{"splitkv"sv, "split_kv"sv, "flash"sv, "fmha"sv, "at::native"sv, "nccl"sv};

/// The range of the step annotations, in order; first and last dropped of three or more.
void take_inner_steps(DashboardRank& rank, std::vector<TimeRange> steps) {
    rank.trimmed = steps.size() > 2;
    if (rank.trimmed)
        steps = std::vector<TimeRange>(steps.begin() + 1, steps.end() - 1);
    rank.steps = std::move(steps);
}

std::vector<TimeRange> ranges_named(const RankTrace& trace, EventKind kind, bool (*named)(std::string_view)) {
    std::vector<TimeRange> ranges;
    for (EventIndex i = trace.events.gpu_count; i < trace.events.size(); ++i)
        if (trace.events.kind[i] == kind && named(trace.event_name(i)))
            ranges.push_back(trace.events.range(i));
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    return ranges;
}

void find_dashboard_steps(DashboardRank& rank) {
    const RankTrace& trace = *rank.rank->trace;
    std::vector<TimeRange> steps;
    for (const ProfilerStep& step : rank.rank->steps)
        steps.push_back(step.range);
    if (steps.empty())
        steps = ranges_named(trace, EventKind::annotation,
                             [](std::string_view name) { return name.starts_with("execute_context_"); });
    if (steps.empty())
        steps =
            ranges_named(trace, EventKind::python, [](std::string_view name) { return name.ends_with(": run_batch"); });
    take_inner_steps(rank, std::move(steps));
}

} // namespace

DashboardName dashboard_name(std::string_view name) {
    const std::string lower = lower_case(name);
    const bool collective = contains_any(lower, kDashboardCollectives);
    DashboardName says;
    says.nccl = contains(lower, "nccl");
    says.in_fraction = collective || contains_any(lower, kDashboardFractionOnly);
    says.in_time =
        collective || lower.starts_with("nccl") || contains(lower, "nccldevkernel") || contains(lower, "ncclkernel");
    says.in_overlap = collective || contains_any(lower, kDashboardOverlapOnly);
    says.moe = contains_any(lower, kDashboardMoe) || contains(lower, "gate_") || contains(lower, "topk");
    says.own_moe = says.moe && !contains_any(lower, kDashboardNoExperts) && !contains(lower, "aggregate_");
    says.copy = !says.in_time && !says.nccl && contains_any(lower, kDashboardCopies);
    return says;
}

DashboardRun dashboard_run(const RunAnalysis& analysis) {
    DashboardRun result;
    const Run& run = analysis.run();
    result.nsys = run.source == TraceSource::nsys || run.source == TraceSource::nsys_stats;
    result.names.resize(run.names->size());
    std::vector<char> known(result.names.size(), 0);
    for (const RankAnalysis& rank : analysis.ranks()) {
        DashboardRank entry;
        entry.rank = &rank;
        for (const GpuSlice& slice : rank.gpu_work) {
            if (rank.trace->events.kind[slice.event] != EventKind::kernel)
                continue;
            const NameId name = rank.trace->events.name[slice.event];
            if (known[name] == 0) {
                known[name] = 1;
                result.names[name] = dashboard_name(run.names->view(name));
            }
            entry.kernels.push_back(
                {slice.range, slice.event, slice.kernel_class == KernelClass::communication, &result.names[name]});
        }
        find_dashboard_steps(entry);
        if (!entry.kernels.empty() || !entry.steps.empty())
            result.ranks.push_back(std::move(entry));
    }
    return result;
}

} // namespace rankscope
