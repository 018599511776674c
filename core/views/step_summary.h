// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a run in a few numbers: how long it takes, whether that is stable, and what fills it.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/facts/facts.h"
#include "core/run/run_analysis.h"

namespace rankscope {

struct StepPoint {
    std::size_t number = 0; ///< counted from 1 among those looked at
    double mean = 0;        ///< ns, over the ranks
    TimeRange range;        ///< on the first rank that has it
};

struct StepSummary {
    StepAccount::Unit unit = StepAccount::Unit::window;
    bool behind_queued_work = false; ///< Facts::behind_queued_work
    std::size_t ranks = 0;
    StepFill fill; ///< a step of a rank, on mean: Facts::fill
    std::vector<StepPoint> steps;
    bool operations = false; ///< of an operation timeline, which knows of no host
    bool served = false;     ///< a serving engine names steps of its own: RunAnalysis::served_steps()

    /// step_share_word(), or what it is where no host is recorded.
    [[nodiscard]] std::string_view word(StepShare which) const {
        return operations && which == StepShare::unrecorded ? "no operation" : step_share_word(which);
    }
};

/// Of RunAnalysis::facts(). Nothing: no rank has GPU work.
std::optional<StepSummary> summarise_steps(const RunAnalysis& analysis);

} // namespace rankscope
