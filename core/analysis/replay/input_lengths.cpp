// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/input_lengths.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/analysis/basics/robust_deviation.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kUnequalLengths = 0.04; ///< standard deviation of lengths: kernels alone scatter by less
constexpr double kContradicted = 0.05;   ///< of places, where stages differ by more than lengths do

/// Per rank: the lowest one that messages join it to, directly or through others.
std::vector<std::uint32_t> lowest_joined(const CollectiveMatching& matching, std::size_t ranks) {
    std::vector<std::uint32_t> lowest(ranks);
    std::iota(lowest.begin(), lowest.end(), 0U);
    for (const MatchedCall& call : matching.matched) {
        const CollectiveKind kind = matching.call(call.members.front()).kind;
        const bool message =
            matching.groups[call.group].point_to_point || kind == CollectiveKind::send || kind == CollectiveKind::recv;
        if (!message || call.members.size() != 2)
            continue;
        const std::uint32_t a = lowest[call.members.front().first];
        const std::uint32_t b = lowest[call.members.back().first];
        if (a != b)
            std::ranges::replace(lowest, std::max(a, b), std::min(a, b));
    }
    return lowest;
}

/// A kernel's name and which of the rank's launching threads launched it: forward and backward passes, which stages
/// take in another order, are launched by different ones.
using LaunchedName = std::pair<NameId, std::uint32_t>;

struct PassPlace {
    LaunchedName key;
    std::uint32_t occurrence = 0; ///< in the step
    auto operator<=>(const PassPlace&) const = default;
};

struct PlacedWork {
    std::uint32_t node = 0;
    std::int64_t step = 0; ///< number
    PassPlace place;
};

/// Of a rank, in order of time.
struct WorkOfRank {
    std::vector<PlacedWork> work;
    std::map<std::pair<std::int64_t, LaunchedName>, std::uint32_t> count; ///< by number of the step
};

WorkOfRank work_of_rank(const Run& run, const StepGraph& graph, std::uint32_t rank) {
    WorkOfRank result;
    const RankTrace& trace = *run.ranks[rank];
    const auto steps = std::ranges::equal_range(graph.steps, rank, {}, &GraphStep::rank);
    std::map<const Lane*, std::uint32_t> threads;
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n) {
        const EventIndex call = trace.events.link[graph.event[n]];
        if (graph.kind[n] != NodeKind::compute || graph.step[n] >= steps.size() || call == kNoEvent)
            continue;
        const std::uint32_t thread =
            threads.try_emplace(&trace.lane_of(call), static_cast<std::uint32_t>(threads.size())).first->second;
        const LaunchedName key{trace.events.name[graph.event[n]], thread};
        const std::int64_t number = steps[graph.step[n]].number;
        result.work.push_back({n, number, {key, result.count[{number, key}]++}});
    }
    return result;
}

/// The number of a key's kernels in a step that most ranks have, two at least; 0: none.
std::uint32_t shared_count(const std::vector<WorkOfRank>& all, const std::vector<std::uint32_t>& ranks,
                           const std::pair<std::int64_t, LaunchedName>& of) {
    std::map<std::uint32_t, std::size_t> ranks_with;
    for (const std::uint32_t r : ranks)
        if (const auto found = all[r].count.find(of); found != all[r].count.end())
            ++ranks_with[found->second];
    const auto most = std::ranges::max_element(ranks_with, {}, [](const auto& one) { return one.second; });
    return most == ranks_with.end() || most->second < 2 ? 0 : most->first;
}

} // namespace

