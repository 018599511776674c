// SPDX-License-Identifier: GPL-3.0-or-later
// Steps and communication of CCL-Bench's dashboard.
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

double mean_length_s(const std::vector<TimeRange>& ranges) {
    double sum = 0;
    for (const TimeRange& range : ranges)
        sum += length_ns(range);
    return sum / kNsPerS / static_cast<double>(ranges.size());
}

/// Calls use(step, kernel) for each kernel that runs in a step. Steps and kernels are sorted.
template <typename Use>
void each_kernel_of_steps(const DashboardRank& rank, Use use) {
    for (const DashboardKernel& kernel : rank.kernels) {
        auto step = std::ranges::partition_point(
            rank.steps, [&](const TimeRange& range) { return range.end <= kernel.range.begin; });
        for (; step != rank.steps.end() && step->begin < kernel.range.end; ++step)
            use(static_cast<std::size_t>(step - rank.steps.begin()), kernel);
    }
}

/// Theirs counts a kernel that crosses a border in full in both steps; here each part counts where it runs.
DashboardNumber fraction_of_rank(const DashboardRank& rank) {
    if (rank.steps.empty()) {
        KernelShare ours, theirs;
        for (const DashboardKernel& kernel : rank.kernels) {
            ours.add(kernel.communication, length_ns(kernel.range));
            theirs.add(kernel.says->in_fraction, length_ns(kernel.range));
        }
        return {ours.percent(), theirs.percent()};
    }
    std::vector<KernelShare> ours(rank.steps.size()), theirs(rank.steps.size());
    each_kernel_of_steps(rank, [&](std::size_t step, const DashboardKernel& kernel) {
        ours[step].add(kernel.communication, length_ns(kernel.range.clipped_to(rank.steps[step])));
        theirs[step].add(kernel.says->in_fraction, length_ns(kernel.range));
    });
    const auto mean = [](const std::vector<KernelShare>& steps) {
        std::vector<double> percents;
        for (const KernelShare& step : steps)
            if (step.whole > 0)
                percents.push_back(step.percent());
        return mean_of(percents);
    };
    return {mean(ours), mean(theirs)};
}

} // namespace

namespace dashboard {

DashboardNumber avg_step_time(const RunAnalysis& analysis) {
    std::vector<double> by_rank;
    for (const DashboardRank& rank : dashboard_run(analysis).ranks)
        if (!rank.steps.empty())
            by_rank.push_back(mean_length_s(rank.steps));
    const double mean = mean_of(by_rank);
    return {mean, mean};
}

DashboardNumber communication_fraction(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    DashboardNumber number = mean_over_ranks(run, fraction_of_rank);
    if (run.nsys)
        number.theirs = share_of_all(run, [](const DashboardKernel& kernel) { return kernel.says->in_fraction; });
    return number;
}

DashboardNumber communication_ratio(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    return {share_of_all(run, is_communication),
            share_of_all(run, [](const DashboardKernel& kernel) { return kernel.says->in_time; })};
}

/// Time with communication in a step: ours of the steps, theirs from the first step's start to the last one's end.
DashboardNumber total_communication_time(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto theirs = [](const DashboardKernel& kernel) { return kernel.says->in_time; };
    DashboardNumber number = mean_over_ranks(run, [&](const DashboardRank& rank) -> DashboardNumber {
        if (rank.kernels.empty())
            return {};
        const auto seconds = [](const IntervalSet& set) { return static_cast<double>(measure(set)) / kNsPerS; };
        if (rank.steps.empty())
            return {seconds(rank.united(is_communication)), seconds(rank.united(theirs))};
        const auto steps = static_cast<double>(rank.steps.size());
        IntervalSet by_names = rank.united(theirs);
        if (rank.trimmed)
            by_names = intersect(by_names, {{rank.steps.front().begin, rank.steps.back().end}});
        return {seconds(intersect(rank.united(is_communication), merge(rank.steps))) / steps,
                seconds(by_names) / steps};
    });
    if (run.nsys) { // of the whole report, the kernels of all its GPUs added
        double sum = 0;
        for (const DashboardRank& rank : run.ranks)
            for (const DashboardKernel& kernel : rank.kernels)
                sum += theirs(kernel) ? length_ns(kernel.range) : 0;
        number.theirs = sum / kNsPerS;
    }
    return number;
}

DashboardNumber compute_comm_overlap(const RunAnalysis& analysis) {
    const DashboardRun run = dashboard_run(analysis);
    const auto theirs = [](const DashboardKernel& kernel) { return kernel.says->in_overlap; };
    double communicated = 0, hidden = 0; // of all ranks by their names
    DashboardNumber number = mean_over_ranks(run, [&](const DashboardRank& rank) -> DashboardNumber {
        const IntervalSet by_class = rank.united(is_communication), by_name = rank.united(theirs);
        const IntervalSet computed = rank.united(is_computation);
        const IntervalSet others = rank.united([&](const DashboardKernel& kernel) { return !theirs(kernel); });
        communicated += static_cast<double>(measure(by_name));
        hidden += static_cast<double>(measure(intersect(by_name, others)));
        const auto within = [&](const IntervalSet& set) {
            return rank.steps.empty() ? set : intersect(set, merge(rank.steps));
        };
        const auto percent = [&](const IntervalSet& comm, const IntervalSet& compute) {
            return percent_of(static_cast<double>(measure(intersect(within(comm), compute))),
                              static_cast<double>(measure(within(comm))));
        };
        return {percent(by_class, computed), rank.steps.empty() ? kNoNumber : percent(by_name, others)};
    });
    if (run.nsys)
        number.theirs = percent_of(hidden, communicated);
    return number;
}

} // namespace dashboard
} // namespace rankscope
