// SPDX-License-Identifier: GPL-3.0-or-later
// Factors of parallel efficiency with advice.
#include "core/views/efficiency_tree.h"

#include <fmt/format.h>

namespace rankscope {
namespace {

std::string place_name(ParallelDimension dimension) {
    switch (dimension) {
    case ParallelDimension::pp: return "stage";
    case ParallelDimension::dp:
    case ParallelDimension::dp_replicate: return "data-parallel rank";
    case ParallelDimension::dp_shard: return "shard";
    case ParallelDimension::cp: return "context-parallel rank";
    case ParallelDimension::tp: return "tensor-parallel rank";
    case ParallelDimension::ep: return "expert-parallel rank";
    case ParallelDimension::unknown: break;
    }
    return "rank";
}

} // namespace

std::vector<EfficiencyRow> efficiency_tree(const Run& run, const ParallelEfficiency& efficiency) {
    std::vector<EfficiencyRow> rows;
    if (!efficiency.unavailable.empty())
        return rows;
    const EfficiencyTimes& times = efficiency.mean;
    const auto add = [&](int depth, std::string name, double value, std::string look_at) {
        rows.push_back({depth, std::move(name), value, value < kLowEfficiency ? std::move(look_at) : std::string()});
    };
    add(0, "Parallel efficiency", times.parallel(), "the lowest factor below");
    add(1, "Load balance", times.load_balance(),
        fmt::format("rank {}, which computes most", run.ranks[efficiency.busiest]->rank));
    for (const DimensionBalance& dimension : efficiency.dimensions)
        add(2, fmt::format("over {} {}s", dimension.size, place_name(dimension.dimension)), dimension.load_balance,
            fmt::format("{} {}, which computes most", place_name(dimension.dimension), dimension.busiest));
    add(1, "Communication efficiency", times.communication(), "its two factors");
    add(2, "Serialisation efficiency", times.serialisation(),
        "waits that a faster network does not shorten: the order of work, pipeline bubbles, the host");
    add(2, "Transfer efficiency", times.transfer(), "the network: sizes of messages, and what could hide them");
    return rows;
}

ScalingEfficiency scaling_efficiency(const ParallelEfficiency& baseline, const ParallelEfficiency& test) {
    const double scaling = baseline.useful / test.useful;
    return {scaling, scaling * test.mean.parallel()};
}

} // namespace rankscope
