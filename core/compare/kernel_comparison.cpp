// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of two runs by what their change costs.
#include "core/compare/kernel_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/base/statistics.h"
#include "core/base/work_count.h"
#include "core/compare/in_iterations.h"

namespace rankscope {
namespace {

/// only: of one class; nothing: of all.
NameTotals totals_per_step(const RunAnalysis& analysis, const StepAccount& account, std::optional<KernelClass> only) {
    double steps = 0;
    for (const RankSteps& rank : account.ranks)
        steps += static_cast<double>(rank.steps);
    std::map<NameId, std::pair<std::int64_t, TimeNs>> sums;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const RankAnalysis& rank = analysis.ranks()[r];
        const InIterations counted(account, rank, r);
        for (const GpuSlice& slice : rank.gpu_work)
            if ((!only || slice.kernel_class == *only) && counted.has(slice)) {
                auto& [count, time] = sums[rank.trace->events.name[slice.event]];
                ++count;
                time += slice.range.length();
            }
    }
    NameTotals totals;
    for (const auto& [name, sum] : sums)
        totals[{DiffDevice::gpu, std::string(analysis.run().names->view(name))}] = {
            static_cast<double>(sum.first) / steps, static_cast<double>(sum.second) / 1000 / steps};
    return totals;
}

/// All GPU work of the selection, mean of a rank: what reports without times have as well.
NameTotals totals_per_rank(const RunAnalysis& analysis) {
    const auto ranks = static_cast<double>(analysis.ranks().size());
    NameTotals totals;
    for (const auto& table : analysis.kernel_tables())
        for (const KernelStatistics& kernel : table) {
            NameTotal& total = totals[{DiffDevice::gpu, std::string(analysis.run().names->view(kernel.name))}];
            total.count += static_cast<double>(kernel.count) / ranks;
            total.time_us += static_cast<double>(kernel.total) / 1000 / ranks;
        }
    return totals;
}

std::vector<double> durations_us(const RunAnalysis& analysis, const std::string& name) {
    std::vector<double> durations;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const GpuSlice& slice : rank.gpu_work)
            if (rank.trace->event_name(slice.event) == name)
                durations.push_back(static_cast<double>(slice.range.length()) / 1000);
    std::ranges::sort(durations);
    return durations;
}

double median_of(const std::vector<double>& sorted) {
    return sorted.empty() ? std::numeric_limits<double>::quiet_NaN() : middle_of_sorted(sorted);
}

std::vector<std::size_t> counted(const std::vector<double>& durations, const std::vector<double>& edges) {
    std::vector<std::size_t> counts(edges.size() - 1);
    for (const double us : durations) {
        const auto after = std::ranges::upper_bound(edges, us) - edges.begin();
        ++counts[static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(after - 1, 0, static_cast<std::ptrdiff_t>(counts.size()) - 1))];
    }
    return counts;
}

} // namespace

NameTotals kernel_totals_per_step(const RunAnalysis& analysis) {
    return totals_per_step(analysis, analysis.steps(), {});
}

NameTotals compute_totals_per_step(const RunAnalysis& analysis, const StepAccount& account) {
    return totals_per_step(analysis, account, KernelClass::compute);
}

NameTotals copy_totals_per_step(const RunAnalysis& analysis, const StepAccount& account) {
    return totals_per_step(analysis, account, KernelClass::memory_copy);
}

std::vector<KernelChange> compare_kernels(const RunAnalysis& baseline, const RunAnalysis& test) {
    count_work("compare_kernels");
    const bool by_step =
        baseline.steps().unit == test.steps().unit && !baseline.steps().ranks.empty() && !test.steps().ranks.empty();
    const auto totals = [&](const RunAnalysis& analysis) {
        return by_step ? kernel_totals_per_step(analysis) : totals_per_rank(analysis);
    };
    std::vector<KernelChange> changes;
    for (OperatorChange& change : compare_operators(totals(baseline), totals(test)))
        changes.push_back(
            {std::move(change.name), std::move(change.test_name), change.shortened, change.baseline, change.test});
    std::ranges::stable_sort(changes, std::greater<>(), &KernelChange::cost_us);
    return changes;
}

DurationHistograms duration_histograms(const RunAnalysis& baseline, const RunAnalysis& test, const KernelChange& kernel,
                                       std::size_t bins) {
    const std::vector<double> before = durations_us(baseline, kernel.name);
    const std::vector<double> after = durations_us(test, kernel.test_name);
    DurationHistograms result{{}, {}, {}, median_of(before), median_of(after)};
    if ((before.empty() && after.empty()) || bins == 0)
        return result;
    constexpr double kLeast = 0.001; // a nanosecond: a duration of 0 has no logarithm
    double least = std::numeric_limits<double>::max();
    double most = kLeast;
    for (const auto* durations : {&before, &after})
        if (!durations->empty()) {
            least = std::min(least, std::max(kLeast, durations->front()));
            most = std::max(most, durations->back());
        }
    most = std::max(most, least * 1.01);
    for (std::size_t i = 0; i <= bins; ++i)
        result.edges_us.push_back(least * std::pow(most / least, static_cast<double>(i) / static_cast<double>(bins)));
    result.baseline = counted(before, result.edges_us);
    result.test = counted(after, result.edges_us);
    return result;
}

} // namespace rankscope
