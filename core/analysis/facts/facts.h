// SPDX-License-Identifier: GPL-3.0-or-later
// What is read off a recording without a model: what fills a step, how the ranks differ, what the host was in while the
// GPU did nothing. Each number can be checked by hand on the timeline. Causes and costs (core/analysis/findings) are
// inferred, and may not contradict these.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/straggler.h"
#include "core/analysis/facts/host_activity.h"
#include "core/analysis/gpu/kernel_table.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/analysis/steps/step_account.h"

namespace rankscope {

/// What an instant of a step of a rank is; the first that holds.
enum class StepShare : std::uint8_t {
    computation,           ///< with memory sets, whatever runs beside it
    exposed_communication, ///< communication, and its last member has come
    waiting,               ///< communication whose last member has not come
    bubble,                ///< of the pipeline (pipeline_bubble.h), be it a waiting message or nothing
    copies,
    launching, ///< no GPU work; the next was launched, but had not started
    host,      ///< no GPU work, the next was not launched, and its host's thread was in a recorded event
    unrecorded ///< likewise, but nothing is recorded of that thread; or the gap is the last of the recording; or the
               ///< launch of the next is not recorded
};
inline constexpr std::size_t kStepShareCount = static_cast<std::size_t>(StepShare::unrecorded) + 1;
std::string_view step_share_word(StepShare part); ///< "computation", "waiting for other ranks" ...

/// ns; the parts sum up to step_ns.
inline constexpr double kShownShare = 0.005; ///< of a step: a smaller part rounds to 0 %

struct StepFill {
    double step_ns = 0;
    std::array<double, kStepShareCount> part_ns{};

    [[nodiscard]] double operator[](StepShare part) const { return part_ns[static_cast<std::size_t>(part)]; }
    [[nodiscard]] double& operator[](StepShare part) { return part_ns[static_cast<std::size_t>(part)]; }
    void add(const StepFill& other);
    [[nodiscard]] StepFill over(double count) const; ///< of sums: the mean
    [[nodiscard]] double share(StepShare part) const { return step_ns > 0 ? (*this)[part] / step_ns : 0; }
    [[nodiscard]] bool shown(StepShare part) const { return share(part) >= kShownShare; }
    /// No GPU work runs, for whatever reason outside of bubbles.
    [[nodiscard]] double idle_ns() const {
        return (*this)[StepShare::launching] + (*this)[StepShare::host] + (*this)[StepShare::unrecorded];
    }
};

/// Computation kernels of one kind, of the names that peers run as well.
struct KernelsBesidePeers {
    ComputeKind kind{};
    double ratio = 1;     ///< their time / what as many of the peers' take, by the median of the peers' means
    double excess_ns = 0; ///< a step: the difference of the two
};

/// Means of its steps. Peers: the other ranks of its pipeline stage; of a job without stages, all its other ranks.
struct RankFacts {
    int rank = 0;
    std::uint32_t index = 0; ///< in Run::ranks
    std::int64_t steps = 0;
    StepFill fill;
    /// Computation / median computation of the peers. None without peers.
    std::optional<double> computation_ratio_to_peers;
    double computation_excess_ns = 0; ///< computation - median of the peers; 0 without peers
    /// Of the computation kernels that peers run as well: mean duration / median of the peers' means, of each name; the
    /// median of these, weighted by the rank's time. Of a rank alone in its stage, peers are all other ranks.
    std::optional<double> kernel_ratio_to_peers;
    std::optional<KernelsBesidePeers> slowest_kernels; ///< the kind with the largest excess; none without an excess
    std::optional<std::int64_t> machine; ///< a number for each, where the recording or the user tells (Machines)
    std::int64_t calls = 0;              ///< collective calls with another recorded rank
    std::int64_t times_last = 0;         ///< of these it comes last to
    double median_lag_ns = 0;            ///< of these: how long after the first one
    /// A step of another rank of the job, on mean: exposed waiting for this rank at collectives. Of ranks that come
    /// together, the lowest number is the last.
    double wait_caused_ns = 0;
    bool meets_all = true;    ///< at collective calls; false: some of the ranks in wait_caused_ns cannot wait for it
    double late_alone_ns = 0; ///< a step: by how much it is last, after the last but one, more than the median peer is
};

/// Mean over the ranks that have it.
struct StepFacts {
    std::int64_t number = 0; ///< of the profiler step; without these, counted from 1
    std::size_t ranks = 0;
    StepFill fill;
    /// From where the mark of the step before it ends to its own, mean over the ranks: no step counts it. 0 where that
    /// step is not recorded, or steps are not marked.
    double before_ns = 0;
    /// Steps with the same number here are asked to do the same: all, but of a serving engine those with like batches.
    std::size_t work = 0;
};

/// Of all ranks together.
struct HostFact {
    HostActivityKind kind = HostActivityKind::call;
    std::string name;
    std::string inside; ///< HostActivity::inside
    double mean_ns = 0; ///< a step of a rank, on mean
    double most_ns = 0; ///< a step of that rank, on mean
    int most_rank = 0;  ///< the rank with most of it
    std::int64_t gaps = 0;
    std::uint32_t longest_rank = 0; ///< index in Run::ranks
    EventIndex longest_event = kNoEvent;
    TimeRange longest; ///< on that rank's own clock
};

/// Why exposed communication may hold waits: some ranks of its calls have no trace; some are not judged; or calls are
/// not joined with those of the other ranks, though these have a trace.
enum class UnseenMembers : std::uint8_t { none, no_trace, not_judged, not_joined };

struct Facts {
    StepAccount::Unit unit = StepAccount::Unit::window;
    /// Without steps: a GPU was busy with work from before the recording at first, and the time counts from its end on.
    bool behind_queued_work = false;
    std::int64_t steps = 0;              ///< of the rank with most
    StepFill fill;                       ///< mean over all steps of all ranks
    std::optional<std::size_t> machines; ///< that all these ranks are known to be on
    std::vector<RankFacts> ranks;        ///< those with GPU work in a step, ascending
    std::vector<StepFacts> by_step;
    double between_steps_ns = 0; ///< StepFacts::before_ns, mean over ranks and steps
    UnseenMembers unseen_members = UnseenMembers::none;
    bool alike_steps = true;    ///< all have the same StepFacts::work
    std::vector<HostFact> host; ///< by mean_ns, the longest first

    [[nodiscard]] const RankFacts* of_rank(int rank) const;
};

/// What read_facts() reads, all of one run under one selection.
struct FactInputs {
    const Run& run;
    const std::vector<RankAnalysis>& ranks;
    const StepAccount& steps;
    const Machines& machines;
    const StragglerAnalysis& stragglers;
    const PipelineAnalysis& pipeline;
    const std::vector<std::vector<KernelStatistics>>& kernels; ///< by rank
    bool of_time_range = false;                                ///< as selected
};
Facts read_facts(const FactInputs& inputs);

} // namespace rankscope
