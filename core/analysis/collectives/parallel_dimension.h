// SPDX-License-Identifier: GPL-3.0-or-later
// Which dimension of the parallel mesh a process group serves (metrics.md, "traffic_distribution").
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/trace/run_settings.h"

namespace rankscope {

enum class ParallelDimension : std::uint8_t { pp, dp, dp_replicate, dp_shard, cp, tp, ep, unknown };
inline constexpr std::size_t kParallelDimensionCount = static_cast<std::size_t>(ParallelDimension::unknown) + 1;
std::string_view parallel_dimension_word(ParallelDimension dimension); ///< "pp", "dp_shard" ..., "unknown"

/// How it was told. kind: by what each call does, since nothing says it of the group.
enum class DimensionMethod : std::uint8_t { description, mesh, annotations, kind, none };
std::string_view dimension_method_word(DimensionMethod method);

struct GroupDimension {
    ParallelDimension dimension = ParallelDimension::unknown;
    DimensionMethod method = DimensionMethod::none;
};

/// Sizes of the mesh, outermost first: pp, dp_replicate, dp_shard, cp, tp. Empty when the configuration names none, or
/// their product is not the world size. A size of -1 is what the others leave.
std::vector<std::pair<ParallelDimension, int>> mesh_of(const Parallelism& parallelism, int world_size);

/// From "mesh_tp", "dp_shard_cp", "TENSOR_MODEL_PARALLEL_GROUP"; none when it names no dimension, or several at odds.
std::optional<ParallelDimension> dimension_in_words(std::string_view text);
/// From the place of the members in the mesh; none when they are no line or plane of it.
std::optional<ParallelDimension> dimension_in_mesh(const std::vector<std::pair<ParallelDimension, int>>& mesh,
                                                   const std::vector<int>& members);
/// From what a call does: a recorded send or receive serves pp, an all-to-all ep, or cp where the run has cp alone.
/// A kernel only named SendRecv may as well be an all-to-all: it tells nothing unless the run has pp and no ep.
ParallelDimension dimension_by_kind(const CommCall& call, const Parallelism& parallelism);

/// One per CollectiveMatching::groups.
std::vector<GroupDimension> dimensions_of_groups(const Run& run, const CollectiveMatching& matching);

} // namespace rankscope