std::vector<double> input_lengths(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                                  const std::vector<int>& stages) {
    count_work("input_lengths");
    const std::size_t ranks = run.ranks.size();
    if (!graph.profiler_steps || stages.size() != ranks || std::ranges::any_of(stages, [](int s) { return s < 0; }))
        return {};
    const std::vector<std::uint32_t> lowest = lowest_joined(matching, ranks);
    std::map<std::uint32_t, std::vector<std::uint32_t>> pipelines;
    for (std::uint32_t r = 0; r < ranks; ++r)
        pipelines[lowest[r]].push_back(r);
    for (const auto& [first, members] : pipelines) {
        std::set<int> own;
        for (const std::uint32_t r : members)
            own.insert(stages[r]);
        if (members.size() < 2 || own.size() != members.size())
            return {}; // no pipeline
    }
    std::vector<WorkOfRank> all;
    for (std::uint32_t r = 0; r < ranks; ++r)
        all.push_back(work_of_rank(run, graph, r));
    // Of the ranks of a stage the fastest tells what is usual: a slow one among two would move their median.
    std::map<std::pair<int, PassPlace>, double> usual;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        std::map<PassPlace, std::vector<double>> times;
        for (const PlacedWork& work : all[r].work)
            times[work.place].push_back(static_cast<double>(graph.times.duration[work.node]));
        for (auto& [place, own] : times) {
            const double median = middle_median(std::move(own));
            const auto [known, added] = usual.try_emplace({stages[r], place}, median);
            known->second = std::min(known->second, median);
        }
    }

    std::vector<double> lengths(graph.size(), 0.0);
    std::vector<double> told;  // over the usual of the pipeline: one with slow ranks takes longer each time
    std::vector<double> apart; // what two stages of a pipeline tell of a place, one by the other, over their usual
    for (const auto& [first, members] : pipelines) {
        std::map<std::pair<std::int64_t, LaunchedName>, std::uint32_t> counts;
        std::map<std::pair<std::int64_t, PassPlace>, std::vector<double>> seen;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> between; // neighbours in the list
        std::map<std::pair<std::int64_t, PassPlace>, std::uint32_t> last_seen_on;
        const auto counts_as = [&](std::uint32_t r, const PlacedWork& work) {
            const std::pair of{work.step, work.place.key};
            const auto [known, added] = counts.try_emplace(of, 0);
            if (added)
                known->second = shared_count(all, members, of);
            return known->second == all[r].count.at(of);
        };
        for (const std::uint32_t r : members)
            for (const PlacedWork& work : all[r].work)
                if (const double own = usual.at({stages[r], work.place}); counts_as(r, work) && own > 0) {
                    std::vector<double>& times = seen[{work.step, work.place}];
                    times.push_back(static_cast<double>(graph.times.duration[work.node]) / own);
                    const auto [before, first_one] = last_seen_on.try_emplace({work.step, work.place}, r);
                    if (!first_one && times[times.size() - 2] > 0)
                        between[{std::exchange(before->second, r), r}].push_back(times.back() /
                                                                                 times[times.size() - 2]);
                }
        for (auto& [ranks_of_both, ratios] : between) {
            const double middle = middle_median(ratios);
            for (const double ratio : ratios)
                apart.push_back(ratio / middle);
        }
        std::map<std::pair<std::int64_t, PassPlace>, double> length;
        std::vector<double> own;
        for (auto& [place, times] : seen)
            own.push_back(length[place] = lower_median(std::move(times)));
        const double usual_length = own.empty() ? 1 : middle_median(own);
        for (const double each : own)
            told.push_back(each / usual_length);
        for (const std::uint32_t r : members) {
            std::map<std::pair<std::int64_t, std::uint32_t>, double> before; // by step and thread
            for (const PlacedWork& work : all[r].work) {
                double& last = before.try_emplace({work.step, work.place.key.second}, 1.0).first->second;
                if (counts_as(r, work) && length.contains({work.step, work.place}))
                    last = length.at({work.step, work.place});
                lengths[work.node] = last;
            }
        }
    }
    if (told.empty())
        return {};
    const double unequal = robust_deviation(std::move(told));
    const auto contradicted = std::ranges::count_if(apart, [&](double ratio) { return std::abs(ratio - 1) > unequal; });
    if (unequal < kUnequalLengths ||
        static_cast<double>(contradicted) > kContradicted * static_cast<double>(apart.size()))
        return {};
    for (double& length : lengths)
        length = length > 0 ? length : 1;
    return lengths;
}

} // namespace rankscope
