// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a run differ in where their time went.
#include "core/analysis/delays/rank_spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ranges>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/step_time.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {

namespace {

constexpr double kSmallestCost = 0.01; ///< of the mean total
constexpr double kSurelyMuch = 0.05;   ///< of the mean total: a wait of that size matters, though another rank hides it
constexpr double kShorterStep = 0.005; ///< of the step, if nobody waited for the rank
constexpr double kClearlyMore =
    3.0; ///< times what is charged to the other ranks on average: noise makes some rank the last
constexpr std::size_t kLeastSteps = 2; ///< below, chance cannot be told
constexpr double kLeastCells = 6;      ///< of other ranks in a step: likewise
constexpr std::array kFields = {&GpuTimeline::total,        &GpuTimeline::busy,           &GpuTimeline::computation,
                                &GpuTimeline::total_comm,   &GpuTimeline::exposed_comm,   &GpuTimeline::overlap,
                                &GpuTimeline::total_memcpy, &GpuTimeline::exposed_memcpy, &GpuTimeline::idle,
                                &GpuTimeline::micro_idle};

std::vector<const RankAnalysis*> ranks_with_work(std::span<const RankAnalysis> ranks) {
    std::vector<const RankAnalysis*> some;
    for (const RankAnalysis& rank : ranks)
        if (!rank.gpu_work.empty())
            some.push_back(&rank);
    return some;
}

std::vector<TimeNs> of_others(std::span<const RankAnalysis* const> ranks, const RankAnalysis* but,
                              TimeNs GpuTimeline::*field) {
    std::vector<TimeNs> values;
    for (const RankAnalysis* rank : ranks)
        if (rank != but)
            values.push_back(rank->timeline.*field);
    return values;
}

/// What is charged to the rank is within four standard errors of what is charged to the others, by how that differs
/// from step to step and rank to rank.
bool is_late_by_chance(const std::vector<std::vector<double>>& by_step, std::size_t rank) {
    std::size_t steps = 0;
    for (const std::vector<double>& of_rank : by_step)
        steps = std::max(steps, of_rank.size());
    const auto cells = static_cast<double>(steps * (by_step.size() - 1));
    if (steps < kLeastSteps || cells < kLeastCells)
        return false;
    double mean = 0;
    double squares = 0;
    for (std::size_t r = 0; r < by_step.size(); ++r)
        for (const double wait : by_step[r])
            if (r != rank) {
                mean += wait / cells;
                squares += wait * wait / cells;
            }
    const double deviation = std::sqrt(std::max(0.0, squares - mean * mean));
    const auto count = static_cast<double>(steps);
    const double own = std::accumulate(by_step[rank].begin(), by_step[rank].end(), 0.0);
    return own - count * mean < kClearErrors * deviation * std::sqrt(count);
}

/// Of the calls that its peers and itself are the last at, the rank has no more than chance gives it.
bool is_last_as_often_as_peers(const StragglerAnalysis& stragglers, std::size_t rank, const PeerTimes& peers) {
    if (rank >= stragglers.ranks.size())
        return false;
    double all = 0;
    double members = 0;
    for (std::size_t r = 0; r < stragglers.ranks.size(); ++r)
        if (peers.peer_class[r] == peers.peer_class[rank]) {
            all += static_cast<double>(stragglers.ranks[r].times_last);
            ++members;
        }
    return static_cast<double>(stragglers.ranks[rank].times_last) <= times_last_by_chance(all, members);
}

/// Where inputs or microbatches are of unequal length, another peer is the last in another step. Either the rank's
/// charged lateness takes turns with its peers', or its computation does; then it accounts for half of that lateness,
/// or the peers are the last as often.
bool is_late_in_turn(const StragglerAnalysis& stragglers, const std::vector<std::vector<double>>& by_step,
                     std::size_t rank, const StepGraph& graph, const std::vector<std::vector<double>>& computation,
                     const PeerTimes& peers) {
    if (!peers.across_stages && takes_turns(longer_than_peers(by_step, peers, rank)))
        return true;
    if (!graph.profiler_steps)
        return false;
    const std::vector<double> longer = longer_than_peers(computation, peers, rank);
    double more = 0;
    for (const double own : longer)
        more += std::max(0.0, own);
    const double late = std::accumulate(by_step[rank].begin(), by_step[rank].end(), 0.0); // of all others
    return takes_turns(longer) && (more * static_cast<double>(by_step.size() - 1) >= kMostOf * late ||
                                   is_last_as_often_as_peers(stragglers, rank, peers));
}

/// It is charged with half of what any rank is charged with, or more.
bool is_to_blame(std::span<const ChargedWaits> charged, std::size_t rank) {
    const auto all = [](const ChargedWaits& waits) {
        return std::accumulate(waits.direct.begin(), waits.direct.end(), TimeNs{0}) +
               std::accumulate(waits.passed_on.begin(), waits.passed_on.end(), TimeNs{0});
    };
    return all(charged[rank]) >= std::ranges::max(charged | std::views::transform(all)) / 2;
}

} // namespace

