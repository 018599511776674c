// SPDX-License-Identifier: GPL-3.0-or-later
// The workers of a job on its mesh, with what each costs or waits, and what stragglers cost in words.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// slowdown: S_worker (straggler_slowdown.h). lag: mean ns that a rank comes to collectives after the first one. idle,
/// exposed: share of the time from the first GPU event to the last one that the GPU does nothing, or communicates while
/// nothing is computed.
enum class WorkerValue : std::uint8_t { slowdown, lag, idle, exposed };
inline constexpr std::size_t kWorkerValueCount = static_cast<std::size_t>(WorkerValue::exposed) + 1;

/// A dimension of the mesh that has several places; unknown: all ranks in a row, where no mesh is known.
struct WorkerDimension {
    ParallelDimension dimension = ParallelDimension::unknown;
    int size = 1;
};
/// Outermost first.
std::vector<WorkerDimension> worker_dimensions(const RunAnalysis& analysis);

struct WorkerCell {
    std::optional<double> value; ///< of the worst rank there
    std::uint32_t rank = 0;      ///< that rank: index in Run::ranks
    int ranks = 0;               ///< with a value in the cell
};

struct WorkerMap {
    WorkerValue value = WorkerValue::slowdown;
    WorkerDimension rows;
    WorkerDimension columns;
    std::vector<WorkerCell> cells; ///< row by row
    double most = 0;               ///< of the cells' values, which are none below 0
    [[nodiscard]] const WorkerCell& cell(int row, int column) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size) +
                     static_cast<std::size_t>(column)];
    }
};

/// One value of a rank (index in Run::ranks); nothing where it is not known, or the rank is not judged.
std::optional<double> worker_value(const RunAnalysis& analysis, WorkerValue value, std::uint32_t rank);
/// rows, columns: of worker_dimensions(), not the same. Ranks that differ elsewhere share a cell.
WorkerMap worker_map(const RunAnalysis& analysis, WorkerValue value, WorkerDimension rows, WorkerDimension columns);

/// "Stragglers make the job 17.9 % slower ..." and who explains how much of it. Empty where nothing is known of it.
std::vector<Message> slowdown_sentences(const RunAnalysis& analysis);

} // namespace rankscope
