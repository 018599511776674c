// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the ranks' time is computation, and what takes the rest: the factors of the POP project
// (co-design.pop-coe.eu/metrics). Useful time is the union of a rank's compute kernels.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/analysis/collectives/parallel_dimension.h"
#include "core/analysis/gpu/rank_analysis.h"
#include "core/analysis/graph/step_graph.h"
#include "core/base/message.h"

namespace rankscope {

/// All ns. Factors are 1 where everything is useful; products hold exactly by definition.
struct EfficiencyTimes {
    double mean_useful = 0; ///< over ranks
    double max_useful = 0;  ///< of the busiest rank
    double ideal = 0;       ///< length of the step with transfers that take no time
    double length = 0;      ///< of the step

    [[nodiscard]] double load_balance() const { return mean_useful / max_useful; }
    [[nodiscard]] double serialisation() const { return max_useful / ideal; }
    [[nodiscard]] double transfer() const { return ideal / length; }
    [[nodiscard]] double communication() const { return serialisation() * transfer(); }
    [[nodiscard]] double parallel() const { return load_balance() * communication(); }
};

struct StepEfficiency {
    std::int64_t step = 0;
    EfficiencyTimes times;
    std::uint32_t busiest = 0; ///< index in Run::ranks
};

/// Load balance along one dimension of the mesh, after the dimensions before it: the mean over all its places against
/// the place with most work. The product over the dimensions is the load balance of all.
struct DimensionBalance {
    ParallelDimension dimension = ParallelDimension::unknown;
    int size = 1;
    double load_balance = 1;
    int busiest = 0; ///< its place along the dimension
};

struct ParallelEfficiency {
    Message unavailable;                      ///< why there is none
    EfficiencyTimes mean;                     ///< of a step
    std::vector<StepEfficiency> steps;        ///< of a run without profiler steps: one, the mean of its repetitions
    std::vector<DimensionBalance> dimensions; ///< outermost first; empty where no mesh is known
    double useful = 0;                        ///< of all ranks together, mean of a step, ns
    std::uint32_t busiest = 0;                ///< index in Run::ranks
};

/// What the factors are computed from, all of one run under one selection.
struct EfficiencyInputs {
    const Run& run;
    const std::vector<RankAnalysis>& ranks;
    const StepGraph& graph;
    std::span<const std::vector<ProfilerStep>> steps; ///< by rank
    /// What the mean step takes with transfers that take no time (--what-if comm=0) / what it takes; or why that is not
    /// known. Asked for only where the rest is known.
    std::function<tl::expected<double, Message>()> ideal_over_length;
};
ParallelEfficiency parallel_efficiency(const EfficiencyInputs& inputs);

} // namespace rankscope
