// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics per kernel name, gathered in one pass over the GPU work.
#include "core/analysis/gpu/kernel_table.h"

#include <algorithm>
#include <cmath>

namespace rankscope {
namespace {

/// Mean and sum of squared deviations, updated value by value (Welford), so that no duration is kept.
struct Spread {
    double mean = 0;
    double squares = 0;
    void add(double value, std::int64_t count) {
        const double delta = value - mean;
        mean += delta / static_cast<double>(count);
        squares += delta * (value - mean);
    }
};

} // namespace

namespace {

void sort_by_total(const RankTrace& rank, std::vector<KernelStatistics>& table) {
    std::sort(
        table.begin(), table.end(),
        [&](const KernelStatistics& a, const KernelStatistics& b) {
            if (a.total != b.total)
                return a.total > b.total;
            const std::string_view left = rank.names->view(a.name);
            const std::string_view right = rank.names->view(b.name);
            return left != right ? left < right : a.kernel_class < b.kernel_class;
        });
}

/// Of a file that holds sums and no events.
std::vector<KernelStatistics> recorded_table(const RankTrace& rank, const KernelClassRules& classes) {
    std::vector<KernelStatistics> table;
    for (const KernelSum& sum : rank.kernel_sums) {
        table.push_back({sum.name, classes.class_of(sum.kind, rank.names->view(sum.name)), sum.count, sum.total,
                         sum.min, sum.max, sum.mean, sum.standard_deviation});
    }
    sort_by_total(rank, table);
    return table;
}

} // namespace

std::vector<KernelStatistics> kernel_table(const RankTrace& rank, std::span<const GpuSlice> work,
                                           const KernelClassRules& classes) {
    if (!rank.kernel_sums.empty())
        return recorded_table(rank, classes);
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> row_of(rank.names->size() * kKernelClassCount, kNone);
    std::vector<KernelStatistics> table;
    std::vector<Spread> spreads;
    for (const GpuSlice& slice : work) {
        const NameId name = rank.events.name[slice.event];
        const TimeNs duration = slice.range.length();
        std::uint32_t& row = row_of[name * kKernelClassCount + static_cast<std::size_t>(slice.kernel_class)];
        if (row == kNone) {
            row = static_cast<std::uint32_t>(table.size());
            table.push_back({name, slice.kernel_class, 0, 0, duration, duration, 0, 0});
            spreads.emplace_back();
        }
        KernelStatistics& statistics = table[row];
        ++statistics.count;
        statistics.total += duration;
        statistics.min = std::min(statistics.min, duration);
        statistics.max = std::max(statistics.max, duration);
        spreads[row].add(static_cast<double>(duration), statistics.count);
    }
    for (std::size_t row = 0; row < table.size(); ++row) {
        KernelStatistics& statistics = table[row];
        statistics.mean = static_cast<double>(statistics.total) / static_cast<double>(statistics.count);
        if (statistics.count > 1)
            statistics.standard_deviation = std::sqrt(spreads[row].squares / static_cast<double>(statistics.count - 1));
    }
    sort_by_total(rank, table);
    return table;
}

} // namespace rankscope
