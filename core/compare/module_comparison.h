// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, module by module of the model: kernels' time and memory.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/operators/modules.h"

namespace rankscope {

/// Mean over the traced ranks, so that runs of different sizes compare.
struct ModuleCost {
    double calls = 0;
    double kernels = 0;         ///< that it launched itself
    double self_us = 0;         ///< summed duration of those
    double total_us = 0;        ///< with the modules inside
    double allocated_bytes = 0; ///< by operators in it, but in no module inside
};

struct ModuleChange {
    std::string name;                           ///< of the instance
    std::size_t parent = kNoModule;             ///< place in the same list of the module around it
    std::size_t depth = 1;                      ///< 1: outermost
    std::optional<ModuleCost> baseline, test;   ///< at least one
    [[nodiscard]] double difference_us() const; ///< of the total; what a run lacks is 0
};

/// Modules of the same path are one. Parents first; among siblings the largest change of the total first. ranks: how
/// many were traced.
std::vector<ModuleChange> compare_modules(const ModuleAnalysis& baseline, std::size_t baseline_ranks,
                                          const ModuleAnalysis& test, std::size_t test_ranks);

} // namespace rankscope
