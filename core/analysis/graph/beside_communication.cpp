// SPDX-License-Identifier: GPL-3.0-or-later
// Durations beside communication and without it.
#include "core/analysis/graph/beside_communication.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/beside.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {

/// Logarithms of what the same work took, of kernels that ran with communication beside them nearly from start to end,
/// and of those that ran nearly wholly without.
struct BesideCommunication::Times {
    std::vector<double> beside;
    std::vector<double> alone;
};

/// The same work: its name, its launch, what is before and after the row of its name, places before and after in it.
struct BesideCommunication::Place {
    NameId name = 0;
    std::uint32_t launch = 0;
    NameId before = 0;
    NameId after = 0;
    std::size_t from_first = 0;
    std::size_t to_last = 0;
    auto operator<=>(const Place&) const = default;
};

namespace {

constexpr double kLeastError = 0.002; ///< of a slope: recorded times are no more exact
constexpr TimeNs kShortest = 10'000;  ///< shorter kernels are mostly their own start, in traces with whole microseconds
constexpr double kLeastSlowdownBeside = 0.005;
constexpr double kMostSlowdown = 3;
constexpr double kOneSize = 0.1; ///< deviation of the durations of one work alone: products of several sizes differ by
                                 ///< more, and beside communication a kernel may need another wave of blocks or not
constexpr double kOfMedian = 1.2533; ///< standard error of a median, by that of a mean
constexpr NameId kNoName = ~NameId{0};

/// When communication kernels are on the GPU: ranges that do not touch, ascending.
template <typename StartOf, typename EndOf>
std::vector<TimeRange> covered(const StepGraph& graph, const std::vector<std::uint32_t>& communication,
                               const StartOf& start_of, const EndOf& end_of) {
    std::vector<TimeRange> ranges;
    ranges.reserve(communication.size());
    for (const std::uint32_t node : communication) {
        const std::uint32_t transfer = graph.transfer_of[node];
        ranges.push_back({start_of(node), end_of(transfer == kNoNode ? node : transfer)});
    }
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].begin <= ranges[kept].end)
            ranges[kept].end = std::max(ranges[kept].end, ranges[i].end);
        else
            ranges[++kept] = ranges[i];
    ranges.resize(ranges.empty() ? 0 : kept + 1);
    return ranges;
}

/// Share of the range that they cover.
double share_covered(const std::vector<TimeRange>& ranges, TimeRange range) {
    return range.empty() ? 0 : static_cast<double>(covered(ranges, range)) / static_cast<double>(range.length());
}

/// robust_deviation(); 0 of few values.
double deviation(std::vector<double> values) {
    constexpr std::size_t kFew = 3;
    return values.size() < kFew ? 0 : robust_deviation(std::move(values));
}

/// The logarithm of how many times as long beside communication as alone.
struct Slowdown {
    double slope = 0;
    double error = 0; ///< standard error
};

/// Draws each slope to the mean of all, the more the less sure it is and the less they differ: what a normal
/// distribution of slopes makes of it (DerSimonian and Laird, Meta-analysis in clinical trials, 1986, for how they
/// differ). Of many kernels, one that scatters stands out by chance, and another hides what all the others show.
void draw_together(std::vector<Slowdown>& slowdowns) {
    double weights = 0;
    double squares = 0;
    double sum = 0;
    for (const Slowdown& one : slowdowns) {
        const double weight = 1 / (one.error * one.error);
        weights += weight;
        squares += weight * weight;
        sum += weight * one.slope;
    }
    double apart = 0; // of slopes from their mean, in squares of their errors
    for (const Slowdown& one : slowdowns)
        apart += std::pow((one.slope - sum / weights) / one.error, 2);
    const double variance =
        std::max(0.0, (apart - static_cast<double>(slowdowns.size() - 1)) / (weights - squares / weights));
    weights = 0;
    sum = 0;
    for (const Slowdown& one : slowdowns) {
        const double weight = 1 / (one.error * one.error + variance);
        weights += weight;
        sum += weight * one.slope;
    }
    for (Slowdown& one : slowdowns) {
        const double own = variance / (variance + one.error * one.error);
        one.slope = own * one.slope + (1 - own) * sum / weights;
        one.error = std::sqrt(own * one.error * one.error + (1 - own) * (1 - own) / weights);
    }
}

/// How much longer they take beside communication; nothing where that does not stand out of their scatter.
double time_lost(const Slowdown& one) {
    const double more = std::exp(one.slope) - 1;
    const bool stands_out = one.slope > kShownErrors * one.error && more >= kLeastSlowdownBeside;
    return stands_out && more + 1 <= kMostSlowdown ? more : 0;
}

} // namespace

/// Of a name: one work in one step after the other, of those seen in both states. Medians, because a kernel that starts
/// before the communication keeps the multiprocessors it has: recorded overlap puts some of either state into the
/// other.
struct BesideCommunication::OfName {
    std::vector<double> differences; ///< of the medians of both states
    std::vector<double> scatter;     ///< of each kernel, from the median of its work in its state
    double inverse_counts = 0;       ///< of the kernels in either state, summed
    std::vector<double> at_places;   ///< likewise, of single places of the step between steps
    std::size_t beside = 0;          ///< kernels
    std::size_t alone = 0;

