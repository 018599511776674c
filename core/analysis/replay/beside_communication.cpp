// SPDX-License-Identifier: GPL-3.0-or-later
// Durations beside communication and without it.
#include "core/analysis/replay/beside_communication.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/robust_deviation.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {

/// What a kernel took, and how much of it lay beside communication; both less the mean of the same work on the same
/// rank in the same step.
struct BesideCommunication::Sample {
    double share = 0;
    double time = 0; ///< logarithm
};

/// A kernel's place in the step: its name, its launch, what is before and after the row of its name, places before and
/// after in it; which of all such kernels of the step, and of how many.
struct BesideCommunication::Place {
    NameId name = 0;
    std::uint32_t launch = 0;
    NameId before = 0;
    NameId after = 0;
    std::size_t from_first = 0;
    std::size_t to_last = 0;
    std::size_t number = 0;
    std::size_t of = 0;
    auto operator<=>(const Place&) const = default;
};

namespace {

constexpr double kBeside = 0.5;       ///< of its duration: more beside communication than alone
constexpr std::size_t kFewest = 5;    ///< samples of either kind
constexpr double kStandardErrors = 3; ///< by which the slope differs from none at least
constexpr double kLeastError = 0.002; ///< of a slope: recorded times are no more exact
constexpr double kOutlierBeside = 4;  ///< standard deviations from the line: something else happened
constexpr TimeNs kShortest = 10'000;  ///< shorter kernels are mostly their own start, in traces with whole microseconds
constexpr double kLeastSlowdownBeside = 0.005;
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
    return range.empty() ? 0 : static_cast<double>(covered(ranges, range)) / static_cast<double>(range.length());
}

/// The line through the origin: the logarithm of how many times as long beside communication as alone.
struct Line {
    double slope = 0;
    double error = 0;     ///< standard error of the slope
    double deviation = 0; ///< of samples from the line
};

/// means: how many were taken off the samples.
template <typename Sample>
Line fitted(const std::vector<Sample>& samples, std::size_t means) {
    double xx = 0;
    double xy = 0;
    for (const Sample& one : samples) {
        xx += one.share * one.share;
        xy += one.share * one.time;
    }
    if (xx <= 0 || samples.size() <= means + 1)
        return {};
    Line line{xy / xx};
    double squares = 0;
    for (const Sample& one : samples)
        squares += std::pow(one.time - line.slope * one.share, 2);
    line.deviation = std::sqrt(squares / static_cast<double>(samples.size() - means - 1));
    line.error = line.deviation / std::sqrt(xx);
    return line;
}

/// robust_deviation(); 0 of few values.
double deviation(std::vector<double> values) {
    constexpr std::size_t kFew = 3;
    return values.size() < kFew ? 0 : robust_deviation(std::move(values));
}

template <typename Sample>
Sample mean_of(const std::vector<Sample>& samples) {
    Sample mean;
    for (const Sample& one : samples) {
        mean.share += one.share / static_cast<double>(samples.size());
        mean.time += one.time / static_cast<double>(samples.size());
    }
    return mean;
}

/// Without samples far from it.
template <typename Deviations>
Line fitted(Deviations deviations) {
    auto& [samples, means] = deviations;
    const Line line = fitted(samples, means);
    std::erase_if(samples, [&](const auto& one) {
        return std::abs(one.time - line.slope * one.share) > kOutlierBeside * line.deviation;
    });
    return fitted(samples, means);
}

