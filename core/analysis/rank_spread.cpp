// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a run differ in where their time went.
#include "core/analysis/rank_spread.h"

#include <algorithm>
#include <array>

namespace rankscope {

namespace {

constexpr double kWorthNaming = 0.03;
constexpr std::array kFields = {&GpuTimeline::total,        &GpuTimeline::busy,         &GpuTimeline::computation,
                                &GpuTimeline::total_comm,   &GpuTimeline::exposed_comm, &GpuTimeline::overlap,
                                &GpuTimeline::total_memcpy, &GpuTimeline::exposed_memcpy, &GpuTimeline::idle,
                                &GpuTimeline::micro_idle};

std::vector<const RankAnalysis*> ranks_with_work(std::span<const RankAnalysis> ranks) {
    std::vector<const RankAnalysis*> some;
    for (const RankAnalysis& rank : ranks)
        if (!rank.gpu_work.empty()) some.push_back(&rank);
    return some;
}

TimeNs upper_median(std::vector<TimeNs> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

TimeNs median_of_others(std::span<const RankAnalysis* const> ranks, const RankAnalysis* but, TimeNs GpuTimeline::*field) {
    std::vector<TimeNs> values;
    for (const RankAnalysis* rank : ranks)
        if (rank != but) values.push_back(rank->timeline.*field);
    return upper_median(std::move(values));
}

} // namespace

MeanTimeline mean_timeline(std::span<const RankAnalysis> ranks) {
    const auto some = ranks_with_work(ranks);
    MeanTimeline result{static_cast<int>(some.size()), {}};
    if (some.empty()) return result;
    const auto count = static_cast<TimeNs>(some.size());
    for (const auto field : kFields) {
        TimeNs sum = 0;
        for (const RankAnalysis* rank : some) sum += rank->timeline.*field;
        result.mean.*field = (sum + count / 2) / count;
    }
    return result;
}

std::optional<RankSpread> rank_spread(std::span<const RankAnalysis> ranks, TimeNs GpuTimeline::*field) {
    const auto some = ranks_with_work(ranks);
    if (some.empty()) return std::nullopt;
    const auto value = [&](const RankAnalysis* rank) { return rank->timeline.*field; };
    const auto [least, most] = std::ranges::minmax_element(some, {}, value);
    std::vector<TimeNs> values;
    std::ranges::transform(some, std::back_inserter(values), value);
    return RankSpread{(*least)->trace->rank, (*most)->trace->rank, value(*least), upper_median(values), value(*most)};
}

std::optional<LateRank> likely_late_rank(std::span<const RankAnalysis> ranks) {
    const auto some = ranks_with_work(ranks);
    if (some.size() < 2) return std::nullopt;
    const RankAnalysis* late =
        *std::ranges::min_element(some, {}, [](const RankAnalysis* rank) { return rank->timeline.total_comm; });
    LateRank result;
    result.rank = late->trace->rank;
    result.exposed = late->timeline.exposed_comm;
    result.others_exposed = median_of_others(some, late, &GpuTimeline::exposed_comm);
    result.computation = late->timeline.computation;
    result.others_computation = median_of_others(some, late, &GpuTimeline::computation);
    result.cost = result.others_exposed - result.exposed;
    result.share = static_cast<double>(result.cost) / static_cast<double>(std::max<TimeNs>(1, mean_timeline(ranks).mean.total));
    if (result.share < kWorthNaming) return std::nullopt;
    return result;
}

} // namespace rankscope
