// SPDX-License-Identifier: GPL-3.0-or-later
// Steps and communication of CCL-Bench's dashboard.
#include "core/metrics/ccl_bench_numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/metrics/ccl_bench_kernels.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

double mean_length_s(const std::vector<TimeRange>& ranges) {
    double sum = 0;
    for (const TimeRange& range : ranges)
        sum += length_ns(range);
    return sum / kNsPerS / static_cast<double>(ranges.size());
}

/// Mean over steps of the share of communication in their kernels' time; of all kernels where there are no steps.
template <typename IsPart, typename Length>
double mean_share(const DashboardRank& rank, const std::vector<TimeRange>& steps, IsPart is_part, Length length) {
    if (steps.empty()) {
        KernelShare share;
        for (const DashboardKernel& kernel : rank.kernels)
            share.add(is_part(kernel), length_ns(kernel.range));
        return share.percent();
    }
    std::vector<KernelShare> shares(steps.size());
    for (const DashboardKernel& kernel : rank.kernels) {
        auto step = std::ranges::partition_point(
            steps, [&](const TimeRange& range) { return range.end <= kernel.range.begin; });
        for (; step != steps.end() && step->begin < kernel.range.end; ++step)
            shares[static_cast<std::size_t>(step - steps.begin())].add(is_part(kernel), length(kernel.range, *step));
    }
    std::vector<double> percents;
    for (const KernelShare& share : shares)
        if (share.whole > 0)
            percents.push_back(share.percent());
    return mean_of(percents);
}

/// Theirs counts a kernel that crosses a border in full in both steps; here each part counts where it runs.
DashboardNumber fraction_of_rank(const DashboardRank& rank) {
    return {mean_share(
                rank, rank.steps, is_communication,
                [](TimeRange kernel, TimeRange step) { return length_ns(kernel.clipped_to(step)); }),
            mean_share(
                rank, rank.profiler_steps, [](const DashboardKernel& kernel) { return kernel.says->in_fraction; },
                [](TimeRange kernel, TimeRange) { return length_ns(kernel); })};
}

} // namespace

namespace dashboard {

/// Theirs: from start to end of an event; an engine's only where no rank has profiler steps.
DashboardNumber avg_step_time(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto mean = [&](std::vector<TimeRange> DashboardRank::*steps) {
        std::vector<double> by_rank;
        for (const DashboardRank& rank : run.ranks)
            if (!(rank.*steps).empty())
                by_rank.push_back(mean_length_s(rank.*steps));
        return mean_of(by_rank);
    };
    DashboardNumber number{mean(&DashboardRank::steps)};
    if (!run.nsys) {
        number.theirs = mean(&DashboardRank::profiler_steps);
        if (std::isnan(number.theirs))
            number.theirs = mean(&DashboardRank::engine_steps);
    }
    return number;
}

DashboardNumber communication_fraction(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    DashboardNumber number = mean_over_ranks(run, fraction_of_rank);
    if (run.nsys)
        number.theirs = their_share(run, [](const DashboardKernel& kernel) { return kernel.says->in_fraction; });
    return number;
}

DashboardNumber communication_ratio(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    return {share_of_all(run, is_communication),
            their_share(run, [](const DashboardKernel& kernel) { return kernel.says->in_time; })};
}

/// Time with communication in a step: ours of the steps, theirs from the first step's start to the last one's end.
DashboardNumber total_communication_time(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto theirs = [](const DashboardKernel& kernel) { return kernel.says->in_time; };
    DashboardNumber number = mean_over_ranks(run, [&](const DashboardRank& rank) -> DashboardNumber {
        if (rank.kernels.empty())
            return {};
        const auto seconds = [](const IntervalSet& set, const std::vector<TimeRange>& steps) {
            return length_ns(set) / kNsPerS / static_cast<double>(std::max<std::size_t>(1, steps.size()));
        };
        IntervalSet own = rank.united(is_communication), by_names = rank.united(theirs);
        if (!rank.steps.empty())
            own = intersect(own, merge(rank.steps));
        if (rank.trimmed)
            by_names = intersect(by_names, {{rank.profiler_steps.front().begin, rank.profiler_steps.back().end}});
        return {seconds(own, rank.steps), seconds(by_names, rank.profiler_steps)};
    });
    if (run.nsys) { // of the whole report, the kernels of all its GPUs added
        double sum = 0;
        run.each_of_theirs([&](const DashboardKernel& kernel) { sum += theirs(kernel) ? length_ns(kernel.range) : 0; });
        number.theirs = sum / kNsPerS;
    }
    return number;
}

DashboardNumber compute_comm_overlap(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    double communicated = 0, hidden = 0; // of all ranks by their names
    DashboardNumber number = mean_over_ranks(run, [&](const DashboardRank& rank) -> DashboardNumber {
        const IntervalSet by_name = rank.united([](const DashboardKernel& kernel) { return kernel.says->in_overlap; });
        const IntervalSet others =
            rank.united([](const DashboardKernel& kernel) { return !kernel.says->in_overlap && is_theirs(kernel); });
        communicated += length_ns(by_name);
        hidden += length_ns(intersect(by_name, others));
        const auto percent = [](IntervalSet comm, const IntervalSet& compute, const std::vector<TimeRange>& steps) {
            if (!steps.empty())
                comm = intersect(comm, merge(steps));
            return percent_of(length_ns(intersect(comm, compute)), length_ns(comm));
        };
        const auto& marked = rank.profiler_steps.empty() ? rank.engine_steps : rank.profiler_steps;
        return {percent(rank.united(is_communication), rank.united(is_computation), rank.steps),
                marked.empty() ? kNoNumber : percent(by_name, others, marked)};
    });
    if (run.nsys)
        number.theirs = percent_of(hidden, communicated);
    return number;
}

} // namespace dashboard
} // namespace rankscope
