// SPDX-License-Identifier: GPL-3.0-or-later
// Compares work in the same place on different ranks.
#include "core/analysis/usual/peer_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/beside.h"
#include "core/analysis/usual/as_fast.h"
#include "core/analysis/usual/compared_work.h"
#include "core/analysis/usual/uneven_stages.h"
#include "core/analysis/usual/wait_places.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kOfSpread = 3; ///< times how far the fast ones differ

struct Placed {
    std::uint32_t node = 0;
    std::uint32_t place = 0;
    TimeNs value = 0;
    bool before = false; ///< the time before the node
};

/// Gives each place of one step a number: a class of peers, a name and kind, the n-th of them on its rank.
class PlacesOfClasses {
public:
    explicit PlacesOfClasses(std::size_t classes) : of_class_(classes) {}

    /// Nodes of a rank one after the other. key: name and kind.
    std::uint32_t place_of(std::uint32_t peer_class, std::uint32_t rank, std::uint64_t key) {
        Same& same = of_class_[peer_class][key];
        if (same.rank != rank) {
            same.rank = rank;
            same.next = 0;
        }
        return place_at(peer_class, key, same.next++);
    }
    /// index: which of its places.
    std::uint32_t place_at(std::uint32_t peer_class, std::uint64_t key, std::size_t index) {
        std::vector<std::uint32_t>& places = of_class_[peer_class][key].places;
        while (places.size() <= index)
            places.push_back(count_++);
        return places[index];
    }
    [[nodiscard]] std::uint32_t count() const { return count_; }

private:
    struct Same {
        std::uint32_t rank = kNoNode; ///< the last that had it
        std::uint32_t next = 0;       ///< how many of them it had
        std::vector<std::uint32_t> places;
    };
    std::vector<NumberMap<std::uint64_t, Same>> of_class_;
    std::uint32_t count_ = 0;
};

class PeerComparison {
public:
    PeerComparison(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place, std::span<const double> even,
                   std::span<const float> beside, PeerTimes& result)
        : run_(run), graph_(graph), in_place_(in_place), even_(even), beside_(beside), result_(result) {}

    void run() {
        // Nodes by step number, each rank's in order of time.
        std::map<std::int64_t, std::vector<std::uint32_t>> by_step;
        std::vector<std::vector<std::int64_t>> number(run_.ranks.size());
        for (const GraphStep& step : graph_.steps) {
            number[step.rank].push_back(step.number);
            by_step[step.number];
            std::vector<std::uint32_t>& members = members_[step.number];
            members.resize(result_.class_size.size());
            ++members[result_.peer_class[step.rank]];
        }
        std::vector<std::pair<std::span<const std::uint32_t>, std::vector<std::uint32_t>*>> target;
        std::vector<std::uint32_t>* nodes_of_step = nullptr;
        std::uint32_t last_rank = kNoNode;
        std::uint32_t last_step = kNoNode;
        for (std::uint32_t n = 0; n + 1 <= graph_.first_node.back(); ++n) {
            if (!(is_compared(graph_.kind[n]) || has_time_before(graph_.kind[n])) || graph_.event[n] == kNoEvent)
                continue;
            const std::uint32_t rank = graph_.rank[n];
            const std::uint32_t step = graph_.profiler_steps ? graph_.step[n] : 0;
            if (step == kNoNode || step >= number[rank].size())
                continue;
            if (rank != last_rank || step != last_step) {
                last_rank = rank;
                last_step = step;
                nodes_of_step = &by_step[number[rank][step]];
            }
            nodes_of_step->push_back(n);
        }
        for (auto& [step, nodes] : by_step)
            target.emplace_back(members_[step], &nodes);
        sums_.resize(run_.ranks.size());
        const auto compare_all = [&] {
            surplus_.assign(graph_.size(), 0);
            estimated_.assign(beside_.size(), 0);
            tbb::parallel_for(std::size_t{0}, target.size(),
                              [&](std::size_t i) { compare(target[i].first, *target[i].second); });
        };
        compare_all();
        if (result_.across_stages ? find_slow_steps() : find_fast_ranks())
            compare_all();
        result_.surplus.assign(surplus_.begin(), surplus_.end());
        if (!graph_.profiler_steps && graph_.repetitions == 1)
            result_.recorded_longer = recorded_longer();
        result_.estimated.assign(estimated_.begin(), estimated_.end());
        compare_by_ratio();
    }

private:
    static constexpr std::uint64_t kBefore = 0x80; ///< no NodeKind has this bit

