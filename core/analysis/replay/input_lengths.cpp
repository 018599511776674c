// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/input_lengths.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

#include "core/analysis/basics/robust_deviation.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kUnequalLengths = 0.04; ///< standard deviation of lengths: kernels alone scatter by less
constexpr std::size_t kStepsOfPlace = 4; ///< in which a place's own middle is known
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

/// The times that the stages of one pipeline tell.
struct ToldOfPipeline {
    std::vector<std::uint32_t> ranks;
    std::map<std::pair<std::int64_t, LaunchedName>, std::uint32_t> counts; ///< by number of the step: shared_count()
    /// By number of the step and place: ranks, ascending, and ns.
    std::map<std::pair<std::int64_t, PassPlace>, std::vector<std::pair<std::uint32_t, double>>> times;

    [[nodiscard]] bool counts_as(const WorkOfRank& rank, const PlacedWork& work) const {
        const std::pair of{work.step, work.place.key};
        return counts.at(of) == rank.count.at(of);
    }
};

ToldOfPipeline told_of_pipeline(const StepGraph& graph, const std::vector<WorkOfRank>& all,
                                const std::vector<std::uint32_t>& ranks) {
    ToldOfPipeline told;
    told.ranks = ranks;
    for (const std::uint32_t r : ranks)
        for (const PlacedWork& work : all[r].work) {
            const std::pair of{work.step, work.place.key};
            const auto [known, added] = told.counts.try_emplace(of, 0);
            if (added)
                known->second = shared_count(all, ranks, of);
            if (told.counts_as(all[r], work))
                told.times[{work.step, work.place}].emplace_back(r,
                                                                 static_cast<double>(graph.times.duration[work.node]));
        }
    return told;
}

using StageTimes = std::map<std::pair<int, PassPlace>, double>; ///< by stage and place, ns

/// Of the ranks of a stage the fastest tells what is usual: a slow one among two would move their median.
StageTimes fastest_medians(const StepGraph& graph, const std::vector<WorkOfRank>& all, const std::vector<int>& stages) {
    StageTimes usual;
    for (std::uint32_t r = 0; r < all.size(); ++r) {
        std::map<PassPlace, std::vector<double>> times;
        for (const PlacedWork& work : all[r].work)
            times[work.place].push_back(static_cast<double>(graph.times.duration[work.node]));
        for (auto& [place, own] : times) {
            const double median = middle_median(std::move(own));
            const auto [known, added] = usual.try_emplace({stages[r], place}, median);
            known->second = std::min(known->second, median);
        }
    }
    return usual;
}

/// The ratio that most of them have, within 3 %: slow ranks, or ranks slow in some steps, have another one. Where two
/// are as frequent, the one nearer to 1. It is 1 where that is far off and another one is nearly as frequent.
double usual_ratio(const std::vector<double>& ratios) {
    constexpr double kAlike = 0.03;
    constexpr double kFar = 0.1;
    constexpr double kClearly = 1.5; ///< times as many
    std::vector<double> sorted = ratios;
    std::ranges::sort(sorted);
    const auto alike = [&](double ratio) {
        return std::ranges::subrange(std::ranges::lower_bound(sorted, ratio * (1 - kAlike)),
                                     std::ranges::upper_bound(sorted, ratio * (1 + kAlike)));
    };
    const auto count = [&](double ratio) { return std::ssize(alike(ratio)); };
    const double most =
        std::ranges::max(ratios, {}, [&](double ratio) { return std::pair(count(ratio), -std::abs(std::log(ratio))); });
    const auto of_most = alike(most);
    std::ptrdiff_t others = 0;
    for (auto other = sorted.begin(); other != sorted.end(); ++other)
        if (other < of_most.begin() || other >= of_most.end())
            others = std::max(others, count(*other));
    const auto size = static_cast<double>(std::ssize(of_most));
    const double usual = std::accumulate(of_most.begin(), of_most.end(), 0.0) / size;
    return std::abs(std::log(usual)) < kFar || size >= kClearly * static_cast<double>(others) ? usual : 1;
}

