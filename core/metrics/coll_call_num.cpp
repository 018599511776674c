// SPDX-License-Identifier: GPL-3.0-or-later
// Metric coll_call_num: how many collective calls the GPUs ran.
#include <array>
#include <map>
#include <numeric>

#include "core/analysis/gpu/host_collectives.h"
#include "core/metrics/evidence.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

struct RankCalls {
    std::int64_t calls = 0;
    std::int64_t of_iterations = 0; ///< of those (IterationWork)
    std::array<std::int64_t, kCollectiveKindCount> by_kind{};
};

RankCalls count_calls(const RankAnalysis& rank, const IterationWork& iterations) {
    RankCalls result;
    for (const GpuSlice& slice : rank.gpu_work) {
        if (slice.kernel_class != KernelClass::communication)
            continue;
        ++result.calls;
        ++result.by_kind[static_cast<std::size_t>(collective_kind_of(*rank.trace, slice.event))];
        result.of_iterations += iterations.contains(slice) ? 1 : 0;
    }
    return result;
}

template <typename Counts, typename Word>
Json by_word(const Counts& counts, Word&& word) {
    Json json = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
            json[std::string(word(i))] = counts[i];
    return json;
}

Json ccl_bench_call_counts(const RunAnalysis& analysis) {
    std::int64_t total = 0;
    std::array<std::int64_t, kCclBenchTypeCount> by_type{};
    Json ranks = Json::array();
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i) {
        const CclBenchCounts& counts = analysis.ccl_bench()[i];
        total += counts.calls;
        for (std::size_t k = 0; k < by_type.size(); ++k)
            by_type[k] += counts.calls_by_type[k];
        ranks.push_back({{"rank", analysis.ranks()[i].trace->rank}, {"calls", counts.calls}});
    }
    return {{"total_calls", total},
            {"calls_per_rank", std::move(ranks)},
            {"calls_by_type",
             by_word(by_type, [](std::size_t i) { return ccl_bench_type_word(static_cast<CclBenchType>(i)); })},
            {"num_traces", analysis.ranks().size()}};
}

/// Over all ranks, by name.
Json calls_on_host(const RunAnalysis& analysis) {
    std::map<std::string, std::pair<std::int64_t, TimeNs>> sums;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const HostCollectives& calls : host_collectives(*rank.trace)) {
            auto& [count, time] = sums[std::string(rank.trace->names->view(calls.name))];
            count += calls.calls;
            time += calls.time;
        }
    Json list = Json::array();
    for (const auto& [name, sum] : sums)
        list.push_back({{"name", name}, {"calls", sum.first}, {"total_us", as_us(sum.second)}});
    return list;
}

MetricResult compute_coll_call_num(const RunAnalysis& analysis) {
    RankCalls total;
    std::size_t iterations = 0; // of all ranks
    bool profiler_steps = false;
    double per_iteration = 0; // over all ranks
    bool has_gpu_work = false;
    std::vector<RankValue> by_rank;
    Json ranks = Json::array();
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const RankAnalysis& rank = analysis.ranks()[r];
        const IterationWork work(analysis, r);
        const RankCalls calls = count_calls(rank, work);
        total.calls += calls.calls;
        total.of_iterations += calls.of_iterations;
        for (std::size_t k = 0; k < total.by_kind.size(); ++k)
            total.by_kind[k] += calls.by_kind[k];
        iterations += work.iterations();
        profiler_steps |= !rank.steps.empty();
        if (work.iterations() > 0)
            per_iteration += static_cast<double>(calls.of_iterations) / static_cast<double>(work.iterations());
        has_gpu_work |= !rank.gpu_work.empty();
        ranks.push_back({{"rank", rank.trace->rank}, {"calls", calls.calls}});
        by_rank.push_back({rank.trace->rank, static_cast<double>(calls.calls)});
    }
    if (!has_gpu_work)
        return MetricResult::unavailable("needs GPU events: kernels, copies or sets"_text);
    Json details{{"calls_per_rank", std::move(ranks)}, {"calls_by_type", by_word(total.by_kind, [](std::size_t i) {
                                                            return collective_kind_word(static_cast<CollectiveKind>(i));
                                                        })}};
    if (iterations > 0 && profiler_steps)
        details["calls_per_iteration"] =
            rounded(static_cast<double>(total.of_iterations) / static_cast<double>(iterations));
    if (Json on_host = calls_on_host(analysis); !on_host.empty())
        details["on_host"] = std::move(on_host);
    details["compat_ccl_bench"] = ccl_bench_call_counts(analysis);
    MetricResult result = MetricResult::of(static_cast<double>(total.calls), std::move(details), std::move(by_rank));
    if (iterations > 0)
        result.per_iteration = per_iteration;
    return result;
}

/// Over all ranks.
StepValues calls_by_iteration(const RunAnalysis& analysis) {
    StepValues calls = sums_of_iterations(analysis, [](const RankTrace&, const GpuSlice& slice) {
        return slice.kernel_class == KernelClass::communication ? 1.0 : 0.0;
    });
    for (auto& [iteration, ranks] : calls)
        ranks = {std::accumulate(ranks.begin(), ranks.end(), 0.0)};
    return calls;
}

} // namespace

Metric coll_call_num_metric() {
    Metric metric{
        "coll_call_num",
        "Collective calls",
        "calls",
        Better::none,
        "Communication",
        "Communication kernels on the GPU, one per collective call (a batched send and receive is one), total over "
        "ranks. calls_per_iteration: per rank, those launched inside profiler steps. on_host: collectives that run on "
        "the host (Gloo, calls of oneCCL), which are not in the value.",
        compute_coll_call_num};
    metric.moved_by = {SettingKind::parallelism, SettingKind::pipeline};
    metric.by_iteration = calls_by_iteration;
    metric.evidence = longest_call;
    metric.counts_calls = true;
    return metric;
}

} // namespace rankscope