    /// members: ranks of each class that have the step.
    void compare(std::span<const std::uint32_t> members, const std::vector<std::uint32_t>& nodes) {
        std::vector<Placed> placed;
        placed.reserve(nodes.size());
        PlacesOfClasses places(result_.class_size.size());
        const PlaceMap<std::uint32_t, std::size_t> waits =
            places_of_unequal_waits(run_, graph_, result_, members, nodes);
        for (const std::uint32_t n : nodes) {
            const std::uint32_t rank = graph_.rank[n];
            const NodeKind kind = graph_.kind[n];
            const std::uint64_t key = key_of(n);
            if (is_compared(kind)) {
                const auto wait = waits.find(n);
                const std::uint32_t place = wait == waits.end()
                                                ? places.place_of(result_.peer_class[rank], rank, key)
                                                : places.place_at(result_.peer_class[rank], key, wait->second);
                placed.push_back({n, place, if_even(compared_time(graph_, graph_.times, n), n), false});
            }
            if (const std::uint32_t edge = has_time_before(kind) ? host_edge(graph_, n) : kNoNode; edge != kNoNode)
                placed.push_back(
                    {n, places.place_of(result_.peer_class[rank], rank, key | kBefore), graph_.times.lag[edge], true});
        }
        // By place, each in order of rank.
        std::vector<std::uint32_t> end(places.count() + 1);
        for (const Placed& one : placed)
            ++end[one.place + 1];
        std::partial_sum(end.begin(), end.end(), end.begin());
        std::vector<Placed> sorted(placed.size());
        std::vector<std::uint32_t> next(end.begin(), end.end() - 1);
        for (const Placed& one : placed)
            sorted[next[one.place]++] = one;
        std::vector<Computed> sums(sums_.size());
        for (std::uint32_t place = 0; place < places.count(); ++place)
            settle(members, std::span(sorted).subspan(end[place], end[place + 1] - end[place]), sums);
        {
            const std::scoped_lock lock(mutex_);
            for (std::size_t r = 0; r < sums.size(); ++r) {
                sums_[r].own += sums[r].own;
                sums_[r].of_all += sums[r].of_all;
            }
        }
        if (!graph_.profiler_steps)
            drop_cut_off(nodes);
    }

    /// A rank's computation, and the median of its class in the same places.
    struct Computed {
        TimeNs own = 0;
        TimeNs of_all = 0;
    };

    /// Where no more than half of the ranks of a class, but a third, are clearly faster than the others, the median of
    /// all is one of the slow ones, or between both.
    bool find_fast_ranks() {
        fast_.assign(sums_.size(), false);
        for (std::uint32_t c = 0; c < result_.class_size.size(); ++c) {
            std::vector<std::pair<double, std::size_t>> speeds; // ascending: fast ones first
            for (std::size_t r = 0; r < sums_.size(); ++r)
                if (result_.peer_class[r] == c && sums_[r].of_all > 0)
                    speeds.emplace_back(static_cast<double>(sums_[r].own) / static_cast<double>(sums_[r].of_all), r);
            std::ranges::sort(speeds);
            for (std::size_t fast = 2; 2 * fast <= speeds.size(); ++fast) {
                const double gap = speeds[fast].first / speeds[fast - 1].first - 1;
                const double spread = speeds[fast - 1].first / speeds.front().first - 1;
                if (3 * fast < speeds.size() || gap < kSameKernel || gap < kOfSpread * spread)
                    continue;
                for (std::size_t i = 0; i < fast; ++i)
                    fast_[speeds[i].second] = true;
                result_.two_speeds = true;
                break;
            }
        }
        return result_.two_speeds;
    }

