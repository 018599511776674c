// SPDX-License-Identifier: GPL-3.0-or-later
// What stragglers cost a job, and who they are: replays of its operations with some of them as long as they are on
// average.
//
// Definitions: Lin et al., "Understanding Stragglers in Large Model Training Using What-if Analysis" (OSDI '25,
// arXiv 2505.05713). A worker is a data-parallel rank and a pipeline stage.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/message.h"
#include "core/trace/run.h"

namespace rankscope {

/// What some operations cost: the ideal job with only their own times put back, over the ideal job.
struct GroupSlowdown {
    std::string name; ///< type of operation
    int number = -1;  ///< data-parallel rank, stage
    double slowdown = 1;
};

/// slowdown: the smaller one of its data-parallel rank's and its stage's.
struct WorkerSlowdown {
    int dp_rank = 0;
    int stage = 0;
    std::uint32_t rank = 0; ///< index in Run::ranks
    double slowdown = 1;
};

/// One step; times in ns.
struct StepSlowdown {
    std::int64_t step = 0;
    double measured = 0;
    double no_delay = 0;
    double ideal = 0;
    [[nodiscard]] double slowdown() const { return no_delay / ideal; }
};

/// A smaller slowdown is not explained: its shares would be quotients of roundings.
inline constexpr double kLeastExplained = 1.01;

struct StragglerSlowdown {
    /// Why there is none; then the rest is empty.
    Message unavailable;
    double measured = 0; ///< mean step, ns, as recorded
    double no_delay = 0; ///< replayed, every operation as soon as what it depends on has ended
    double ideal = 0;    ///< likewise, and all operations of a type equally long
    [[nodiscard]] double slowdown() const { return no_delay / ideal; } ///< S
    [[nodiscard]] double simulation_error() const { return measured / no_delay; }

    /// Share of the slowdown that goes when the operations of these are as long as on average: the 3 % of workers that
    /// slow down most, and the last stage. May be negative, or more than 1. Nothing below kLeastExplained.
    std::optional<double> m_w;
    std::optional<double> m_s;
    std::vector<std::uint32_t> slowest_workers; ///< those of m_w: index in by_worker

    std::vector<GroupSlowdown>
        by_operation; ///< S_t, by slowdown, descending; sends and receives of one direction are one
    std::vector<GroupSlowdown> by_dp_rank; ///< by number
    std::vector<GroupSlowdown> by_stage;   ///< by number
    std::vector<WorkerSlowdown> by_worker; ///< S_worker, by data-parallel rank, then stage
    std::vector<StepSlowdown> by_step;
    std::int64_t left_out_steps = 0;                                  ///< whose operations are not those of the others
    std::vector<std::pair<std::string, std::int64_t>> left_out_types; ///< operations that no dependency is known of
};

/// Of an operation timeline. steps: per rank (as Run::ranks), those that are selected.
StragglerSlowdown slowdown_of_operations(const Run& run, std::span<const std::vector<ProfilerStep>> steps);

} // namespace rankscope
