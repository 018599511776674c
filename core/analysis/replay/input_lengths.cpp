// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/input_lengths.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/replay/aligned_kernels.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kUnequalLengths = 0.04; ///< standard deviation of lengths: kernels alone scatter by less
constexpr double kContradicted = 0.05;   ///< of places, where stages differ by more than lengths do

struct PlacedWork {
    std::uint32_t node = 0;
    std::int64_t step = 0;    ///< number
    std::uint64_t place = 0;  ///< of kernels_by_place()
    std::uint32_t thread = 0; ///< which of the rank's launching threads
    NameId name = 0;
    double time = 0; ///< ns, without communication beside it
};

/// Of a rank, in order of time.
using WorkOfRank = std::vector<PlacedWork>;

WorkOfRank work_of_rank(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place,
                        std::span<const std::uint64_t> places, std::span<const double> alone, std::uint32_t rank) {
    WorkOfRank result;
    const RankTrace& trace = *run.ranks[rank];
    const std::map<const Lane*, std::uint32_t> threads = launching_threads(run, graph, rank);
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n) {
        const EventIndex call = trace.events.link[graph.event[n]];
        const GraphStep* const step = graph.kind[n] == NodeKind::compute ? graph.step_of(n) : nullptr;
        if (step == nullptr || call == kNoEvent)
            continue;
        result.push_back({n, step->number, places[n], threads.at(&trace.lane_of(call)),
                          name_in_place(run, in_place, rank, graph.event[n]),
                          static_cast<double>(graph.times.duration[n]) * (alone.empty() ? 1 : alone[n])});
    }
    return result;
}

using PlaceOfStep = std::pair<std::int64_t, std::uint64_t>; ///< number of the step, place

/// The times that the stages of one pipeline tell, or of several with the same microbatches.
struct ToldOfPipeline {
    std::vector<std::uint32_t> ranks;
    /// Ranks, ascending, and ns. Two ranks at least.
    std::map<PlaceOfStep, std::vector<std::pair<std::uint32_t, double>>> times;
};

ToldOfPipeline told_of_pipeline(const std::vector<WorkOfRank>& all, const std::vector<std::uint32_t>& ranks) {
    ToldOfPipeline told;
    told.ranks = ranks;
    for (const std::uint32_t r : ranks)
        for (const PlacedWork& work : all[r])
            if (work.place != kNotAligned)
                told.times[{work.step, work.place}].emplace_back(r, work.time);
    std::erase_if(told.times, [](const auto& of_place) { return of_place.second.size() < 2; });
    return told;
}

using StageTimes = std::map<std::pair<int, std::uint64_t>, double>; ///< by stage and place, ns

/// Of the ranks of a stage the fastest tells what is usual: a slow one among two would move their median.
StageTimes fastest_medians(const std::vector<WorkOfRank>& all, const std::vector<int>& stages) {
    StageTimes usual;
    for (std::uint32_t r = 0; r < all.size(); ++r) {
        std::map<std::uint64_t, std::vector<double>> times;
        for (const PlacedWork& work : all[r])
            if (work.place != kNotAligned)
                times[work.place].push_back(work.time);
        for (auto& [place, own] : times) {
            const double median = middle_median(std::move(own));
            const auto [known, added] = usual.try_emplace({stages[r], place}, median);
            known->second = std::min(known->second, median);
        }
    }
    return usual;
}

struct UsualRatio {
    double ratio = 1;
    bool clear = true; ///< no other one is nearly as frequent
};