    /// Of stages that are compared with each other: the steps of a rank in which most of its kernels take longer than
    /// on the others. With two of four slow, the median of the others is the slower one of those that are not.
    bool find_slow_steps() {
        std::map<RankStep, std::vector<double>> ratios;
        for (std::uint32_t n = 0; n < graph_.first_node.back(); ++n)
            if (graph_.kind[n] == NodeKind::compute && result_.expected[n] > 0)
                ratios[rank_step(n)].push_back(static_cast<double>(graph_.times.duration[n]) /
                                               static_cast<double>(result_.expected[n]));
        for (auto& [of, own] : ratios)
            if (middle_median(std::move(own)) > 1 + kSameKernel)
                slow_.insert(of);
        return !slow_.empty();
    }

    using RankStep = std::pair<std::uint32_t, std::uint32_t>;
    [[nodiscard]] RankStep rank_step(std::uint32_t n) const { return {graph_.rank[n], graph_.step[n]}; }
    [[nodiscard]] bool is_fast(std::uint32_t n) const {
        return result_.across_stages ? !slow_.contains(rank_step(n)) : fast_[graph_.rank[n]];
    }

    /// In repetitions, or, where none are known, in calls: ranks that do the same meet in as many.
    [[nodiscard]] std::vector<double> lengths_of_recordings() const {
        if (graph_.repetitions > 1)
            return graph_.repetitions_of;
        std::vector<double> calls(run_.ranks.size());
        for (std::uint32_t n = 0; n < graph_.first_node.back(); ++n)
            if (graph_.kind[n] == NodeKind::arrival || graph_.kind[n] == NodeKind::lone_communication)
                ++calls[graph_.rank[n]];
        return calls;
    }

    /// Per rank: its recording is longer than that of a peer.
    [[nodiscard]] std::vector<bool> recorded_longer() const {
        constexpr double kNoLonger = 0.1; // of a repetition
        const std::vector<double> length = lengths_of_recordings();
        std::vector<double> shortest(result_.class_size.size(), std::numeric_limits<double>::max());
        for (std::size_t r = 0; r < length.size(); ++r)
            shortest[result_.peer_class[r]] = std::min(shortest[result_.peer_class[r]], length[r]);
        std::vector<bool> longer;
        for (std::size_t r = 0; r < length.size(); ++r)
            longer.push_back(length[r] > shortest[result_.peer_class[r]] + kNoLonger);
        return longer;
    }

    /// Without steps the recordings of ranks start and end at other points of a repetition: what a rank does not have
    /// more of in nearly each of them was cut off elsewhere, and so may be all that a longer recording has more.
    void drop_cut_off(const std::vector<std::uint32_t>& nodes) {
        const std::vector<bool> longer = recorded_longer();
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> more;
        for (const std::uint32_t n : nodes)
            if (surplus_[n] != 0)
                ++more[{graph_.rank[n], key_of(n)}];
        for (const std::uint32_t n : nodes) {
            const std::uint32_t rank = graph_.rank[n];
            if (surplus_[n] != 0 && (longer[rank] || more[{rank, key_of(n)}] + 1 < graph_.repetitions)) {
                surplus_[n] = 0;
                result_.expected[n] = -1;
            }
        }
    }

    /// Name and kind.
    [[nodiscard]] std::uint64_t key_of(std::uint32_t n) const {
        const NodeKind kind = graph_.kind[n];
        const std::uint32_t rank = graph_.rank[n];
        const EventIndex event =
            kind == NodeKind::launch ? run_.ranks[rank]->events.link[graph_.event[n]] : graph_.event[n];
        return std::uint64_t{name_in_place(run_, in_place_, rank, event)} << 8 | static_cast<std::uint64_t>(kind);
    }

    [[nodiscard]] TimeNs if_even(TimeNs time, std::uint32_t node) const {
        return even_.empty() ? time : std::llround(static_cast<double>(time) * even_[node]);
    }

