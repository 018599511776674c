// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a stage's kernels with those of the others, step by step and name by name.
#include "core/analysis/usual/uneven_stages.h"

#include <cmath>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"

namespace rankscope {

void drop_uneven_stages(const Run& run, const StepGraph& graph, PeerTimes& peers) {
    constexpr std::size_t kMany = 8; ///< calls a step
    constexpr double kMuch = 0.1;    ///< of the rank's computation
    struct OfName {
        std::vector<double> ratios;
        TimeNs time = 0;
        double factor = 0; ///< times what others take; 0: not compared
        bool many = false;
    };
    struct OfStep {
        std::vector<double> ratios;
        TimeNs time = 0;
        bool all_slower = false;
        PlaceMap<NameId, OfName> names;
    };
    const auto repeated = static_cast<std::size_t>(graph.profiler_steps ? 1 : graph.repetitions);
    tbb::parallel_for(std::size_t{0}, peers.peer_class.size(), [&](std::size_t r) {
        PlaceMap<std::uint32_t, OfStep> steps;
        const auto& names = run.ranks[r]->events.name;
        const auto step_of = [&](std::uint32_t n) { return graph.profiler_steps ? graph.step[n] : 0; };
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            if (graph.kind[n] != NodeKind::compute || peers.expected[n] <= 0)
                continue;
            OfStep& step = steps[step_of(n)];
            OfName& same = step.names[names[graph.event[n]]];
            const double ratio = static_cast<double>(graph.times.duration[n]) / static_cast<double>(peers.expected[n]);
            step.ratios.push_back(ratio);
            same.ratios.push_back(ratio);
            step.time += graph.times.duration[n];
            same.time += graph.times.duration[n];
        }
        for (auto& [number, step] : steps) {
            step.all_slower = middle_median(std::move(step.ratios)) > 1 + kSameKernel;
            for (auto& [name, same] : step.names) {
                const std::size_t count = same.ratios.size();
                same.many = count >= kMany * repeated;
                const bool much = static_cast<double>(same.time) >= kMuch * static_cast<double>(step.time);
                if (step.all_slower || (same.many && much && nth_value(same.ratios, count / 4) > 1 + kSameKernel))
                    same.factor = middle_median(std::move(same.ratios));
            }
        }
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            const auto step = steps.find(step_of(n));
            const OfName* same = nullptr;
            if (step != steps.end() && graph.kind[n] == NodeKind::compute)
                if (const auto found = step->second.names.find(names[graph.event[n]]);
                    found != step->second.names.end() && found->second.factor > 0)
                    same = &found->second;
            if (same != nullptr && same->many)
                peers.expected[n] = std::llround(static_cast<double>(graph.times.duration[n]) / same->factor);
            else if (same == nullptr && (step == steps.end() || !step->second.all_slower))
                peers.expected[n] = -1;
        }
    });
}

} // namespace rankscope