MeanTimeline mean_timeline(std::span<const RankAnalysis> ranks) {
    const auto some = ranks_with_work(ranks);
    MeanTimeline result{static_cast<int>(some.size()), {}};
    if (some.empty())
        return result;
    const auto count = static_cast<TimeNs>(some.size());
    for (const auto field : kFields) {
        TimeNs sum = 0;
        for (const RankAnalysis* rank : some)
            sum += rank->timeline.*field;
        result.mean.*field = (sum + count / 2) / count;
    }
    return result;
}

std::optional<RankSpread> rank_spread(std::span<const RankAnalysis> ranks, TimeNs GpuTimeline::*field) {
    const auto some = ranks_with_work(ranks);
    if (some.empty())
        return std::nullopt;
    const auto value = [&](const RankAnalysis* rank) { return rank->timeline.*field; };
    const auto [least, most] = std::ranges::minmax_element(some, {}, value);
    std::vector<TimeNs> values;
    std::ranges::transform(some, std::back_inserter(values), value);
    return RankSpread{(*least)->trace->rank, (*most)->trace->rank, value(*least), lower_median(values), value(*most)};
}

std::optional<LateRank> late_rank(std::span<const RankAnalysis> ranks, const StragglerAnalysis& stragglers,
                                  const StepGraph& graph, const std::vector<std::vector<double>>& computation_by_step,
                                  const PeerTimes& peers, const LateWaits& waits, const Waiting& waiting) {
    const std::vector<double>& late_waits = waits.of_rank;
    count_work("late_rank");
    const MeanTimeline mean = mean_timeline(ranks);
    if (late_waits.size() < 2 || mean.ranks < 2)
        return std::nullopt;
    const auto worst = std::ranges::max_element(late_waits);
    const double all = std::accumulate(late_waits.begin(), late_waits.end(), 0.0);
    if (all <= 0)
        return std::nullopt;
    const auto index = static_cast<std::size_t>(worst - late_waits.begin());
    const auto count = static_cast<double>(late_waits.size());
    const RankAnalysis& late = ranks[index];

    LateRank result;
    result.rank = late.trace->rank;
    if (index < stragglers.ranks.size()) {
        result.times_last = stragglers.ranks[index].times_last;
        result.calls = stragglers.ranks[index].calls;
    }
    result.cost = std::llround(*worst / (count - 1));
    result.share = static_cast<double>(result.cost) / static_cast<double>(std::max<TimeNs>(1, mean.mean.total));
    const TimeNs computation = lower_median(of_others(ranks_with_work(ranks), &late, &GpuTimeline::computation));
    if (computation > 0)
        result.slower = static_cast<double>(late.timeline.computation) / static_cast<double>(computation) - 1;
    // Of two ranks one comes last: whoever does at half of the calls is not late.
    const bool in_turn = late_waits.size() == 2 && static_cast<double>(result.times_last) <
                                                       times_last_by_chance(static_cast<double>(result.calls), 2);
    const bool stands_out = !in_turn && *worst >= kClearlyMore * (all - *worst) / (count - 1) &&
                            !is_late_by_chance(waits.by_step, index) &&
                            !is_late_in_turn(stragglers, waits.by_step, index, graph, computation_by_step, peers) &&
                            is_to_blame(waiting.ranks, index);
    if (!stands_out || result.share < kSmallestCost)
        return std::nullopt;
    GraphTimes times = graph.times;
    const double step = mean_step_time(graph, graph.start, graph.times);
    const auto is_shorter = [&](double share) { return step - predicted_step_time(graph, times) >= share * step; };
    drop_waits_for_rank(graph, static_cast<std::uint32_t>(index), times);
    if (is_shorter(kShorterStep))
        return result;
    if (result.share < kSurelyMuch)
        return std::nullopt;
    // The next one may hide it. Where many do, they are late in turn.
    std::vector<double> rest(late_waits.begin(), late_waits.end());
    rest[index] = -1;
    drop_waits_for_rank(graph, static_cast<std::uint32_t>(std::ranges::max_element(rest) - rest.begin()), times);
    return is_shorter(kSurelyMuch / 2) ? std::optional(result) : std::nullopt;
}

} // namespace rankscope
