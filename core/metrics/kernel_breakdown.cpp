// SPDX-License-Identifier: GPL-3.0-or-later
// Metric kernel_breakdown: what the GPUs' working time is made of, by class and by kernel.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "core/analysis/basics/per_rank.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

constexpr std::size_t kListedKernels = 20;

/// Statistics of one kernel name over all ranks, pooled exactly from those of each rank.
struct Pooled {
    KernelClass kernel_class = KernelClass::compute;
    std::int64_t count = 0;
    TimeNs total = 0;
    TimeNs min = 0;
    TimeNs max = 0;
    double squares = 0; ///< sum of squared durations about zero, ns^2

    void add(const KernelStatistics& s) {
        min = count == 0 ? s.min : std::min(min, s.min);
        max = std::max(max, s.max);
        kernel_class = s.kernel_class;
        count += s.count;
        total += s.total;
        squares += s.standard_deviation * s.standard_deviation * static_cast<double>(s.count - 1) +
                   s.mean * s.mean * static_cast<double>(s.count);
    }
    [[nodiscard]] double mean() const { return static_cast<double>(total) / static_cast<double>(count); }
    [[nodiscard]] double deviation() const {
        const double about_mean = squares - mean() * static_cast<double>(total);
        return count < 2 ? 0 : std::sqrt(std::max(0.0, about_mean) / static_cast<double>(count - 1));
    }
};

using PooledTable = std::map<std::pair<std::string_view, KernelClass>, Pooled>;

PooledTable pool(const RunAnalysis& analysis) {
    PooledTable pooled;
    for (const std::vector<KernelStatistics>& table : analysis.kernel_tables())
        for (const KernelStatistics& row : table)
            pooled[{analysis.run().names->view(row.name), row.kernel_class}].add(row);
    return pooled;
}

void put_share(Json& json, TimeNs part, TimeNs whole) {
    put(json, "percent", rounded(percent_of(static_cast<double>(part), static_cast<double>(whole))));
}

