// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a run is analysed, and the GPU work in it: what every analysis starts from.
#pragma once
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/selection/kernel_class.h"
#include "core/trace/run.h"

namespace rankscope {

/// An end far behind any trace, for a time range that is open there.
inline constexpr TimeNs kOpenEnd = std::numeric_limits<TimeNs>::max() / 4;

/// How the clocks of the ranks of a run agree: aligned time = recorded time - ahead.
struct RunClock {
    TimeNs first_event = 0;      ///< aligned
    std::map<int, TimeNs> ahead; ///< by number of the rank; of others 0
};

/// Empty: everything. A time range is relative to the first event of the run, on the aligned clock, so that it is the
/// same moment on all ranks; events that overlap it count, and their time is clipped to it. Iterations name profiler
/// steps by number, inclusive ranges; CPU events belong to the step they start in, GPU events as WorkSteps says.
struct Selection {
    std::optional<TimeRange> time;
    std::vector<std::pair<std::int64_t, std::int64_t>> iterations;
    /// Of the time range; RunAnalysis fills it. nullptr: the clocks agree, and the range counts from Run::span.begin.
    std::shared_ptr<const RunClock> clock{};

    [[nodiscard]] bool everything() const { return !time && iterations.empty(); }
    [[nodiscard]] bool has_iteration(std::int64_t number) const;
    /// The time range as the clock of a rank shows it. Only where time is set.
    [[nodiscard]] TimeRange window(const Run& run, int rank) const;
    friend bool operator==(const Selection& a, const Selection& b) {
        return a.time == b.time && a.iterations == b.iterations;
    }
};

/// A kernel, copy or set inside the selection; start and end already clipped to it.
struct GpuSlice {
    TimeRange range;
    EventIndex event = kNoEvent;
    KernelClass kernel_class = KernelClass::compute;
    std::uint32_t stretch = 0; ///< of selected steps that follow each other: what lies between two is not looked at
};

/// The step that is running at that time, or nullptr. steps: in order of start.
const ProfilerStep* step_at(std::span<const ProfilerStep> steps, TimeNs time);
/// Whether the device itself records the rank's steps, as a TPU does: no host starts and ends them.
bool steps_of_device(const RankTrace& rank);
/// To which step of its rank a kernel, copy or set belongs: that of its launch. Without a recorded launch it is the
/// step that it starts in; but what comes before the first launched work of its stream was launched before the
/// recording, and belongs to none. Steps that the device itself records go by the start of the work.
class WorkSteps {
public:
    explicit WorkSteps(const RankTrace& rank); ///< rank must outlive it
    /// nullptr: none.
    [[nodiscard]] const ProfilerStep* of(EventIndex event) const;
    /// It was launched before the recording started.
    [[nodiscard]] bool came_before(EventIndex event) const;
    /// The time that tells the step, on the rank's clock.
    [[nodiscard]] TimeNs time_of(EventIndex event) const;

private:
    const RankTrace& rank_;
    bool of_device_;                     ///< the steps are
    std::vector<TimeNs> first_launched_; ///< per lane, its start; lanes without launches: the smallest time
};

/// TraceLens follows the arrows that Kineto draws from calls to GPU events; on ROCm memory sets get none.
bool has_launch_arrow(const RankTrace& rank, EventIndex event);

/// GPU work of a rank inside the selection, sorted by start, then event.
std::vector<GpuSlice> select_gpu_work(const Run& run, const RankTrace& rank, const Selection& selection,
                                      std::span<const KernelClass> classes);
/// Profiler steps of a rank inside the selection; whole in the time range, for one that is cut has lost calls.
std::vector<ProfilerStep> select_steps(const Run& run, const RankTrace& rank, const Selection& selection);

} // namespace rankscope