/// The ratio that most of them have, within 3 %: slow ranks, or ranks slow in some steps, have another one. Where two
/// are as frequent, the one nearer to 1.
UsualRatio most_frequent_ratio(const std::vector<double>& ratios) {
    constexpr double kClearly = 1.5; ///< times as many
    std::vector<double> sorted = ratios;
    std::ranges::sort(sorted);
    const auto alike = [&](double ratio) {
        return std::ranges::subrange(std::ranges::lower_bound(sorted, ratio * (1 - kSameKernel)),
                                     std::ranges::upper_bound(sorted, ratio * (1 + kSameKernel)));
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
    return {std::accumulate(of_most.begin(), of_most.end(), 0.0) / size,
            size >= kClearly * static_cast<double>(others)};
}

/// Of steps; 1 where that is far off and not clear.
double usual_ratio(const std::vector<double>& ratios) {
    constexpr double kFar = 0.1;
    const UsualRatio usual = most_frequent_ratio(ratios);
    return usual.clear || std::abs(std::log(usual.ratio)) < kFar ? usual.ratio : 1;
}

struct Alignment {
    /// What two stages of a pipeline tell of a place, one by the other, over what these two usually do in that step and
    /// at that place: a slow kernel of one rank is slow at its place in all steps.
    std::vector<double> apart;
    bool steps_agree = true; ///< any two stages tell the same of most steps: no GPU is slow in some of them only
};

/// Makes the usual times of stages those of ranks that are alike: a GPU may be slow in some steps only, and the fastest
/// rank of each stage may be of another pipeline, with other microbatches.
Alignment align_stages(const std::vector<ToldOfPipeline>& pipelines, const std::vector<int>& stages,
                       StageTimes& usual) {
    using Neighbours = std::pair<int, int>; // stages
    struct Ratio {
        std::int64_t step = 0;
        std::uint64_t place;
        double ratio = 1;
    };
    std::map<Neighbours, std::vector<double>> of_steps;                           // of all pipelines
    std::map<std::pair<Neighbours, std::uint64_t>, std::vector<double>> of_place; // by pipeline
    Alignment result;
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
            std::map<std::uint64_t, std::vector<double>> by_place;
            for (const Ratio& each : of_both)
                by_place[each.place].push_back(each.ratio / middle.at(each.step));
            for (const auto& [place, own] : by_place) {
                const double usual_one = own.size() < kStepsOfScatter ? 1 : middle_median(own);
                of_place[{both, place}].push_back(usual_one);
                for (const double ratio : own)
                    result.apart.push_back(ratio / usual_one);
            }
        }
    }
    constexpr double kMost = 0.9;
    std::map<Neighbours, double> scales;
    for (const auto& [both, ratios] : of_steps) {
        const double usual_one = scales[both] = usual_ratio(ratios);
        const auto agree =
            std::ranges::count_if(ratios, [&](double ratio) { return std::abs(ratio / usual_one - 1) <= kSameKernel; });
        if (static_cast<double>(agree) < kMost * static_cast<double>(ratios.size()))
            result.steps_agree = false;
    }
    StageTimes factors; // neighbours are in ascending order: that of the first is known when the second comes
    for (const auto& [of, ratios] : of_place) {
        const auto& [both, place] = of;
        const auto before = factors.find({both.first, place});
        const double factor =
            scales.at(both) * most_frequent_ratio(ratios).ratio * (before == factors.end() ? 1 : before->second);
        if (factors.try_emplace({both.second, place}, factor).second)
            usual.at({both.second, place}) *= factor;
    }
    return result;
}

using Lengths = std::map<PlaceOfStep, double>;

Lengths lengths_told(const ToldOfPipeline& pipeline, const StageTimes& usual, const std::vector<int>& stages) {
    Lengths lengths;
    for (const auto& [at, times] : pipeline.times) {
        std::vector<double> over;
        for (const auto& [rank, time] : times)
            if (const double of_stage = usual.at({stages[rank], at.second}); of_stage > 0 && time > 0)
                over.push_back(time / of_stage);
        if (!over.empty())
            lengths[at] = lower_median(std::move(over));
    }
    return lengths;
}

/// Over the usual one of the pipeline: one with slow ranks takes longer each time.
std::vector<double> over_usual(const Lengths& lengths) {
    const auto values = lengths | std::views::values;
    std::vector<double> result(values.begin(), values.end());
    const double usual = result.empty() ? 1 : middle_median(result);
    for (double& length : result)
        length /= usual;
    return result;
}

/// Over the usual one of each step.
std::vector<double> over_usual_of_steps(const Lengths& lengths) {
    std::map<std::int64_t, Lengths> steps;
    for (const auto& [at, length] : lengths)
        steps[at.first][at] = length;
    std::vector<double> result;
    for (const auto& [step, own] : steps)
        for (const double length : over_usual(own))
            result.push_back(length);
    return result;
}

