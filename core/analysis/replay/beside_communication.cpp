// SPDX-License-Identifier: GPL-3.0-or-later
// Durations beside communication and without it.
#include "core/analysis/replay/beside_communication.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_set>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/robust_deviation.h"
#include "core/base/statistics.h"

namespace rankscope {

/// What a kernel took, and how much of it lay beside communication; both less the mean of the same work on the same
/// rank in the same step.
struct BesideCommunication::Samples {
    struct One {
        double share = 0;
        double time = 0; ///< logarithm
    };
    std::vector<One> list;
    std::size_t beside = 0;
    std::size_t alone = 0;
};

namespace {

constexpr double kBeside = 0.5;       ///< of its duration: more beside communication than alone
constexpr std::size_t kFewest = 5;    ///< samples of either kind
constexpr double kStandardErrors = 3; ///< by which the slope differs from none at least
constexpr double kOutlier = 4;        ///< standard deviations from the line: something else happened
constexpr TimeNs kShortest = 10'000;  ///< shorter kernels are mostly their own start, in traces with whole microseconds
constexpr double kLeastSlowdown = 0.005;
constexpr double kMostSlowdown = 3;
constexpr double kOneSize = 0.1; ///< deviation of the durations of one work, beside communication or alone: products of
                                 ///< several sizes differ by more
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
    if (range.empty())
        return 0;
    TimeNs sum = 0;
    for (auto at = std::ranges::upper_bound(ranges, range.begin, {}, &TimeRange::end);
         at != ranges.end() && at->begin < range.end; ++at)
        sum += std::min(at->end, range.end) - std::max(at->begin, range.begin);
    return static_cast<double>(sum) / static_cast<double>(range.length());
}

/// The line through the origin: the logarithm of how many times as long beside communication as alone.
struct Line {
    double slope = 0;
    double error = 0;     ///< standard error of the slope
    double deviation = 0; ///< of samples from the line
};

template <typename Sample>
Line fitted(const std::vector<Sample>& samples) {
    double xx = 0;
    double xy = 0;
    for (const Sample& one : samples) {
        xx += one.share * one.share;
        xy += one.share * one.time;
    }
    if (xx <= 0)
        return {};
    Line line{xy / xx};
    double squares = 0;
    for (const Sample& one : samples)
        squares += std::pow(one.time - line.slope * one.share, 2);
    line.deviation = std::sqrt(squares / static_cast<double>(samples.size()));
    line.error = line.deviation / std::sqrt(xx);
    return line;
}

/// robust_deviation(); 0 of few values.
double deviation(std::vector<double> values) {
    constexpr std::size_t kFew = 3;
    return values.size() < kFew ? 0 : robust_deviation(std::move(values));
}

/// How much longer they take beside communication; nothing where that does not stand out of their scatter.
template <typename Sample>
double slowdown(std::vector<Sample> samples) {
    Line line = fitted(samples);
    std::erase_if(samples, [&](const Sample& one) {
        return std::abs(one.time - line.slope * one.share) > kOutlier * line.deviation;
    });
    line = fitted(samples);
    const double more = std::exp(line.slope) - 1;
    const bool stands_out = line.slope > kStandardErrors * line.error && more >= kLeastSlowdown;
    return stands_out && more + 1 <= kMostSlowdown ? more : 0;
}

} // namespace

