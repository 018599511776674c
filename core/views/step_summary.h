// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a run in a few numbers: how long it takes, whether that is stable, and what fills it.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/steps/step_account.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// What fills a step of a rank, without overlap: what computation hides is computation.
enum class StepShare : std::uint8_t { compute, transfer, wait, copies, launch, host };
inline constexpr std::size_t kStepShareCount = static_cast<std::size_t>(StepShare::host) + 1;
std::string_view step_share_word(StepShare share); ///< "computation", "waiting for other ranks" ...

struct StepPoint {
    std::size_t number = 0; ///< counted from 1 among those looked at
    double mean = 0;        ///< ns, over the ranks
    TimeRange range;        ///< on the first rank that has it
};

struct StepSummary {
    StepAccount::Unit unit = StepAccount::Unit::window;
    std::size_t ranks = 0;
    double mean = 0;                              ///< ns: a step of a rank
    std::array<double, kStepShareCount> shares{}; ///< ns, add up to `mean`
    std::vector<StepPoint> steps;
    bool operations = false; ///< of an operation timeline, which knows of no host
    bool served = false;     ///< a serving engine names steps of its own: RunAnalysis::served_steps()

    /// step_share_word(), or what it is where no host is recorded.
    [[nodiscard]] std::string_view word(StepShare which) const {
        return operations && which == StepShare::host ? "no operation" : step_share_word(which);
    }
    [[nodiscard]] double share(StepShare which) const { return shares[static_cast<std::size_t>(which)]; }
};

/// Of RunAnalysis::steps(). Nothing: no rank has GPU work.
std::optional<StepSummary> summarise_steps(const RunAnalysis& analysis);

} // namespace rankscope