    /// Work in one place on the ranks of one class that have it.
    void settle(std::span<const std::uint32_t> of_classes, std::span<const Placed> same, std::vector<Computed>& sums) {
        const std::uint32_t members = of_classes[result_.peer_class[graph_.rank[same.front().node]]];
        if (members < 2)
            return;
        if (2 * (same.size() - 1) < members - 1) { // most peers have nothing in this place
            // Other stages run other kernels, and one of them may read the loss; allocations and collections are no
            // stage's own.
            const NodeKind kind = graph_.kind[same.front().node];
            const bool of_the_stage = kind != NodeKind::allocation && kind != NodeKind::garbage_collection;
            if (same.front().before || (result_.across_stages && of_the_stage))
                return;
            for (const Placed& one : same) {
                result_.expected[one.node] = 0;
                surplus_[one.node] = 1;
            }
            return;
        }
        if (same.size() < 2)
            return;
        std::vector<TimeNs> values;
        values.reserve(same.size());
        for (const Placed& one : same)
            values.push_back(one.value);
        std::sort(values.begin(), values.end());
        const bool computes = graph_.kind[same.front().node] == NodeKind::compute;
        const auto of_all = std::llround(middle_of_sorted(values));
        std::vector<TimeNs> fast; // values of fast ranks, ascending
        for (const Placed& one : same) {
            if (computes) {
                sums[graph_.rank[one.node]].own += one.value;
                sums[graph_.rank[one.node]].of_all += of_all;
            }
            if (computes && (result_.two_speeds || !slow_.empty()) && is_fast(one.node))
                fast.push_back(one.value);
        }
        std::sort(fast.begin(), fast.end());
        const bool states_differ =
            computes && std::ranges::any_of(same, [&](const Placed& one) {
                return state_of(one.node) == Beside::partly || state_of(one.node) != state_of(same.front().node);
            });
        const auto alone = states_differ ? values_of(Beside::nothing, same) : std::vector<TimeNs>{};
        const auto beside = states_differ ? values_of(Beside::wholly, same) : std::vector<TimeNs>{};
        for (const Placed& one : same) {
            const Beside state = state_of(one.node);
            const std::vector<TimeNs>& of_state = state == Beside::nothing ? alone : beside;
            // Of peers in another state it is an estimate what they would take in this one.
            const bool enough = state != Beside::partly && !of_state.empty() && 2 * of_state.size() > same.size();
            if (states_differ && !enough)
                estimated_[one.node] = 1;
            const std::vector<TimeNs>& alike = states_differ && enough ? of_state : values;
            const TimeNs expected = fast.size() < 2     ? middle_median_of_others(alike, one.value)
                                    : is_fast(one.node) ? middle_median_of_others(fast, one.value)
                                                        : std::llround(middle_of_sorted(fast));
            if (one.before) {
                result_.expected_before[one.node] = expected;
                continue;
            }
            result_.expected[one.node] =
                even_.empty() ? expected : std::llround(static_cast<double>(expected) / even_[one.node]);
        }
    }

    [[nodiscard]] Beside state_of(std::uint32_t n) const {
        return beside_.empty() ? Beside::nothing : beside_by_share(beside_[n]);
    }

    /// Of the values of a place those of one state, ascending.
    [[nodiscard]] std::vector<TimeNs> values_of(Beside state, std::span<const Placed> same) const {
        std::vector<TimeNs> values;
        for (const Placed& one : same)
            if (state_of(one.node) == state)
                values.push_back(one.value);
        std::ranges::sort(values);
        return values;
    }