/// Ranks of a tensor-parallel group are of different pipelines, but their microbatches are the same: what the pipelines
/// tell differs by little. unequal: standard deviation of lengths.
bool have_same_inputs(const Lengths& a, const Lengths& b, double unequal) {
    constexpr double kLittle = 0.5; ///< different ones differ by 1.4 times as much as the lengths do
    Lengths ratios;
    for (const auto& [at, length] : a)
        if (const auto other = b.find(at); other != b.end() && other->second > 0)
            ratios[at] = length / other->second;
    return !ratios.empty() && robust_deviation(over_usual(ratios)) < kLittle * unequal;
}

/// Gives the work of the pipeline's ranks its lengths. Where a rank has no place for any kernel of a name, these are
/// shared out evenly among those of other ranks, or else among what its thread's most frequent name tells: weights'
/// parts of backward passes, which come in another order, with those of a head. Fewer kernels, and others without a
/// place, are as long as the work before them.
void set_lengths(const std::vector<WorkOfRank>& all, const ToldOfPipeline& pipeline, const Lengths& told,
                 std::vector<double>& lengths) {
    using OfThread = std::pair<std::int64_t, std::uint32_t>;        // step, thread
    using OfName = std::tuple<std::int64_t, std::uint32_t, NameId>; // and name
    std::map<OfName, std::vector<double>> told_of_name;             // in order
    std::map<OfThread, std::vector<double>> most_told;
    std::vector<std::map<OfName, std::pair<std::size_t, bool>>> counts; // of a rank: how many, whether any has a place
    for (const std::uint32_t r : pipeline.ranks) {
        std::map<OfName, std::vector<double>> own;
        auto& count = counts.emplace_back();
        for (const PlacedWork& work : all[r]) {
            auto& [number, placed] = count[{work.step, work.thread, work.name}];
            ++number;
            if (const auto known = told.find({work.step, work.place}); known != told.end()) {
                placed = true;
                own[{work.step, work.thread, work.name}].push_back(known->second);
            }
        }
        told_of_name.merge(own);
    }
    for (const auto& [of, values] : told_of_name)
        if (std::vector<double>& most = most_told[{std::get<0>(of), std::get<1>(of)}]; values.size() > most.size())
            most = values;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::map<OfThread, double> before;
        std::map<OfName, std::size_t> nth;
        for (const PlacedWork& work : all[pipeline.ranks[i]]) {
            const OfName of{work.step, work.thread, work.name};
            const auto [number, placed] = counts[i].at(of);
            const auto same = told_of_name.find(of);
            const auto& others = same == told_of_name.end() ? most_told[{work.step, work.thread}] : same->second;
            const std::size_t n = nth[of]++;
            double& last = before.try_emplace({work.step, work.thread}, 1.0).first->second;
            if (const auto known = told.find({work.step, work.place}); known != told.end())
                last = known->second;
            else if (!placed && !others.empty() && number >= others.size())
                last = others[n * others.size() / number];
            lengths[work.node] = last;
        }
    }
}

