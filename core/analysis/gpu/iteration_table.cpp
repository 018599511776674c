// SPDX-License-Identifier: GPL-3.0-or-later
// Where the GPU time of every iteration of a rank went.
#include "core/analysis/gpu/iteration_table.h"

#include "core/base/seeded_hash.h"

namespace rankscope {

std::vector<IterationRow> iteration_table(const RankAnalysis& rank) {
    PlaceMap<EventIndex, std::size_t> row_of_step;
    for (const ProfilerStep& step : rank.steps)
        row_of_step.emplace(step.event, row_of_step.size());
    std::vector<std::vector<GpuSlice>> work(rank.steps.size());
    const WorkSteps steps(*rank.trace);
    for (const GpuSlice& slice : rank.gpu_work)
        if (const ProfilerStep* step = steps.of(slice.event))
            if (const auto row = row_of_step.find(step->event); row != row_of_step.end())
                work[row->second].push_back(slice);
    std::vector<IterationRow> rows;
    rows.reserve(rank.steps.size());
    for (std::size_t i = 0; i < work.size(); ++i)
        rows.push_back({rank.steps[i], gpu_timeline(work[i])});
    return rows;
}

} // namespace rankscope
