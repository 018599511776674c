// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a run in a few numbers.
#include "core/views/step_summary.h"

#include <algorithm>
#include <numeric>

namespace rankscope {

std::string_view step_share_word(StepShare share) {
    constexpr std::array<std::string_view, kStepShareCount> kWords{
        "computation", "communication", "waiting for other ranks", "copies", "launch delays", "waiting for the host"};
    return kWords[static_cast<std::size_t>(share)];
}

std::optional<StepSummary> summarise_steps(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.steps();
    if (account.ranks.empty() || account.mean.wall <= 0)
        return {};
    StepSummary summary;
    summary.unit = account.unit;
    summary.ranks = account.ranks.size();
    summary.operations = analysis.run().source == TraceSource::operations;
    summary.served = std::ranges::any_of(analysis.served_steps(), [](const auto& steps) { return !steps.empty(); });
    const StepTimes& mean = account.mean;
    summary.mean = mean.wall;
    summary.shares = {mean.compute,
                      std::reduce(mean.transfer.begin(), mean.transfer.end()),
                      std::reduce(mean.wait.begin(), mean.wait.end()),
                      mean.copies,
                      mean.launch,
                      mean.host};
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
