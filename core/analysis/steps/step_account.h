// SPDX-License-Identifier: GPL-3.0-or-later
// Where the wall time of a run's iterations went, without a gap and without counting anything twice: what two runs are
// compared by. Every instant of a step on a rank counts as the first of these that is true: computation, a bubble of
// the pipeline, exposed communication (of the call that the rank waits for), a copy, idle time.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collectives/traffic.h"
#include "core/analysis/gpu/rank_analysis.h"
#include "core/analysis/pipeline/pipeline_bubble.h"
#include "core/analysis/steps/inferred_steps.h"

namespace rankscope {

/// Mean of one iteration of one rank, ns. wall is the sum of all other fields.
struct StepTimes {
    double wall = 0;
    double compute = 0;                                     ///< with memory sets
    double bubble = 0;                                      ///< of the pipeline (bubbles_of()): messages or nothing
    std::array<double, kParallelDimensionCount> transfer{}; ///< exposed communication since its last member came
    std::array<double, kParallelDimensionCount> wait{};     ///< exposed communication until its last member came
    double copies = 0;
    double launch = 0; ///< idle: the next GPU work was launched, but had not started
    double host = 0;   ///< idle: nothing was launched

    [[nodiscard]] double own() const { return compute + copies + launch + host; } ///< no other rank to blame
};

/// One iteration of one rank, ns; wall is the sum of all other fields but the last one. As StepTimes.
struct StepParts {
    TimeNs wall = 0;
    TimeNs compute = 0;
    TimeNs bubble = 0;
    TimeNs transfer = 0; ///< exposed communication since its last member came
    TimeNs wait = 0;     ///< exposed communication until its last member came
    TimeNs copies = 0;
    TimeNs idle = 0;
    TimeNs launch = 0; ///< of idle, as StepTimes::launch
};

/// Calls of one dimension that are alike, mean of one iteration of one rank. time: since the last member came, hidden
/// or not.
struct CallKind {
    std::string collective;
    std::string dtype;
    std::int64_t elements = kUnknown;
    auto operator<=>(const CallKind&) const = default;
};
struct CallSum {
    double calls = 0;
    double time = 0;      ///< ns
    double exposed = 0;   ///< ns, of time: the rank waited for this call, outside of bubbles
    double hidden = 0;    ///< ns, of time: computation runs at that moment. The rest is beside calls that end later
    double bytes = 0;     ///< 0 where a size is unknown
    double bus_bytes = 0; ///< bytes x bus_factor; without calls of which a member is not recorded
    /// Of these the calls of which a member, or to whom a message goes, is not recorded: nobody knows when the last one
    /// came, so their times may hold waits.
    double unseen_calls = 0;
    double unseen_time = 0;
    double unseen_exposed = 0;
    double unseen_hidden = 0;
    void add(const CallSum& other);
    [[nodiscard]] CallSum times(double factor) const;
};

struct RankSteps {
    int rank = 0;
    std::int64_t steps = 0;
    StepTimes mean;
    int stage = -1;         ///< of the pipeline; -1: unknown, or there is none
    double caused_wait = 0; ///< ns: exposed waits of other ranks for this one at collectives, per iteration of those
};

struct StepAccount {
    /// profiler_steps: ProfilerStep#N; inferred: repetitions (inferred_steps.h); window: all recorded GPU work as one
    /// iteration.
    enum class Unit : std::uint8_t { profiler_steps, inferred, window } unit = Unit::window;
    std::vector<RankSteps> ranks;                ///< those with iterations
    std::vector<std::vector<TimeRange>> windows; ///< by rank (as Run::ranks): its iterations, on its own clock
    std::vector<std::vector<StepParts>> parts;   ///< the same, each by itself
    /// The same: number of the profiler step, or, of other iterations, the place in the order of the rank, from 1.
    std::vector<std::vector<std::int64_t>> numbers;
    StepTimes mean;             ///< over all iterations of all ranks
    double compute_kernels = 0; ///< per iteration of a rank
    std::array<std::map<CallKind, CallSum>, kParallelDimensionCount> calls;
    /// The same by the members of the group, ascending, whatever the call.
    std::array<std::map<std::vector<int>, CallSum>, kParallelDimensionCount> groups;
    std::array<int, kParallelDimensionCount> group_size{}; ///< largest group; 0: none
    /// A member of some group is not traced: times of its calls may hold waits for that one, bus_bytes are 0.
    std::array<bool, kParallelDimensionCount> untraced{};
    std::string gpu; ///< as the trace names it; "" where it does not
    std::optional<double> microbatches;
    int world_size = 0;
};

/// What account_steps() reads, all of one run under one selection.
struct StepAccountInputs {
    const Run& run;
    const std::vector<RankAnalysis>& ranks;
    const std::vector<std::vector<TimeRange>>& step_windows; ///< by rank: of its profiler steps
    const std::vector<InferredSteps>& inferred_steps;
    const CollectiveMatching& collectives;
    const ClockAlignment& clock;
    const TrafficAnalysis& traffic;
    const PipelineAnalysis& pipeline;
    /// The iterations that count, by rank: places in StepAccount::windows of the whole run, ascending. Null: all.
    const std::vector<std::vector<std::size_t>>* chosen = nullptr;
};
StepAccount account_steps(const StepAccountInputs& inputs);

} // namespace rankscope