/// The line of one name. A persistent kernel has one launch for products of all sizes, and those of one size may always
/// run beside communication: where single places of the step contradict the comparison inside a step, or tell it more
/// surely, they are right. What sets the calls of a step apart is the same in each step, which makes the comparison
/// inside steps less sure than its samples are many (the design effect: Kish, Survey Sampling, 1965).
template <typename Deviations>
Line line_of(const Deviations& in_steps, const Deviations& at_places) {
    Line line = fitted(in_steps);
    const Line of_places = fitted(at_places);
    if (of_places.error <= 0)
        return line;
    if (of_places.deviation < line.deviation) {
        const double steps = static_cast<double>(at_places.samples.size()) / static_cast<double>(at_places.means);
        const double alike = 1 - std::pow(of_places.deviation / line.deviation, 2);
        line.error *= std::sqrt(1 + (steps - 1) * alike);
    }
    const double apart = std::abs(line.slope - of_places.slope);
    const bool contradicted = apart > kStandardErrors * std::hypot(line.error, of_places.error);
    return contradicted || of_places.error < line.error ? of_places : line;
}

/// Draws each slope to the mean of all, the more the less sure it is and the less they differ: what a normal
/// distribution of slopes makes of it (DerSimonian and Laird, Meta-analysis in clinical trials, 1986, for how they
/// differ). Of many kernels, one that scatters stands out by chance, and another hides what all the others show.
void draw_together(std::vector<Line>& lines) {
    double weights = 0;
    double squares = 0;
    double sum = 0;
    for (const Line& line : lines) {
        const double weight = 1 / (line.error * line.error);
        weights += weight;
        squares += weight * weight;
        sum += weight * line.slope;
    }
    double apart = 0; // of slopes from their mean, in squares of their errors
    for (const Line& line : lines)
        apart += std::pow((line.slope - sum / weights) / line.error, 2);
    const double variance =
        std::max(0.0, (apart - static_cast<double>(lines.size() - 1)) / (weights - squares / weights));
    weights = 0;
    sum = 0;
    for (const Line& line : lines) {
        const double weight = 1 / (line.error * line.error + variance);
        weights += weight;
        sum += weight * line.slope;
    }
    for (Line& line : lines) {
        const double own = variance / (variance + line.error * line.error);
        line.slope = own * line.slope + (1 - own) * sum / weights;
        line.error = std::sqrt(own * line.error * line.error + (1 - own) * (1 - own) / weights);
    }
}

/// How much longer they take beside communication; nothing where that does not stand out of their scatter.
double slowdown(const Line& line) {
    const double more = std::exp(line.slope) - 1;
    const bool stands_out = line.slope > kStandardErrors * line.error && more >= kLeastSlowdownBeside;
    return stands_out && more + 1 <= kMostSlowdown ? more : 0;
}

} // namespace

bool are_as_slow(std::span<const SlowedKernel> a, std::span<const SlowedKernel> b) {
    constexpr double kSame = 0.001;
    return std::ranges::equal(a, b, [](const SlowedKernel& one, const SlowedKernel& other) {
        return one.name == other.name && std::abs(one.factor - other.factor) < kSame;
    });
}

/// Less the mean of those that are compared with each other.
struct BesideCommunication::Deviations {
    std::vector<Sample> samples;
    std::size_t means = 0;

    void add(const std::vector<Sample>& same) {
        const Sample mean = mean_of(same);
        ++means;
        for (const Sample& one : same)
            samples.push_back({one.share - mean.share, one.time - mean.time});
    }
};

struct BesideCommunication::OfRank {
    std::map<NameId, std::size_t> work; ///< kernels by name: ranks with the same ones do the same
    std::map<NameId, Deviations> in_steps;
    std::map<Place, std::vector<Sample>> samples; ///< less the mean of the same work in the step
    std::map<NameId, std::size_t> beside;
    std::map<NameId, std::size_t> alone;
};

