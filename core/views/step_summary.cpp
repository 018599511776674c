// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a run in a few numbers.
#include "core/views/step_summary.h"

#include <algorithm>

namespace rankscope {

std::optional<StepSummary> summarise_steps(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.steps();
    const Facts& facts = analysis.facts();
    if (facts.ranks.empty() || facts.fill.step_ns <= 0)
        return {};
    StepSummary summary;
    summary.unit = facts.unit; // of a file that ends early not the steps
    summary.behind_queued_work = facts.behind_queued_work;
    summary.ranks = facts.ranks.size();
    summary.operations = analysis.run().source == TraceSource::operations;
    summary.served = std::ranges::any_of(analysis.served_steps(), [](const auto& steps) { return !steps.empty(); });
    summary.fill = facts.fill;
    std::size_t most = 0;
    for (const auto& windows : account.windows)
        most = std::max(most, windows.size());
    for (std::size_t step = 0; step < most; ++step) {
        StepPoint point{step + 1, 0, {}};
        double sum = 0;
        double count = 0;
        for (const auto& windows : account.windows)
            if (step < windows.size()) {
                if (count == 0)
                    point.range = windows[step];
                sum += static_cast<double>(windows[step].length());
                ++count;
            }
        point.mean = sum / count;
        summary.steps.push_back(point);
    }
    return summary;
}

} // namespace rankscope
