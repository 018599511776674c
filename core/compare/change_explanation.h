// SPDX-License-Identifier: GPL-3.0-or-later
// Why an iteration of one run takes longer, or less, than one of another: parts that add up to the change, in words.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/compare/common_part.h"
#include "core/compare/comparability.h"
#include "core/compare/config_comparison.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// One part of an iteration (step_account.h) in both runs, us, mean over iterations and ranks.
struct ChangePart {
    std::string id; ///< "compute", "exposed_comm.tp", "late_ranks", "bubble", "copies", "launch", "host"
    Message title;  ///< "exposed tp communication"
    double baseline_us = 0;
    double test_us = 0;
    Message cause; ///< what the traces tell of why; empty where it hardly changed
    [[nodiscard]] double difference_us() const { return test_us - baseline_us; }
};

/// Where the runs differ in some of their iterations only. Times are us, means of these iterations.
struct ChangedSteps {
    bool in_test = true;               ///< numbers are of the test; else of the baseline
    std::vector<std::int64_t> numbers; ///< ascending
    Message words;                     ///< "only in step 10", "from step 6 on"
    double baseline_us = 0;
    double test_us = 0;
    double others_baseline_us = 0; ///< of the other iterations
    double others_test_us = 0;
};

struct ChangeExplanation {
    Message unavailable;    ///< why there is nothing to compare; then sentences are of both runs side by side
    Message iteration;      ///< what was compared: "iteration", "iteration (inferred)", "recorded window"
    double baseline_us = 0; ///< of an iteration on the GPU, mean of the ranks' (StepAccount); where the host runs ahead
                            ///< that is not iter_time
    double test_us = 0;
    std::vector<ChangePart> parts;     ///< largest change first
    std::optional<ChangedSteps> steps; ///< then causes, slow_rank and sentences are of the iterations that differ
    Message slow_rank;                 ///< ranks whose own work accounts for at least half of it; empty when none
    std::vector<Message> setup;        ///< "tp 2 -> 4", "batch_size 16 -> 32"
    std::vector<Message> sentences;    ///< the first says it all, the others one part each

    [[nodiscard]] double difference_us() const { return test_us - baseline_us; }
    [[nodiscard]] double residual_us() const; ///< of the difference: what the parts do not add up to
};

/// One step of the way from the baseline's iteration to the test's: baseline_us + all difference_us = test_us.
struct ChangeStep {
    Message title; ///< of the part, or "all the rest"
    double difference_us = 0;
};
/// The parts that differ by more than two thousandths of the baseline's iteration, largest first, and the rest that
/// they leave. None where there is nothing to compare.
std::vector<ChangeStep> change_steps(const ChangeExplanation& change);

/// A row of changes.csv.
struct ChangeRow {
    std::string part; ///< "total", ChangePart::id, "residual"
    std::string title;
    double baseline_us = 0;
    double test_us = 0;
    double difference_us = 0;
    std::string cause;
};
/// The iteration, its parts, the rest that they do not explain; none where there is nothing to compare.
std::vector<ChangeRow> change_rows(const ChangeExplanation& change);

/// config: compare_configs() of the two. Of runs that are not to be compared the parts stand side by side, without a
/// cause.
ChangeExplanation explain_change(const CommonPart& part, const Comparability& comparability,
                                 std::span<const ConfigEntry> config);
/// All of that worked out here.
ChangeExplanation explain_change(const RunAnalysis& baseline, const RunAnalysis& test);

} // namespace rankscope
