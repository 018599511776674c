// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a stage's kernels with those of the others, step by step and name by name.
#include "core/analysis/usual/uneven_stages.h"

#include <cmath>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

using Ratios = std::vector<double>; ///< to the other stages

/// Of the kernels of one rank.
struct SlowerThanStages {
    PlaceMap<std::uint32_t, bool> steps;           ///< slower on median
    PlaceMap<std::uint64_t, double> ratio_of_name; ///< by step and name; of those that are many

    static std::uint64_t key(std::uint32_t step, NameId name) { return std::uint64_t{step} << 32 | name; }
};

SlowerThanStages slower_than_stages(const PlaceMap<std::uint64_t, Ratios>& by_name, std::size_t many) {
    SlowerThanStages result;
    PlaceMap<std::uint32_t, Ratios> by_step;
    for (const auto& [key, ratios] : by_name) {
        Ratios& all = by_step[static_cast<std::uint32_t>(key >> 32)];
        all.insert(all.end(), ratios.begin(), ratios.end());
        if (ratios.size() >= many)
            result.ratio_of_name[key] = middle_median(ratios);
    }
    for (auto& [step, ratios] : by_step)
        result.steps[step] = middle_median(std::move(ratios)) > 1 + kSameKernel;
    return result;
}

} // namespace

void drop_uneven_stages(const Run& run, const StepGraph& graph, PeerTimes& peers) {
    constexpr std::size_t kMany = 8; ///< calls a step
    const std::size_t many = kMany * static_cast<std::size_t>(graph.profiler_steps ? 1 : graph.repetitions);
    tbb::parallel_for(std::size_t{0}, peers.peer_class.size(), [&](std::size_t r) {
        const auto key = [&](std::uint32_t n) {
            return SlowerThanStages::key(graph.profiler_steps ? graph.step[n] : 0,
                                         run.ranks[r]->events.name[graph.event[n]]);
        };
        PlaceMap<std::uint64_t, Ratios> ratios;
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::compute && peers.expected[n] > 0)
                ratios[key(n)].push_back(static_cast<double>(graph.times.duration[n]) /
                                         static_cast<double>(peers.expected[n]));
        const SlowerThanStages slower = slower_than_stages(ratios, many);
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            const auto step = slower.steps.find(static_cast<std::uint32_t>(key(n) >> 32));
            if (step == slower.steps.end() || !step->second)
                peers.expected[n] = -1;
            else if (const auto ratio = slower.ratio_of_name.find(key(n));
                     graph.kind[n] == NodeKind::compute && ratio != slower.ratio_of_name.end())
                peers.expected[n] = std::llround(static_cast<double>(graph.times.duration[n]) / ratio->second);
        }
    });
}

} // namespace rankscope