    void add(const Times& times) {
        beside += times.beside.size();
        alone += times.alone.size();
        if (times.beside.empty() || times.alone.empty())
            return;
        const double middle_beside = add_state(times.beside);
        differences.push_back(middle_beside - add_state(times.alone));
    }
    void add(const OfName& more) {
        differences.insert(differences.end(), more.differences.begin(), more.differences.end());
        scatter.insert(scatter.end(), more.scatter.begin(), more.scatter.end());
        at_places.insert(at_places.end(), more.at_places.begin(), more.at_places.end());
        inverse_counts += more.inverse_counts;
        beside += more.beside;
        alone += more.alone;
    }
    void add_place(const Times& times) {
        if (!times.beside.empty() && !times.alone.empty())
            at_places.push_back(middle_median(times.beside) - middle_median(times.alone));
    }
    /// One launch may serve products of several sizes, of which one always runs beside communication: then places that
    /// are seen in both states take as long in either. A few of them prove nothing where they scatter.
    [[nodiscard]] bool of_several_sizes() const {
        constexpr double kAsLong = 0.25; // of what all together seem to take longer
        if (at_places.size() < kFewestForRatio)
            return false;
        const double error = kOfMedian * deviation(at_places) / std::sqrt(static_cast<double>(at_places.size()));
        return middle_median(at_places) + kShownErrors * error < kAsLong * middle_median(differences);
    }
    /// differences: not empty.
    [[nodiscard]] Slowdown slowdown() const {
        const auto count = static_cast<double>(differences.size());
        const double of_kernels = kOfMedian * deviation(scatter) * std::sqrt(inverse_counts / count); // of one work
        return {middle_median(differences),
                std::max(kLeastError, std::max(of_kernels, deviation(differences)) / std::sqrt(count))};
    }

private:
    /// Their median.
    double add_state(const std::vector<double>& state) {
        const double middle = middle_median(state);
        for (const double time : state)
            scatter.push_back(time - middle);
        inverse_counts += 1 / static_cast<double>(state.size());
        return middle;
    }
};

BesideCommunication::BesideCommunication(const Run& run, const StepGraph& graph) : ranks_(run.ranks.size()) {
    std::vector<std::map<NameId, OfName>> of_rank(ranks_.size());
    tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) { of_rank[r] = sample(run, graph, r); });
    std::map<NameId, OfName> by_name;
    for (const auto& names : of_rank)
        for (const auto& [name, own] : names)
            by_name[name].add(own);
    std::vector<Slowdown> slowdowns;
    std::vector<SlowedKernel> measured;
    for (const auto& [name, all] : by_name) {
        if (all.beside < kFewestForRatio || all.alone < kFewestForRatio || all.differences.empty() ||
            all.of_several_sizes())
            continue;
        const Slowdown slowdown = all.slowdown();
        if (std::abs(slowdown.slope) > std::log(kMostSlowdown))
            continue;
        slowdowns.push_back(slowdown);
        measured.push_back({name, 1, all.beside, all.alone});
    }
    if (slowdowns.size() > 1)
        draw_together(slowdowns);
    std::map<NameId, float> lost;
    for (std::size_t i = 0; i < slowdowns.size(); ++i)
        if (const double more = time_lost(slowdowns[i]); more > 0) {
            kernels_.push_back(measured[i]);
            kernels_.back().factor = 1 + more;
            lost[measured[i].name] = static_cast<float>(more / (1 + more));
        }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
        for (Node& node : ranks_[r].nodes) {
            const auto found = lost.find(run.ranks[r]->events.name[graph.event[node.node]]);
            node.lost = found == lost.end() || graph.times.duration[node.node] < kShortest ? 0 : found->second;
        }
        std::erase_if(ranks_[r].nodes, [](const Node& node) { return node.lost <= 0; });
    }
}

namespace {

std::vector<std::uint32_t> communication_of(const StepGraph& graph, std::size_t rank) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n) {
        const NodeKind kind = graph.kind[n];
        if (kind == NodeKind::arrival || kind == NodeKind::message || kind == NodeKind::lone_communication)
            nodes.push_back(n);
    }
    return nodes;
}

std::vector<TimeRange> covered_as_recorded(const StepGraph& graph, const std::vector<std::uint32_t>& communication) {
    return covered(
        graph, communication, [&](std::uint32_t n) { return graph.start[n]; },
        [&](std::uint32_t n) { return graph.end(n); });
}

} // namespace

std::vector<float> overlap_with_communication(const StepGraph& graph) {
    std::vector<float> overlap(graph.size());
    tbb::parallel_for(std::size_t{0}, graph.first_gpu_node.size(), [&](std::size_t r) {
        const std::vector<TimeRange> ranges = covered_as_recorded(graph, communication_of(graph, r));
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1] && !ranges.empty(); ++n)
            if (graph.kind[n] == NodeKind::compute)
                overlap[n] = static_cast<float>(share_covered(ranges, {graph.start[n], graph.end(n)}));
    });
    return overlap;
}