BesideCommunication::BesideCommunication(const Run& run, const StepGraph& graph, std::span<const double> lengths)
    : ranks_(run.ranks.size()) {
    std::vector<OfRank> of_rank(ranks_.size());
    tbb::parallel_for(std::size_t{0}, ranks_.size(),
                      [&](std::size_t r) { of_rank[r] = sample(run, graph, lengths, r); });
    // Places are compared between steps and ranks that do the same.
    std::map<std::map<NameId, std::size_t>, std::map<Place, std::vector<Sample>>> of_work;
    struct OfName {
        Deviations in_steps;
        Deviations at_places;
        std::size_t beside = 0;
        std::size_t alone = 0;
    };
    std::map<NameId, OfName> by_name;
    for (OfRank& own : of_rank) {
        auto& all = of_work[std::move(own.work)];
        for (auto& [place, samples] : own.samples) {
            std::vector<Sample>& same = all[place];
            same.insert(same.end(), samples.begin(), samples.end());
        }
        for (const auto& [name, deviations] : own.in_steps) {
            OfName& of_name = by_name[name];
            of_name.in_steps.means += deviations.means;
            of_name.in_steps.samples.insert(of_name.in_steps.samples.end(), deviations.samples.begin(),
                                            deviations.samples.end());
            of_name.beside += own.beside[name];
            of_name.alone += own.alone[name];
        }
    }
    for (const auto& [work, places] : of_work)
        for (const auto& [place, samples] : places)
            if (samples.size() > 1)
                by_name[place.name].at_places.add(samples);
    std::vector<Line> lines;
    std::vector<SlowedKernel> measured;
    for (const auto& [name, all] : by_name) {
        if (all.beside < kFewest || all.alone < kFewest)
            continue;
        Line line = line_of(all.in_steps, all.at_places);
        const double most = std::log(kMostSlowdown);
        if (line.error <= 0 || std::abs(line.slope) > most)
            continue;
        line.error = std::clamp(line.error, kLeastError, most);
        lines.push_back(line);
        measured.push_back({name, 1, all.beside, all.alone});
    }
    if (lines.size() > 1)
        draw_together(lines);
    std::map<NameId, float> lost;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (const double more = slowdown(lines[i]); more > 0) {
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

BesideCommunication::OfRank BesideCommunication::sample(const Run& run, const StepGraph& graph,
                                                        std::span<const double> lengths, std::size_t r) {
    const RankTrace& trace = *run.ranks[r];
    Rank& rank = ranks_[r];
    for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
        const NodeKind kind = graph.kind[n];
        if (kind == NodeKind::arrival || kind == NodeKind::message || kind == NodeKind::lone_communication)
            rank.communication.push_back(n);
    }
    OfRank result;
    if (rank.communication.empty())
        return result;
    const std::vector<TimeRange> ranges = covered(
        graph, rank.communication, [&](std::uint32_t n) { return graph.start[n]; },
        [&](std::uint32_t n) { return graph.end(n); });
    PlaceSet<NameId> seen_beside;
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
    std::map<std::pair<std::uint32_t, Place>, std::vector<std::size_t>> places; // by step
    for (std::size_t i = 0; i < rank.nodes.size(); ++i) {
        ++result.work[name_at(i)];
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
    for (const auto& [of_step, same] : places) {
        std::vector<Sample> samples;
        std::vector<double> times_beside;
        std::vector<double> times_alone;
        for (const std::size_t i : same) {
            const std::uint32_t node = rank.nodes[i].node;
            const double length = lengths.empty() ? 1 : lengths[node];
            samples.push_back(
                {rank.nodes[i].recorded, std::log(static_cast<double>(graph.times.duration[node]) / length)});
            (samples.back().share >= kBeside ? times_beside : times_alone).push_back(samples.back().time);
        }
        Place place = of_step.second;
        const std::size_t beside = times_beside.size();
        const std::size_t alone = times_alone.size();
        if (deviation(std::move(times_beside)) <= kOneSize && deviation(std::move(times_alone)) <= kOneSize) {
            result.beside[place.name] += beside;
            result.alone[place.name] += alone;
            result.in_steps[place.name].add(samples);
        }
        const Sample mean = mean_of(samples);
        place.of = samples.size();
        for (place.number = 0; place.number < place.of; ++place.number)
            result.samples[place].push_back(
                {samples[place.number].share - mean.share, samples[place.number].time - mean.time});
    }
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