/// What two stages of a pipeline tell of a place, one by the other, over what they usually do in that step: a GPU may
/// be slow in some steps only. And over what they usually do at that place, which goes into the usual times: the
/// fastest rank of each stage may be of another pipeline, with other microbatches.
std::vector<double> align_stages(const std::vector<ToldOfPipeline>& pipelines, const std::vector<int>& stages,
                                 StageTimes& usual) {
    using Neighbours = std::pair<int, int>; // stages
    struct Ratio {
        std::int64_t step = 0;
        PassPlace place;
        double ratio = 1;
    };
    std::map<Neighbours, std::vector<double>> of_steps;                       // of all pipelines
    std::map<std::pair<Neighbours, PassPlace>, std::vector<double>> of_place; // by pipeline
    std::vector<std::pair<std::pair<Neighbours, PassPlace>, double>> apart;
    for (const ToldOfPipeline& pipeline : pipelines) {
        std::map<Neighbours, std::vector<Ratio>> ratios;
        for (const auto& [at, times] : pipeline.times)
            for (std::size_t i = 1; i < times.size(); ++i) {
                const Neighbours both{stages[times[i - 1].first], stages[times[i].first]};
                const double before = times[i - 1].second / usual.at({both.first, at.second});
                const double own = times[i].second / usual.at({both.second, at.second});
                if (before > 0 && std::isfinite(own / before))
                    ratios[both].push_back({at.first, at.second, own / before});
            }
        for (auto& [both, of_both] : ratios) {
            std::map<std::int64_t, std::vector<double>> by_step;
            for (const Ratio& each : of_both)
                by_step[each.step].push_back(each.ratio);
            std::map<std::int64_t, double> middle;
            for (auto& [step, own] : by_step)
                of_steps[both].push_back(middle[step] = middle_median(std::move(own)));
            std::map<PassPlace, std::vector<double>> by_place;
            for (const Ratio& each : of_both) {
                const double ratio = each.ratio / middle.at(each.step);
                by_place[each.place].push_back(ratio);
                apart.emplace_back(std::pair(both, each.place), ratio);
            }
            for (auto& [place, own] : by_place)
                of_place[{both, place}].push_back(own.size() < kStepsOfPlace ? 1 : middle_median(std::move(own)));
        }
    }
    std::map<Neighbours, double> scales;
    for (const auto& [both, ratios] : of_steps)
        scales[both] = usual_ratio(ratios);
    std::map<std::pair<Neighbours, PassPlace>, double> at_place;
    StageTimes factors; // neighbours are in ascending order: that of the first is known when the second comes
    for (const auto& [of, ratios] : of_place) {
        const auto& [both, place] = of;
        const auto before = factors.find({both.first, place});
        const double ratio = at_place[of] = usual_ratio(ratios);
        const double factor = scales.at(both) * ratio * (before == factors.end() ? 1 : before->second);
        if (factors.try_emplace({both.second, place}, factor).second)
            usual.at({both.second, place}) *= factor;
    }
    std::vector<double> result;
    for (const auto& [of, ratio] : apart)
        result.push_back(ratio / at_place.at(of));
    return result;
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
    std::vector<ToldOfPipeline> told_of;
    for (const auto& [first, members] : pipelines)
        told_of.push_back(told_of_pipeline(graph, all, members));
    StageTimes usual = fastest_medians(graph, all, stages);
    const std::vector<double> apart = align_stages(told_of, stages, usual);

    std::vector<double> lengths(graph.size(), 0.0);
    std::vector<double> told; // over the usual of the pipeline: one with slow ranks takes longer each time
    for (const ToldOfPipeline& pipeline : told_of) {
        std::map<std::pair<std::int64_t, PassPlace>, double> length;
        std::vector<double> own;
        for (const auto& [at, times] : pipeline.times) {
            std::vector<double> over;
            for (const auto& [rank, time] : times)
                if (const double of_stage = usual.at({stages[rank], at.second}); of_stage > 0)
                    over.push_back(time / of_stage);
            if (!over.empty())
                own.push_back(length[at] = lower_median(std::move(over)));
        }
        const double usual_length = own.empty() ? 1 : middle_median(own);
        for (const double each : own)
            told.push_back(each / usual_length);
        for (const std::uint32_t r : pipeline.ranks) {
            std::map<std::pair<std::int64_t, std::uint32_t>, double> before; // by step and thread
            for (const PlacedWork& work : all[r].work) {
                double& last = before.try_emplace({work.step, work.place.key.second}, 1.0).first->second;
                if (const auto known = length.find({work.step, work.place});
                    known != length.end() && pipeline.counts_as(all[r], work))
                    last = known->second;
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
