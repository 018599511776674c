// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the work of each rank by how many times its peers' time it takes.
#include "core/analysis/usual/as_fast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/selection/selection.h"
#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

/// Which steps of a rank are of the slower one of two levels, by how many times its peers' time its work takes. All in
/// one where there are no two: where a mean of each does not leave a fifth of the scatter or less. The best cut through
/// values that only scatter leaves more: a third of normal ones, a quarter of evenly spread ones.
std::vector<bool> slower_level(const std::vector<double>& ratios) {
    constexpr double kLeft = 0.2;
    constexpr std::size_t kTells = 4;
    std::vector<bool> slower(ratios.size());
    if (ratios.size() < kTells)
        return slower;
    std::vector<double> sorted = ratios;
    std::ranges::sort(sorted);
    // Sums of the values and of their squares before each place, of values around zero so that little is lost.
    const double middle = sorted[sorted.size() / 2];
    std::vector<double> sums{0};
    std::vector<double> sums_of_squares{0};
    for (const double value : sorted) {
        sums.push_back(sums.back() + (value - middle));
        sums_of_squares.push_back(sums_of_squares.back() + (value - middle) * (value - middle));
    }
    const auto squares = [&](std::size_t first, std::size_t last) {
        const double sum = sums[last] - sums[first];
        return std::max(0.0,
                        sums_of_squares[last] - sums_of_squares[first] - sum * sum / static_cast<double>(last - first));
    };
    double least = kLeft * squares(0, sorted.size());
    double from = std::numeric_limits<double>::infinity();
    for (std::size_t cut = 1; cut < sorted.size(); ++cut)
        if (const double left = squares(0, cut) + squares(cut, sorted.size()); left < least) {
            least = left;
            from = sorted[cut];
        }
    for (std::size_t i = 0; i < ratios.size(); ++i)
        slower[i] = ratios[i] >= from;
    return slower;
}

/// A GPU that becomes slower by and by, as one that is throttled: what a line through the steps says of each of them.
/// Empty where the line leaves more than a tenth of the scatter; two levels are at least a quarter of it from any line.
std::vector<double> line_through(const std::vector<double>& ratios) {
    constexpr double kLeft = 0.1;
    constexpr std::size_t kTells = 5;
    if (ratios.size() < kTells)
        return {};
    const auto count = static_cast<double>(ratios.size());
    const double mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) / count;
    const auto [first, last] = line_ends(ratios);
    std::vector<double> line;
    double left = 0;
    double scatter = 0;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        line.push_back(first + (last - first) * static_cast<double>(i) / (count - 1));
        left += (ratios[i] - line[i]) * (ratios[i] - line[i]);
        scatter += (ratios[i] - mean) * (ratios[i] - mean);
    }
    if (left > kLeft * scatter || std::abs(last - first) < kSameKernel * mean)
        return {};
    return std::min(line.front(), line.back()) > 0 ? line : std::vector<double>{};
}

struct TimeOfPeers {
    TimeNs own = 0;
    TimeNs expected = 0;
    void add(TimeNs time, TimeNs of_peers) {
        own += time;
        expected += of_peers;
    }
    [[nodiscard]] double factor() const { return static_cast<double>(expected) / static_cast<double>(own); }
};

} // namespace

std::vector<TimeNs> times_as_fast(const Run& run, const StepGraph& graph, std::span<const TimeNs> expected) {
    std::vector<TimeNs> result(graph.size(), -1);
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t r) {
        const auto& names = run.ranks[r]->events.name;
        const auto compared = [&](std::uint32_t n) {
            return graph.kind[n] == NodeKind::compute && expected[n] > 0 && graph.times.duration[n] > 0;
        };
        // Steps that only the device marks are none of the graph, and tell all the same when its GPU was slow.
        const RankTrace& trace = *run.ranks[r];
        std::optional<WorkSteps> marked;
        if (!graph.profiler_steps && !trace.steps.empty())
            marked.emplace(trace);
        const auto step_of = [&](std::uint32_t n) {
            if (!marked)
                return graph.profiler_steps ? graph.step[n] : kNoNode;
            const ProfilerStep* const step = marked->of(graph.event[n]);
            return step == nullptr ? kNoNode : static_cast<std::uint32_t>(step - trace.steps.data());
        };
        const auto each = [&](const auto& visit) {
            for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
                if (compared(n))
                    visit(n, step_of(n));
        };
        std::map<std::uint32_t, TimeOfPeers> steps;
        each([&](std::uint32_t n, std::uint32_t step) {
            if (step != kNoNode)
                steps[step].add(graph.times.duration[n], expected[n]);
        });
        std::vector<double> ratios;
        for (const auto& [step, sum] : steps)
            ratios.push_back(1 / sum.factor());
        const std::vector<double> line = line_through(ratios);
        const std::vector<bool> level = line.empty() ? slower_level(ratios) : std::vector<bool>(ratios.size());
        TimeOfPeers all;
        for (const auto& [step, sum] : steps)
            all.add(sum.own, sum.expected);
        PlaceMap<std::uint32_t, std::uint64_t> level_of;
        PlaceMap<std::uint32_t, double> of_mean; // of a step's speed, where that changes by and by
        std::size_t place = 0;
        for (const auto& [step, sum] : steps) {
            level_of[step] = level[place] ? 1 : 0;
            of_mean[step] = line.empty() ? 1 : 1 / (all.factor() * line[place]);
            ++place;
        }
        NumberMap<std::uint64_t, TimeOfPeers> sums; // by name and level
        const auto key = [&](std::uint32_t n, std::uint32_t step) {
            return std::uint64_t{names[graph.event[n]]} << 1 | (step == kNoNode ? 0 : level_of.at(step));
        };
        each(
            [&](std::uint32_t n, std::uint32_t step) { sums[key(n, step)].add(graph.times.duration[n], expected[n]); });
        each([&](std::uint32_t n, std::uint32_t step) {
            result[n] = std::llround(static_cast<double>(graph.times.duration[n]) * sums.at(key(n, step)).factor() *
                                     (step == kNoNode ? 1 : of_mean.at(step)));
        });
    });
    return result;
}

} // namespace rankscope
