// SPDX-License-Identifier: GPL-3.0-or-later
// The run as it would be without the faults that are told so far.
//   rank 2's kernels are told as slower -> times() has them as long as its peers', step_ns() is 51.55 and not 72.24 ms
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/graph/replays.h"

namespace rankscope {

/// A fault that is told: its ranks, and what takes it out of the times.
struct ToldFault {
    std::vector<int> ranks; ///< numbers; empty: of all
    TimesChange remove;
};

class RepairedRun {
public:
    /// step_ns: mean_step_time() of the graph as recorded.
    RepairedRun(const StepGraph& graph, const Replays& replays, double step_ns)
        : graph_(graph), replays_(replays), step_ns_(step_ns) {}

    /// A fault of ranks, links or experts is taken out. step_ns() is that of before until replay().
    void tell(std::vector<int> ranks, TimesChange remove);
    /// A fault of the hosts of some ranks is told; take_out() takes it out.
    void tell_of_hosts(std::vector<int> ranks, TimesChange remove);
    void take_out(const TimesChange& change);
    void replay();
    /// step_ns() is known without a replay.
    void set_step_ns(double ns) { step_ns_ = ns; }

    [[nodiscard]] bool changed() const { return times_.has_value(); }
    [[nodiscard]] const GraphTimes& times() const;            ///< those of the graph while nothing is taken out
    [[nodiscard]] double step_ns() const { return step_ns_; } ///< of the mean step, as of the last replay
    /// ns per step that the change saves now.
    [[nodiscard]] double saved_ns(const TimesChange& change) const;
    [[nodiscard]] const std::vector<ToldFault>& told() const { return told_; } ///< in this order
    [[nodiscard]] const std::vector<ToldFault>& told_of_hosts() const { return told_of_hosts_; }
    /// Of a step without all of told(), whatever else is taken out.
    [[nodiscard]] double step_ns_without_told() const;

private:
    const StepGraph& graph_;
    const Replays& replays_;
    std::optional<GraphTimes> times_;
    double step_ns_;
    std::vector<ToldFault> told_;
    std::vector<ToldFault> told_of_hosts_;
};

} // namespace rankscope
