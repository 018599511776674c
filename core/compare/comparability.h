// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two runs do the same work at all. Where they do not, nothing of one is better, worse or a cause of anything
// in the other.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/operators/input_sizes.h"
#include "core/base/message.h"
#include "core/compare/operator_diff.h"

namespace rankscope {

/// What a run computes, by name: compute kernels by their shortened names, and CPU operators.
struct WorkProfile {
    NameTotals names;
};
WorkProfile work_profile(const RunAnalysis& analysis);

/// Runs do other work where both shares are known to be small: a port to another vendor's GPU renames the kernels, and
/// a compiler the operators.
struct Comparability {
    std::optional<double> kernel_time_percent;   ///< in common; nothing where too few names are recorded
    std::optional<double> operator_time_percent; ///< likewise
    Message verdict;                             ///< why they are not to be compared; empty where they are
    /// Why an iteration of one is not one of the other; empty where it is. Memory, for example, can be compared then.
    Message other_iterations = {};
    InputSizes inputs = {}; ///< differ: of jobs that are comparable and split alike, and of no serving engine
    [[nodiscard]] bool comparable() const { return verdict.empty(); }
};
Comparability compare_work(const WorkProfile& baseline, const WorkProfile& test);
/// Runs that nobody asked to compare, as those of a study, are held against each other only where this is known: also
/// of few kernels most of the time is in common.
bool do_same_work(const WorkProfile& a, const WorkProfile& b);
/// That, and whether the GPU work that the hosts launched is there.
Comparability comparability(const RunAnalysis& baseline, const RunAnalysis& test);

/// A run in a few numbers: what is said of two runs that are not to be compared.
struct RunOutline {
    std::int64_t steps = 0;       ///< 0: none are known
    bool marked = false;          ///< steps are, but perhaps none of the selection is whole on all ranks
    bool repetitions = false;     ///< they are not marked, but work that repeats
    bool ends_early = false;      ///< all its files do: how long the steps take is not known
    std::size_t engine_steps = 0; ///< of the rank with most: marked by a serving engine
    std::size_t ranks = 0;        ///< traced
    int world_size = 0;
    double recorded_ms = 0;
    double step_ms = 0;               ///< on the GPU, mean; 0: no steps
    std::vector<double> job_steps_ms; ///< of jobs side by side, one each; empty: there is one job
    std::string gpu;                  ///< "" where no trace names it
    std::string engine;               ///< engine_name()
};
RunOutline outline_of(const RunAnalysis& analysis);
Message
outline_words(const RunOutline& outline); ///< "3 steps, each 15.77 ms, on 8 ranks of Tesla V100, 44.2 ms recorded"
/// The same with the engine.
Message outline_with_engine(const RunOutline& outline);

} // namespace rankscope