    /// Computation that no peer ran in the same state differs from theirs as far as both tell: the estimate of what it
    /// would take in their state, and the rank's other kernels of that name in the step (on median), where these are
    /// enough.
    void compare_by_ratio() {
        if (std::ranges::find(estimated_, 1) == estimated_.end())
            return;
        tbb::parallel_for(std::size_t{0}, run_.ranks.size(), [&](std::size_t r) {
            PlaceMap<std::uint64_t, std::vector<double>> ratios; // to what is expected, by step and name
            const auto key = [&](std::uint32_t n) {
                return std::uint64_t{graph_.step[n]} << 32 | run_.ranks[r]->events.name[graph_.event[n]];
            };
            const auto has_expected = [&](std::uint32_t n) {
                return graph_.kind[n] == NodeKind::compute && result_.expected[n] > 0 && surplus_[n] == 0;
            };
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n)
                if (has_expected(n) && estimated_[n] == 0)
                    ratios[key(n)].push_back(static_cast<double>(graph_.times.duration[n]) /
                                             static_cast<double>(result_.expected[n]));
            PlaceMap<std::uint64_t, double> usual_ratio;
            for (auto& [of, values] : ratios)
                if (values.size() >= kFewestForRatio)
                    usual_ratio[of] = middle_median(std::move(values));
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n)
                if (has_expected(n) && estimated_[n] != 0)
                    if (const auto ratio = usual_ratio.find(key(n)); ratio != usual_ratio.end() && ratio->second > 0) {
                        const TimeNs duration = graph_.times.duration[n];
                        const TimeNs by_ratio = std::llround(static_cast<double>(duration) / ratio->second);
                        const auto [least, most] = std::minmax(result_.expected[n], by_ratio);
                        result_.expected[n] = std::clamp(duration, least, most);
                    }
        });
    }

    const Run& run_;
    const StepGraph& graph_;
    const KernelsInPlace& in_place_;
    std::span<const double> even_;
    std::span<const float> beside_;
    PeerTimes& result_;
    std::mutex mutex_;
    std::vector<Computed> sums_;                                 ///< per rank
    std::set<RankStep> slow_;                                    ///< of find_slow_steps()
    std::vector<bool> fast_;                                     ///< per rank; where two_speeds
    std::map<std::int64_t, std::vector<std::uint32_t>> members_; ///< by step number: ranks of each class that have it
    std::vector<char> surplus_;                                  ///< written by several threads, so no bits
    std::vector<char> estimated_; ///< likewise: computation whose peers were not in its state
};

/// The first step of every rank, one after the other.
std::vector<const GraphStep*> first_steps(const StepGraph& graph) {
    std::vector<const GraphStep*> first;
    for (const GraphStep& step : graph.steps)
        if (graph.profiler_steps && step.begin != kNoNode && (first.empty() || first.back()->rank != step.rank))
            first.push_back(&step);
    return first;
}

TimeNs earliest_begin(const StepGraph& graph) {
    TimeNs earliest = std::numeric_limits<TimeNs>::max();
    for (const GraphStep* step : first_steps(graph))
        earliest = std::min(earliest, graph.start[step->begin]);
    return earliest;
}

/// Ranks whose recordings start with the same step.
void compare_begins(const StepGraph& graph, PeerTimes& result) {
    const TimeNs earliest = earliest_begin(graph);
    std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<TimeNs>> begins; // by class, step number
    const auto key = [&](const GraphStep& step) { return std::pair(result.peer_class[step.rank], step.number); };
    for (const GraphStep* step : first_steps(graph))
        begins[key(*step)].push_back(graph.start[step->begin] - earliest);
    for (auto& [same, times] : begins)
        std::sort(times.begin(), times.end());
    for (const GraphStep* step : first_steps(graph))
        if (const std::vector<TimeNs>& same = begins[key(*step)]; same.size() > 1)
            result.expected[step->begin] = middle_median_of_others(same, graph.start[step->begin] - earliest);
}

} // namespace

PeerTimes peer_times(const Run& run, const StepGraph& graph, const WorkOfSteps& work, const std::vector<int>& stages,
                     const KernelsInPlace& in_place, std::span<const double> even, std::span<const float> beside) {
    count_work("peer_times");
    PeerTimes result;
    static_cast<PeerClasses&>(result) = peer_classes(run, graph, work, stages, in_place, even);
    result.expected.assign(graph.size(), -1);
    result.expected_before.assign(graph.first_node.back(), -1);
    PeerComparison(run, graph, in_place, even, beside, result).run();
    if (result.across_stages)
        drop_uneven_stages(run, graph, result);
    result.as_fast = times_as_fast(run, graph, result.expected);
    if (!result.across_stages) // stages start their steps at different times
        compare_begins(graph, result);
    result.earliest_begin = earliest_begin(graph);
    return result;
}

} // namespace rankscope
