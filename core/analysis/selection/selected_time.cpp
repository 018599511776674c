// SPDX-License-Identifier: GPL-3.0-or-later
// Which moments of a rank a selection includes.
#include "core/analysis/selection/selected_time.h"

namespace rankscope {

bool is_selected(const Run& run, const RankTrace& rank, const Selection& selection, TimeNs time) {
    if (selection.time && !selection.window(run, rank.rank).contains(time))
        return false;
    if (selection.iterations.empty())
        return true;
    const ProfilerStep* step = step_at(rank.steps, time);
    return step != nullptr && selection.has_iteration(step->number);
}

} // namespace rankscope
