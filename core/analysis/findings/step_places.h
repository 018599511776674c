// SPDX-License-Identifier: GPL-3.0-or-later
// Which step of the run a moment of a rank belongs to, whether the program marked its steps or only repeats itself.
//   two ranks, 16 repetitions each; rank 0 launches at 201 ms, in its 12th one -> place 11, number 12
//   ranks that repeat 16 and 9 times -> no numbers: nobody knows which repetitions belong together
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/steps/step_account.h"

namespace rankscope {

struct StepPlaces {
    std::vector<std::int64_t> numbers;  ///< ascending: of the profiler's steps, or 1, 2, … of the repetitions
    std::vector<std::uint32_t> of_node; ///< per node of a rank: the place in numbers; kNoNode outside of all steps

    [[nodiscard]] std::optional<std::int64_t> number_of(std::uint32_t node) const {
        return of_node[node] == kNoNode ? std::nullopt : std::optional(numbers[of_node[node]]);
    }
};

/// Repetitions have numbers where all ranks repeat equally often and, on the aligned clock, at the same time.
StepPlaces step_places(const StepGraph& graph, const StepAccount& account);

} // namespace rankscope