std::map<NameId, BesideCommunication::OfName> BesideCommunication::sample(const Run& run, const StepGraph& graph,
                                                                          std::size_t r) {
    const RankTrace& trace = *run.ranks[r];
    Rank& rank = ranks_[r];
    rank.communication = communication_of(graph, r);
    std::map<NameId, OfName> result;
    if (rank.communication.empty())
        return result;
    const std::vector<TimeRange> ranges = covered_as_recorded(graph, rank.communication);
    PlaceSet<NameId> seen_beside;
    for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
        if (graph.kind[n] != NodeKind::compute || graph.times.duration[n] <= 0)
            continue;
        rank.nodes.push_back({n, 0, static_cast<float>(share_covered(ranges, {graph.start[n], graph.end(n)}))});
        if (beside_by_share(rank.nodes.back().recorded) == Beside::wholly)
            seen_beside.insert(trace.events.name[graph.event[n]]);
    }
    // The same work: a kernel and its launch between the same two neighbours; among several of its name that follow
    // each other the same place. One name serves products of many sizes.
    const auto name_at = [&](std::size_t i) {
        return i < rank.nodes.size() ? trace.events.name[graph.event[rank.nodes[i].node]] : kNoName;
    };
    constexpr std::size_t kPlaces = 4; // further inside a row of them all are alike
    std::vector<std::pair<std::size_t, std::size_t>> rows(rank.nodes.size()); // of its name: first, one past the last
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].first = i > 0 && name_at(i) == name_at(i - 1) ? rows[i - 1].first : i;
    for (std::size_t i = rows.size(); i-- > 0;)
        rows[i].second = name_at(i) == name_at(i + 1) ? rows[i + 1].second : i + 1;
    std::map<std::pair<std::uint32_t, Place>, std::vector<std::size_t>> places; // by step
    for (std::size_t i = 0; i < rank.nodes.size(); ++i) {
        const std::uint32_t node = rank.nodes[i].node;
        if (graph.times.duration[node] < kShortest || !seen_beside.contains(name_at(i)))
            continue;
        const std::uint32_t launch = trace.gpu.launch_shape.empty() ? 0 : trace.gpu.launch_shape[graph.event[node]];
        const auto [begin, end] = rows[i];
        places[{graph.step[node],
                {name_at(i), launch, begin == 0 ? kNoName : name_at(begin - 1), name_at(end),
                 std::min(kPlaces, i - begin), std::min(kPlaces, end - 1 - i)}}]
            .push_back(i);
    }
    std::map<std::pair<Place, std::size_t>, Times> between_steps; // which of its work in the step
    for (const auto& [of_step, same] : places) {
        Times times;
        for (std::size_t i = 0; i < same.size(); ++i) {
            const Node& node = rank.nodes[same[i]];
            const Beside state = beside_by_share(node.recorded);
            if (state == Beside::partly)
                continue;
            const double time = std::log(static_cast<double>(graph.times.duration[node.node]));
            for (Times* of : {&times, &between_steps[{of_step.second, i}]})
                (state == Beside::wholly ? of->beside : of->alone).push_back(time);
        }
        if (deviation(times.alone) <= kOneSize)
            result[of_step.second.name].add(times);
    }
    for (const auto& [place, times] : between_steps)
        if (const auto found = result.find(place.first.name); found != result.end())
            found->second.add_place(times);
    return result;
}

std::vector<double> BesideCommunication::comparable(const StepGraph& graph, const std::vector<double>& even) const {
    if (empty())
        return even;
    std::vector<double> factor = even.empty() ? std::vector<double>(graph.size(), 1) : even;
    for (const Rank& rank : ranks_)
        for (const Node& node : rank.nodes)
            factor[node.node] *= 1 - static_cast<double>(node.lost) * static_cast<double>(node.recorded);
    return factor;
}

std::vector<float> BesideCommunication::shares(const StepGraph& graph) const {
    std::vector<float> shares(graph.size());
    for (const Rank& rank : ranks_)
        for (const Node& node : rank.nodes)
            shares[node.node] = node.recorded;
    return shares;
}

void BesideCommunication::adapt(const StepGraph& graph, const ReplayedTimes& replayed, const GraphTimes& base,
                                GraphTimes& times) const {
    for (const Rank& rank : ranks_) {
        if (rank.nodes.empty())
            continue;
        const std::vector<TimeRange> ranges = covered(
            graph, rank.communication, [&](std::uint32_t n) { return replayed.start(n); },
            [&](std::uint32_t n) { return replayed.end(n); });
        for (const Node& node : rank.nodes) {
            const double share = share_covered(ranges, {replayed.start(node.node), replayed.end(node.node)});
            const double lost = node.lost;
            const double ratio = (1 - lost * node.recorded) / (1 - lost * share);
            times.duration[node.node] = std::llround(static_cast<double>(base.duration[node.node]) * ratio);
        }
    }
}

} // namespace rankscope