Json kernels_json(const PooledTable& pooled, TimeNs total) {
    std::vector<std::pair<std::string_view, Pooled>> order;
    for (const auto& [key, row] : pooled)
        order.emplace_back(key.first, row);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
    order.resize(std::min(order.size(), kListedKernels));
    Json kernels = Json::array();
    for (const auto& [name, row] : order) {
        Json kernel{{"name", name},
                    {"class", kernel_class_word(row.kernel_class)},
                    {"count", row.count},
                    {"total_us", as_us(row.total)},
                    {"mean_us", rounded_us(row.mean())},
                    {"std_us", rounded_us(row.deviation())},
                    {"min_us", as_us(row.min)},
                    {"max_us", as_us(row.max)}};
        put_share(kernel, row.total, total);
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

struct Share {
    std::int64_t count = 0;
    TimeNs total = 0;
};

template <typename Key, typename Word>
Json shares_json(const std::map<Key, Share>& shares, TimeNs whole, Word&& word) {
    Json json = Json::array();
    for (const auto& [key, share] : shares) {
        Json entry{{"class", word(key)}, {"count", share.count}, {"total_us", as_us(share.total)}};
        put_share(entry, share.total, whole);
        json.push_back(std::move(entry));
    }
    return json;
}

using ClassTimes = std::array<TimeNs, 8>; ///< by mask of classes: bit 0 compute, 1 communication, 2 memory copies

/// Time in which exactly those run, in one pass over the bounds of all three.
ClassTimes times_of_exactly(const std::array<IntervalSet, 3>& sets) {
    ClassTimes times{};
    std::array<std::size_t, 3> next{};
    unsigned running = 0;
    TimeNs last = 0;
    while (true) {
        std::optional<TimeNs> bound;
        for (std::size_t c = 0; c < sets.size(); ++c) {
            if (next[c] < sets[c].size()) {
                const TimeNs own = ((running >> c) & 1U) != 0 ? sets[c][next[c]].end : sets[c][next[c]].begin;
                bound = std::min(bound.value_or(own), own);
            }
        }
        if (!bound)
            return times;
        times[running] += running != 0 ? *bound - last : 0;
        last = *bound;
        for (std::size_t c = 0; c < sets.size(); ++c) {
            const unsigned bit = 1U << c;
            if (next[c] >= sets[c].size() ||
                ((running & bit) != 0 ? sets[c][next[c]].end : sets[c][next[c]].begin) != last)
                continue;
            next[c] += (running & bit) != 0 ? 1 : 0;
            running ^= bit;
        }
    }
}

/// Time in which exactly the named classes run, summed over ranks; what runs beside nothing stands alone.
Json overlap_json(const RunAnalysis& analysis) {
    constexpr std::array<std::string_view, 3> kWords{"compute", "communication", "memcpy"};
    const auto of_ranks = per_rank<ClassTimes>(analysis.run(), [&](const RankTrace&, std::size_t r) {
        const auto [compute, communication, memory_copy] = class_intervals(analysis.ranks()[r].gpu_work);
        return times_of_exactly({compute, communication, memory_copy});
    });
    ClassTimes times{};
    for (const ClassTimes& rank : of_ranks)
        std::ranges::transform(times, rank, times.begin(), std::plus<>());
    TimeNs total = 0;
    for (const TimeNs time : times)
        total += time;
    Json json = Json::array();
    for (std::size_t k = 1; k < times.size(); ++k) {
        std::string name;
        for (std::size_t c = 0; c < kWords.size(); ++c) {
            name +=
                ((k >> c) & 1U) != 0 ? (name.empty() ? "" : " overlapping ") + std::string(kWords[c]) : std::string{};
        }
        if (times[k] > 0) {
            Json entry{{"classes", name}, {"time_us", as_us(times[k])}};
            put_share(entry, times[k], total);
            json.push_back(std::move(entry));
        }
    }
    return json;
}

Json hta_kernels_json(const RunAnalysis& analysis, const HtaAnalysis& hta) {
    Json types = Json::array();
    for (const HtaKernelType& type : hta.types)
        types.push_back({{"kernel_type", type.name}, {"sum_us", type.sum_us}, {"percentage", type.percent}});
    Json kernels = Json::array();
    for (std::size_t i = 0; i < hta.kernels.size(); ++i) {
        for (const HtaKernel& kernel : hta_top_kernels(hta.kernels[i])) {
            kernels.push_back({{"rank", analysis.run().ranks[i]->rank},
                               {"kernel_type", hta_class_word(kernel.type)},
                               {"name", kernel.name},
                               {"sum_us", kernel.sum_us},
                               {"max_us", kernel.max_us},
                               {"min_us", kernel.min_us},
                               {"std_us", rounded(kernel.std_us)},
                               {"mean_us", rounded(kernel.mean_us)}});
        }
    }
    return {{"types", std::move(types)}, {"top_kernels", std::move(kernels)}};
}

/// ms; mean over the iterations of the ranks that have any.
std::optional<double> work_per_iteration(const RunAnalysis& analysis) {
    struct Sum {
        TimeNs time = 0;
        std::size_t iterations = 0;
    };
    Sum sum;
    for (const Sum& rank : per_rank<Sum>(analysis.run(), [&](const RankTrace&, std::size_t r) {
             const IterationWork work(analysis, r);
             Sum own{0, work.iterations()};
             for (const GpuSlice& slice : analysis.ranks()[r].gpu_work)
                 own.time += work.contains(slice) ? slice.range.length() : 0;
             return own;
         })) {
        sum.time += rank.time;
        sum.iterations += rank.time > 0 ? rank.iterations : 0;
    }
    return sum.iterations == 0 ? std::nullopt : std::optional(as_ms(sum.time) / static_cast<double>(sum.iterations));
}

MetricResult compute_kernel_breakdown(const RunAnalysis& analysis) {
    const PooledTable pooled = pool(analysis);
    if (pooled.empty())
        return MetricResult::unavailable("needs GPU events: kernels, copies or sets"_text);
    TimeNs total = 0;
    std::map<KernelClass, Share> classes;
    std::map<ComputeKind, Share> kinds;
    for (const auto& [key, row] : pooled) {
        total += row.total;
        classes[key.second].count += row.count;
        classes[key.second].total += row.total;
        if (key.second == KernelClass::compute) {
            Share& kind = kinds[compute_kind(key.first)];
            kind.count += row.count;
            kind.total += row.total;
        }
    }
    const auto busy_ranks =
        static_cast<double>(std::count_if(analysis.kernel_tables().begin(), analysis.kernel_tables().end(),
                                          [](const auto& table) { return !table.empty(); }));
    Json details{{"by_class", shares_json(classes, total, kernel_class_word)},
                 {"by_compute_kind", shares_json(kinds, classes[KernelClass::compute].total, compute_kind_word)},
                 {"overlap", overlap_json(analysis)},
                 {"distinct_kernels", pooled.size()},
                 {"kernels", kernels_json(pooled, total)}};
    details["compat_hta_default"] = hta_kernels_json(analysis, analysis.hta());
    details["compat_hta_include_last_step"] = hta_kernels_json(analysis, analysis.hta_with_last());
    MetricResult result = MetricResult::of(static_cast<double>(total) / busy_ranks / 1e6, std::move(details));
    result.per_iteration = work_per_iteration(analysis);
    return result;
}

} // namespace

Metric kernel_breakdown_metric() {
    Metric metric{
        "kernel_breakdown",
        "Summed GPU work",
        "ms",
        Better::lower,
        "Kernels",
        "Durations of all kernels, copies and sets of a rank added up, also where they overlap, mean over ranks. "
        "Details: shares by class and kind of computation, time per combination of classes, and the kernels that "
        "take the most.",
        compute_kernel_breakdown,
        Needs::gpu_work};
    metric.moved_by = {SettingKind::work, SettingKind::dtype, SettingKind::device};
    metric.by_iteration = [](const RunAnalysis& analysis) {
        return sums_of_iterations(analysis,
                                  [](const RankTrace&, const GpuSlice& slice) { return as_ms(slice.range.length()); });
    };
    return metric;
}

} // namespace rankscope
