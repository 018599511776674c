// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/step_layers.h"

#include <algorithm>
#include <map>

namespace rankscope {
namespace {

/// Kernels whose name comes too rarely for a layer stand between layers, as those of another stream may, and do not
/// part them. Their time counts in the layer that they start in.
StepLayers layers_of(std::size_t step, EnginePhase phase, std::span<const PieceOfWork> pieces) {
    std::map<NameId, std::size_t> counts;
    for (const PieceOfWork& piece : pieces)
        ++counts[piece.name];
    std::vector<NameId> names;
    std::vector<std::size_t> places; // of the names, in pieces
    for (std::size_t p = 0; p < pieces.size(); ++p)
        if (counts[pieces[p].name] >= kLeastLayers) {
            names.push_back(pieces[p].name);
            places.push_back(p);
        }
    const RepeatedLayers repeated = repeated_layers(names);
    StepLayers result{step, phase, repeated.kernels, {}};
    for (std::size_t k = 0; k < repeated.count; ++k) {
        const std::size_t first = repeated.first + k * repeated.kernels;
        const std::size_t next = first + repeated.kernels;
        const bool last = k + 1 == repeated.count;
        const std::size_t until = last ? places[next - 1] + 1 : places[next];
        const std::span<const PieceOfWork> own = pieces.subspan(places[first], until - places[first]);
        TimeNs end = last ? 0 : pieces[until].range.begin;
        for (std::size_t p = first; last && p < next; ++p)
            end = std::max(end, pieces[places[p]].range.end);
        const TimeRange range{own.front().range.begin, end};
        result.layers.push_back({range, shares_of_work(own, range)});
    }
    return result;
}

} // namespace

TimeNs StepLayers::mean_ns() const {
    return layers.empty() ? 0 : (layers.back().range.end - layers.front().range.begin) / std::ssize(layers);
}

std::size_t StepLayers::longest() const {
    const auto most = std::ranges::max_element(layers, {}, [](const StepLayer& layer) { return layer.range.length(); });
    return static_cast<std::size_t>(most - layers.begin());
}

double StepLayers::mean_ns(StepWork work) const {
    double sum = 0;
    for (const StepLayer& layer : layers)
        for (const WorkShare& share : layer.work)
            sum += share.work == work ? static_cast<double>(share.time) : 0;
    return layers.empty() ? 0 : sum / static_cast<double>(layers.size());
}

std::vector<StepLayers> step_layers(const RankTrace& rank, std::span<const ServedStep> served,
                                    std::span<const KernelClass> classes) {
    std::map<EnginePhase, std::vector<std::size_t>> steps;
    for (std::size_t s = 0; s < served.size(); ++s)
        if (served[s].selected && served[s].gpu_events > 0)
            steps[served[s].step.phase].push_back(s);
    std::vector<StepLayers> result;
    if (steps.empty())
        return result;
    std::vector<bool> wanted(served.size());
    for (auto& [phase, of_kind] : steps) {
        const auto middle = of_kind.begin() + static_cast<std::ptrdiff_t>((of_kind.size() - 1) / 2);
        std::ranges::nth_element(of_kind, middle, {}, [&](std::size_t s) { return served[s].cycle.length(); });
        of_kind = {*middle};
        wanted[of_kind.front()] = true;
    }
    const std::vector<std::vector<PieceOfWork>> work = work_of_served_steps(rank, served, classes, &wanted);
    for (const auto& [phase, median] : steps)
        if (StepLayers layers = layers_of(median.front(), phase, work[median.front()]); !layers.layers.empty())
            result.push_back(std::move(layers));
    return result;
}

std::optional<LayersOfRank> first_layers(std::span<const std::vector<StepLayers>> ranks, EnginePhase phase) {
    for (std::size_t r = 0; r < ranks.size(); ++r)
        if (const auto layers = std::ranges::find(ranks[r], phase, &StepLayers::phase); layers != ranks[r].end())
            return LayersOfRank{r, &*layers};
    return {};
}

} // namespace rankscope
