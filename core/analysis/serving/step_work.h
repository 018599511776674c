// SPDX-License-Identifier: GPL-3.0-or-later
// What the GPU work of a serving engine's step is for, and which part of the step's time each kind has.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/selection/kernel_class.h"
#include "core/base/time.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Kinds of computation, as ComputeKind, then these.
enum class StepWork : std::uint8_t {
    all_reduce = kComputeKindCount,
    communication, ///< any other; of experts it is dispatch or combine
    copies
};
inline constexpr std::size_t kStepWorkCount = static_cast<std::size_t>(StepWork::copies) + 1;
constexpr StepWork step_work(ComputeKind kind) { return static_cast<StepWork>(kind); }
StepWork step_work(KernelClass kernel_class, std::string_view kernel_name);
std::string_view step_work_word(StepWork work); ///< "attention", "all-reduce" ...

/// One piece of GPU work, in a step.
struct PieceOfWork {
    TimeRange range;
    TimeNs launched = 0; ///< launched_at()
    NameId name = 0;
    KernelClass kernel_class = KernelClass::compute;
    StepWork work = step_work(ComputeKind::other);
};

/// What a kind of work adds to a step.
struct WorkShare {
    StepWork work{};
    TimeNs time = 0;           ///< each instant counts once: see shares_of_work()
    std::uint32_t kernels = 0; ///< copies among them
};

/// pieces: by start. Each instant of the window in which the GPU has work belongs to one kind: computation counts
/// before communication, and that before copies; of two of the same the one that started first. The sum is what the GPU
/// is busy. Kinds in their order, without those that the window has nothing of.
std::vector<WorkShare> shares_of_work(std::span<const PieceOfWork> pieces, TimeRange window);

/// A sequence that comes less often is no layer.
inline constexpr std::size_t kLeastLayers = 4;
/// A sequence of kernels that a step repeats: the layers of a model, where they are alike.
struct RepeatedLayers {
    std::size_t first = 0;   ///< piece that starts the first layer
    std::size_t kernels = 0; ///< of a layer
    std::size_t count = 0;   ///< layers; 0: nothing repeats
};
/// names: of the pieces in the order of their start. The shortest sequence that comes kLeastLayers times or more, one
/// directly after the other, and makes up half of the names at least. Where layers of two kinds alternate it is both
/// together.
RepeatedLayers repeated_layers(std::span<const NameId> names);

} // namespace rankscope
