// SPDX-License-Identifier: GPL-3.0-or-later
// Which iterations of which ranks of two runs are held against each other.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include "core/base/message.h"
#include "core/compare/step_split.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// Ranks that are not judged, and those that lack steps where these are fewer than half: else their common steps are
/// compared. Each rank once.
std::vector<UnjudgedRanks> incomplete_ranks(const RunAnalysis& analysis);

/// The iterations of a run without those of some ranks; where most ranks lack steps, those that all have.
class ComparedSteps {
public:
    /// left_out: numbers of ranks. Where no iteration is left, all count.
    ComparedSteps(const RunAnalysis& analysis, const std::set<int>& left_out);

    [[nodiscard]] const RunAnalysis& analysis() const { return analysis_; }
    [[nodiscard]] const StepAccount& steps() const { return chosen_.empty() ? analysis_.steps() : account_; }
    /// places: in windows of steps(), by rank.
    [[nodiscard]] StepAccount steps_of(const std::vector<std::vector<std::size_t>>& places) const;

private:
    const RunAnalysis& analysis_;
    std::vector<std::vector<std::size_t>> chosen_; ///< by rank, places in RunAnalysis::steps(); empty: all
    StepAccount account_;                          ///< of those
};

/// Ranks left out of the comparison of two runs, and a sentence for each reason.
struct LeftOut {
    std::set<int> of_baseline;
    std::set<int> of_test;
    bool none_left = false;         ///< of a run: then all its ranks count, and nobody is to be named
    std::vector<Message> sentences; ///< without capitals and full stops
};
LeftOut left_out_ranks(const RunAnalysis& baseline, const RunAnalysis& test);

/// split_steps() of the iterations that are compared; nothing of serving engines, whose steps are of several kinds.
std::optional<StepSplit> compared_split(const ComparedSteps& baseline, const ComparedSteps& test);
std::optional<StepSplit> compared_split(const RunAnalysis& baseline, const RunAnalysis& test);

} // namespace rankscope
