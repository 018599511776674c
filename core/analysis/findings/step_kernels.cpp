// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels take in the usual and in the slower steps, by kind: the mean of a rank and step.
#include "core/analysis/findings/step_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace rankscope {
namespace {

constexpr double kAsManyKernels = 0.02;
constexpr double kAlikeKinds = 0.02; ///< difference of two ratios
constexpr double kOneKind = 0.7;     ///< of what computation takes longer
constexpr int kNeither = 2;          ///< neither usual nor raised

/// Of each step of the series: 0 is usual, 1 raised, or kNeither.
std::vector<int> sides_of_steps(const SeriesOfSteps& series, const RaisedLevel& level) {
    const std::size_t n = series.numbers.size();
    const auto side_of_step = [&](std::size_t i) {
        if (level.outlier[i])
            return kNeither;
        if (!level.gradual)
            return i >= level.first && i <= level.last ? 1 : 0;
        const bool first_third = 3 * i < n;
        const bool last_third = 3 * (i + 1) > 2 * n;
        return first_third ? 0 : last_third ? 1 : kNeither;
    };
    std::vector<int> side;
    for (std::size_t i = 0; i < n; ++i)
        side.push_back(side_of_step(i));
    return side;
}

/// Index of the rank's step that the kernel is in; the number of its steps or more: none.
std::size_t step_of_kernel(const FindingContext& c, std::uint32_t r, std::uint32_t node) {
    if (c.graph.profiler_steps)
        return c.graph.step[node];
    const std::vector<TimeRange>& windows = c.inputs.steps.windows[r];
    const TimeNs start = c.graph.clock.recorded(r, c.graph.start[node]);
    const auto after = std::ranges::upper_bound(windows, start, {}, &TimeRange::begin);
    return after == windows.begin() || !std::prev(after)->contains(start)
               ? windows.size()
               : static_cast<std::size_t>(std::prev(after) - windows.begin());
}

/// Kernels that compute, in the usual steps [0] and in the raised ones [1]; of a gradual change in its first and its
/// last third.
struct KernelSums {
    double time[2] = {0, 0};
    double count[2] = {0, 0};
    [[nodiscard]] double ratio() const { return time[0] > 0 ? time[1] / time[0] : 1; }
    [[nodiscard]] double growth() const { return time[1] - time[0]; }
};

std::map<ComputeKind, KernelSums> kernel_sums(const FindingContext& c, const SeriesOfSteps& series,
                                              const RaisedLevel& level, const std::set<std::size_t>& only_ranks) {
    const std::vector<int> side = sides_of_steps(series, level);
    std::map<ComputeKind, KernelSums> kinds;
    double ranks = 0;
    for (std::uint32_t r = 0; r < series.place.size(); ++r) {
        if (series.place[r].empty() || (!only_ranks.empty() && !only_ranks.contains(r)))
            continue;
        ++ranks;
        std::vector<int> side_of(c.inputs.steps.windows[r].size(), kNeither);
        for (std::size_t i = 0; i < side.size(); ++i)
            side_of[series.place[r][i]] = side[i];
        const RankTrace& trace = *c.inputs.run.ranks[r];
        std::map<NameId, ComputeKind> kind_of;
        for (std::uint32_t node = c.graph.first_gpu_node[r]; node < c.graph.first_node[r + 1]; ++node) {
            if (c.graph.kind[node] != NodeKind::compute)
                continue;
            const std::size_t step = step_of_kernel(c, r, node);
            if (step >= side_of.size() || side_of[step] == kNeither)
                continue;
            const NameId name = trace.events.name[c.graph.event[node]];
            const auto [known, added] = kind_of.try_emplace(name);
            if (added)
                known->second = compute_kind(trace.names->view(name));
            KernelSums& sums = kinds[known->second];
            sums.time[side_of[step]] += static_cast<double>(c.graph.times.duration[node]);
            ++sums.count[side_of[step]];
        }
    }
    for (auto& [kind, sums] : kinds)
        for (const int i : {0, 1}) {
            const double rank_steps = std::max(1.0, static_cast<double>(std::ranges::count(side, i)) * ranks);
            sums.time[i] /= rank_steps;
            sums.count[i] /= rank_steps;
        }
    return kinds;
}

} // namespace

KernelWords kernel_words(const FindingContext& c, const SeriesOfSteps& series, const RaisedLevel& level,
                         const std::set<std::size_t>& ranks) {
    const bool operations = c.inputs.run.source == TraceSource::operations; // what computes is not kernels
    const std::map<ComputeKind, KernelSums> kinds = kernel_sums(c, series, level, ranks);
    KernelSums all;
    const std::pair<const ComputeKind, KernelSums>* most = nullptr;
    for (const auto& kind : kinds) {
        for (const int i : {0, 1}) {
            all.time[i] += kind.second.time[i];
            all.count[i] += kind.second.count[i];
        }
        most = most == nullptr || kind.second.growth() > most->second.growth() ? &kind : most;
    }
    if (most == nullptr || all.count[0] <= 0 || all.time[0] <= 0)
        return {};
    if (std::abs(all.count[1] / all.count[0] - 1) > kAsManyKernels) {
        const std::string now = fmt::format("{:.4g}", all.count[1]);
        const std::string before = fmt::format("{:.4g}", all.count[0]);
        return {operations ? " (%1 operations a step instead of %2)"_text(now, before)
                           : " (%1 kernels a step instead of %2)"_text(now, before),
                true};
    }
    // Longer kernels of the same number: of the work in each nothing is known.
    const KernelSums& kind = most->second;
    KernelSums others;
    for (const int i : {0, 1})
        others.time[i] = all.time[i] - kind.time[i];
    const bool one_kind = most->first != ComputeKind::other && others.time[0] > 0 &&
                          kind.growth() >= kOneKind * all.growth() && kind.ratio() > others.ratio() + kAlikeKinds;
    if (!one_kind) {
        const std::string ratio = fmt::format("{:.2f}", all.ratio());
        return {operations ? " (as many operations, %1× as long: slower GPUs, or more work in each)"_text(ratio)
                           : " (as many kernels, %1× as long: slower GPUs, or more work in each)"_text(ratio),
                false};
    }
    const Message word = Message::word(compute_kind_word(most->first));
    const std::string ratio = fmt::format("{:.2f}", kind.ratio());
    const std::string ratio_of_others = fmt::format("{:.2f}", others.ratio());
    return {operations
                ? " (as many operations; %1 operations take %2× as long, the others %3×: slower GPUs, or more work "
                  "in each)"_text(word, ratio, ratio_of_others)
                : " (as many kernels; %1 kernels take %2× as long, the others %3×: slower GPUs, or more work in "
                  "each)"_text(word, ratio, ratio_of_others),
            false};
}

} // namespace rankscope
