// SPDX-License-Identifier: GPL-3.0-or-later
// How long each piece of work takes on the ranks that do the same: what makes a rank slower than its peers.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/peer_classes.h"
#include "core/analysis/usual/work_of_steps.h"

namespace rankscope {

/// The same place: the n-th work of that name in the step of that number; kernels_in_place() tells the names of kernels
/// that do the same.
struct PeerTimes : PeerClasses {
    /// Per node. GPU work, data loading, collections, allocations: the median duration on the peers; of computation,
    /// which communication may slow, on those that ran it beside communication as well, or likewise without. Where
    /// those are fewer than half, it takes as many times theirs as the rank's other kernels of that name in the step
    /// do, and where too few of these tell, what it would take on them is estimated. Launches: the median of the host's
    /// time from the point before to the end of the call. Of a rank's first step: the median of the peers' starts,
    /// after the earliest of all. -1 where no peer tells.
    std::vector<TimeNs> expected;
    /// Per node, of computation that peers have in the same place: what it would take on a GPU as fast as theirs
    /// (times_as_fast()); -1 elsewhere.
    std::vector<TimeNs> as_fast;
    /// Per node that the host passes and that is not a launch or a wait: the median of the host's own time before it,
    /// from the point before. -1 where no peer tells.
    std::vector<TimeNs> expected_before;
    TimeNs earliest_begin = 0; ///< of all ranks' first steps, aligned
    /// Half of the ranks of a class or more compute clearly slower than the others: computation is then compared with
    /// the others', and ranks that are slow may be most.
    bool two_speeds = false;
    /// Per node, of computation: expected is an estimate, as too few peers ran it beside communication, or without, as
    /// it was. Empty where nothing is known of that.
    std::vector<bool> estimated;
    std::vector<bool> surplus; ///< per node: work that most peers do not have; expected is 0
    /// Per rank, where neither steps nor repetitions are known: it takes part in more calls than a peer, so that its
    /// recording is longer, and what it has more of is no surplus. Empty elsewhere.
    std::vector<bool> recorded_longer;
};

/// work: of work_of_steps(). in_place: of kernels_in_place(), or empty. stages: pipeline stage of each rank, -1 or
/// empty when unknown. even: what work is compared by, of BesideCommunication::comparable(); may be empty. beside: of
/// overlap_with_communication(), or empty.
PeerTimes peer_times(const Run& run, const StepGraph& graph, const WorkOfSteps& work, const std::vector<int>& stages,
                     const KernelsInPlace& in_place, std::span<const double> even, std::span<const float> beside);

} // namespace rankscope
