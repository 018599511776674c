// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of two runs by what their change costs.
#include "core/compare/kernel_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

double iterations_of(const RunAnalysis& analysis, bool comparable) {
    double count = 0;
    for (const RankSteps& rank : analysis.steps().ranks)
        count += static_cast<double>(rank.steps);
    return comparable && count > 0 ? count : static_cast<double>(analysis.ranks().size());
}

NameTotals gpu_totals(const RunAnalysis& analysis, double iterations) {
    NameTotals totals;
    for (const auto& table : analysis.kernel_tables())
        for (const KernelStatistics& kernel : table) {
            NameTotal& total = totals[{DiffDevice::gpu, std::string(analysis.run().names->view(kernel.name))}];
            total.count += static_cast<double>(kernel.count) / iterations;
            total.time_us += static_cast<double>(kernel.total) / 1000 / iterations;
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
    return sorted.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : (sorted[sorted.size() / 2] + sorted[(sorted.size() - 1) / 2]) / 2;
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

std::vector<KernelChange> compare_kernels(const RunAnalysis& baseline, const RunAnalysis& test) {
    const bool comparable = baseline.steps().unit == test.steps().unit;
    std::vector<KernelChange> changes;
    for (OperatorChange& change : compare_operators(gpu_totals(baseline, iterations_of(baseline, comparable)),
                                                    gpu_totals(test, iterations_of(test, comparable))))
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