BesideCommunication::BesideCommunication(const Run& run, const StepGraph& graph) : ranks_(run.ranks.size()) {
    std::vector<std::map<NameId, Samples>> of_rank(ranks_.size());
    tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) { of_rank[r] = sample(run, graph, r); });
    std::map<NameId, Samples> by_name;
    for (std::map<NameId, Samples>& of_one : of_rank)
        for (auto& [name, samples] : of_one) {
            Samples& all = by_name[name];
            all.list.insert(all.list.end(), samples.list.begin(), samples.list.end());
            all.beside += samples.beside;
            all.alone += samples.alone;
        }
    std::map<NameId, float> lost;
    for (const auto& [name, samples] : by_name) {
        if (samples.beside < kFewest || samples.alone < kFewest)
            continue;
        if (const double more = slowdown(samples.list); more > 0) {
            kernels_.push_back({name, 1 + more, samples.beside, samples.alone});
            lost[name] = static_cast<float>(more / (1 + more));
        }
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
        for (Node& node : ranks_[r].nodes) {
            const auto found = lost.find(run.ranks[r]->events.name[graph.event[node.node]]);
            node.lost = found == lost.end() || graph.times.duration[node.node] < kShortest ? 0 : found->second;
        }
        std::erase_if(ranks_[r].nodes, [](const Node& node) { return node.lost <= 0; });
    }
}

std::map<NameId, BesideCommunication::Samples> BesideCommunication::sample(const Run& run, const StepGraph& graph,
                                                                           std::size_t r) {
    const RankTrace& trace = *run.ranks[r];
    Rank& rank = ranks_[r];
    for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
        const NodeKind kind = graph.kind[n];
        if (kind == NodeKind::arrival || kind == NodeKind::message || kind == NodeKind::lone_communication)
            rank.communication.push_back(n);
    }
    if (rank.communication.empty())
        return {};
    const std::vector<TimeRange> ranges = covered(
        graph, rank.communication, [&](std::uint32_t n) { return graph.start[n]; },
        [&](std::uint32_t n) { return graph.end(n); });
    std::unordered_set<NameId> seen_beside;
    for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
        if (graph.kind[n] != NodeKind::compute || graph.times.duration[n] <= 0)
            continue;
        rank.nodes.push_back({n, 0, static_cast<float>(share_covered(ranges, {graph.start[n], graph.end(n)}))});
        if (rank.nodes.back().recorded >= kBeside)
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
    // Step, name, launch, what is before and after the row, places before and after in it.
    using Place = std::tuple<std::uint32_t, NameId, std::uint32_t, NameId, NameId, std::size_t, std::size_t>;
    std::map<Place, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < rank.nodes.size(); ++i) {
        const std::uint32_t node = rank.nodes[i].node;
        if (graph.times.duration[node] < kShortest || !seen_beside.contains(name_at(i)))
            continue;
        const std::uint32_t shape = trace.gpu.launch_shape.empty() ? 0 : trace.gpu.launch_shape[graph.event[node]];
        const auto [begin, end] = rows[i];
        places[{graph.step[node], name_at(i), shape, begin == 0 ? kNoName : name_at(begin - 1), name_at(end),
                std::min(kPlaces, i - begin), std::min(kPlaces, end - 1 - i)}]
            .push_back(i);
    }
    std::map<NameId, Samples> by_name;
    for (const auto& [place, same] : places) {
        Samples::One mean;
        const auto sample_of = [&](std::size_t i) {
            return Samples::One{rank.nodes[i].recorded,
                                std::log(static_cast<double>(graph.times.duration[rank.nodes[i].node]))};
        };
        const auto is_one_size = [&](bool beside) {
            std::vector<double> times;
            for (const std::size_t i : same)
                if ((rank.nodes[i].recorded >= kBeside) == beside)
                    times.push_back(sample_of(i).time);
            return deviation(std::move(times)) <= kOneSize;
        };
        if (!is_one_size(false) || !is_one_size(true))
            continue;
        for (const std::size_t i : same) {
            mean.share += sample_of(i).share / static_cast<double>(same.size());
            mean.time += sample_of(i).time / static_cast<double>(same.size());
        }
        Samples& all = by_name[std::get<1>(place)];
        for (const std::size_t i : same) {
            const Samples::One one = sample_of(i);
            ++(one.share >= kBeside ? all.beside : all.alone);
            all.list.push_back({one.share - mean.share, one.time - mean.time});
        }
    }
    return by_name;
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
