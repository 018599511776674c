// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a serving engine's step, read off the kernels that it repeats.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/serving/served_steps.h"

namespace rankscope {

struct StepLayer {
    TimeRange
        range; ///< from the start of its first work to that of the next layer's; of the last, to the end of its own
    std::vector<WorkShare> work; ///< the sum is what the GPU is busy
};

/// Of the step of its kind that takes the median time.
struct StepLayers {
    std::size_t step = 0;    ///< place among the rank's steps
    EnginePhase phase{};     ///< of that step
    std::size_t kernels = 0; ///< of a layer, copies among them
    std::vector<StepLayer> layers;

    [[nodiscard]] TimeNs mean_ns() const;              ///< of a layer's range
    [[nodiscard]] std::size_t longest() const;         ///< place in layers
    [[nodiscard]] double mean_ns(StepWork work) const; ///< of a layer
};

/// One for each kind of selected steps that repeats a sequence of kernels (repeated_layers()). served: all steps of the
/// rank. classes: of its GPU work.
std::vector<StepLayers> step_layers(const RankTrace& rank, std::span<const ServedStep> served,
                                    std::span<const KernelClass> classes);

struct LayersOfRank {
    std::size_t rank = 0; ///< place in the span
    const StepLayers* layers = nullptr;
};
/// Of the first rank that has layers for this kind of step; nothing if none has. ranks: step_layers() of each.
std::optional<LayersOfRank> first_layers(std::span<const std::vector<StepLayers>> ranks, EnginePhase phase);

} // namespace rankscope