/// alone: per node, what its recorded duration times would be without communication beside it; empty: the recorded
/// durations tell.
std::vector<double> lengths_of_nodes(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                                     const std::vector<int>& stages, const KernelsInPlace& in_place,
                                     std::span<const double> alone) {
    const std::size_t ranks = run.ranks.size();
    if (!graph.profiler_steps || stages.size() != ranks || std::ranges::any_of(stages, [](int s) { return s < 0; }))
        return {};
    const RankSets sets = pipelines_of(matching, ranks);
    std::map<std::uint32_t, std::vector<std::uint32_t>> pipelines;
    for (std::uint32_t r = 0; r < ranks; ++r)
        pipelines[sets.of(r)].push_back(r);
    for (const auto& [first, members] : pipelines) {
        std::set<int> own;
        for (const std::uint32_t r : members)
            own.insert(stages[r]);
        if (members.size() < 2 || own.size() != members.size())
            return {}; // no pipeline
    }
    const std::vector<std::uint64_t> places = kernels_by_place(run, graph, in_place);
    std::vector<WorkOfRank> all;
    for (std::uint32_t r = 0; r < ranks; ++r)
        all.push_back(work_of_rank(run, graph, in_place, places, alone, r));
    std::vector<ToldOfPipeline> told_of;
    for (const auto& [first, members] : pipelines)
        told_of.push_back(told_of_pipeline(all, members));
    StageTimes usual = fastest_medians(all, stages);
    const Alignment alignment = align_stages(told_of, stages, usual);

    std::vector<Lengths> lengths_of;
    std::vector<double> told;
    std::vector<double> told_in_steps;
    for (const ToldOfPipeline& pipeline : told_of) {
        const Lengths& own = lengths_of.emplace_back(lengths_told(pipeline, usual, stages));
        std::ranges::copy(over_usual(own), std::back_inserter(told));
        std::ranges::copy(over_usual_of_steps(own), std::back_inserter(told_in_steps));
    }
    if (told.empty())
        return {};
    const double unequal = robust_deviation(std::move(told));
    const auto contradicted =
        std::ranges::count_if(alignment.apart, [&](double ratio) { return std::abs(ratio - 1) > unequal; });
    if (unequal < kUnequalLengths ||
        static_cast<double>(contradicted) > kContradicted * static_cast<double>(alignment.apart.size()))
        return {};
    if (!alignment.steps_agree && robust_deviation(std::move(told_in_steps)) < kUnequalLengths)
        return {}; // only from step to step, where some GPU is slow in some of them
    std::vector<double> lengths(graph.size(), 1.0);
    std::vector<bool> done(told_of.size());
    for (std::size_t i = 0; i < told_of.size(); ++i) {
        if (done[i])
            continue;
        ToldOfPipeline together = told_of[i];
        for (std::size_t k = i + 1; k < told_of.size(); ++k)
            if (!done[k] && have_same_inputs(lengths_of[i], lengths_of[k], unequal)) {
                done[k] = true;
                together.ranks.insert(together.ranks.end(), told_of[k].ranks.begin(), told_of[k].ranks.end());
                for (const auto& [at, times] : told_of[k].times)
                    together.times[at].insert(together.times[at].end(), times.begin(), times.end());
            }
        set_lengths(all, together, lengths_told(together, usual, stages), lengths);
    }
    return lengths;
}

} // namespace

RankSets pipelines_of(const CollectiveMatching& matching, std::size_t ranks) {
    RankSets sets(ranks);
    for (const MatchedCall& call : matching.matched) {
        const CollectiveKind kind = matching.call(call.members.front()).kind;
        const bool message =
            matching.groups[call.group].point_to_point || kind == CollectiveKind::send || kind == CollectiveKind::recv;
        if (message && call.members.size() == 2)
            sets.join(call.members.front().first, call.members.back().first);
    }
    return sets;
}

std::vector<double> InputLengths::comparable(const StepGraph& graph, const std::vector<double>& even) const {
    std::vector<double> factors = beside.comparable(graph, even);
    if (of_node.empty())
        return factors;
    factors.resize(of_node.size(), 1);
    for (std::size_t n = 0; n < of_node.size(); ++n)
        factors[n] /= of_node[n];
    return factors;
}

InputLengths input_lengths(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                           const std::vector<int>& stages, const KernelsInPlace& in_place) {
    count_work("input_lengths");
    constexpr int kTurns = 8;
    InputLengths result;
    if (graph.size() == 0)
        return result;
    const auto measure = [&](std::span<const double> alone) {
        result.of_node = lengths_of_nodes(run, graph, matching, stages, in_place, alone);
        result.beside = BesideCommunication(run, graph, result.of_node);
    };
    measure({});
    std::vector<SlowedKernel> before;
    for (int turn = 0; turn < kTurns && !result.of_node.empty() && !are_as_slow(result.beside.kernels(), before);
         ++turn) {
        before = result.beside.kernels();
        measure(result.beside.comparable(graph, {}));
    }
    return result;
}

} // namespace rankscope
