// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one time axis: which step of one belongs to which of the other, and where a moment of one lies in the
// other.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

/// A step of all ranks together: from its first start on any rank to the start of the next one (the last: to its last
/// end). Absolute times.
struct RunStep {
    std::int64_t number = 0; ///< of the profiler; of steps inferred from repetition: 0, 1, 2 ...
    TimeRange range;
};

/// Profiler steps; without any, those inferred from the repetition of collectives or kernels. Ascending.
std::vector<RunStep> run_steps(const RunAnalysis& analysis);

/// The same work in both runs.
struct StepPair {
    RunStep baseline;
    RunStep test;
};

/// By number where both runs have at least one number in common, else the n-th with the n-th. Unpaired steps are left
/// out.
std::vector<StepPair> pair_steps(std::span<const RunStep> baseline, std::span<const RunStep> test);

/// How the test's axis follows the baseline's: shifted so that the steps in the middle of the view start together and a
/// nanosecond is as wide in both, or stretched so that every step is as wide as its counterpart.
enum class StepLayout : std::uint8_t { absolute, stretched };

class StepAlignment {
public:
    /// Without pairs the runs are aligned at their start and, when stretched, at their end. Spans may not be empty.
    StepAlignment(std::vector<StepPair> pairs, TimeRange baseline_span, TimeRange test_span);

    [[nodiscard]] std::span<const StepPair> pairs() const {
        return paired_ ? std::span<const StepPair>(segments_) : std::span<const StepPair>();
    }

    /// The same share of the same step; before the first and after the last step at the same distance from it.
    [[nodiscard]] TimeNs to_test(TimeNs baseline_time) const;
    [[nodiscard]] TimeNs to_baseline(TimeNs test_time) const;

    /// What to show of one run beside a range of the other.
    [[nodiscard]] TimeRange to_test(TimeRange baseline, StepLayout layout) const;
    [[nodiscard]] TimeRange to_baseline(TimeRange test, StepLayout layout) const;

private:
    [[nodiscard]] std::size_t segment_at(TimeNs baseline_time) const; ///< running then; the first before all
    [[nodiscard]] TimeNs shift_at(TimeNs baseline_time) const;

    bool paired_ = false;
    std::vector<StepPair> segments_; ///< the pairs; without any, the two whole runs
};

} // namespace rankscope
