// SPDX-License-Identifier: GPL-3.0-or-later
// How long each piece of work takes on the ranks that do the same: what makes a rank slower than its peers.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/kernels_in_place.h"
#include "core/analysis/usual/work_of_steps.h"

namespace rankscope {

/// What a rank can take longer for than its peers.
enum class OwnCause : std::uint8_t {
    slower_kernels, ///< computation of the same name
    slower_copies,  ///< copies and sets in the same place
    more_kernels,   ///< GPU work that peers do not have, with its launches
    host_bound,     ///< the host between its launches
    data_loading,
    garbage_collection,
    synchronisation, ///< blocking calls that peers do not have
    allocation,
    late_start ///< its first step starts later: why lies before the recording
};
inline constexpr std::size_t kOwnCauseCount = static_cast<std::size_t>(OwnCause::late_start) + 1;

/// The same place: the n-th work of that name in the step of that number; kernels_in_place() tells the names of kernels
/// that do the same. Of computation on other stages, that of aligned_kernels(). Peers: ranks of the same pipeline
/// stage, or, where a stage has one rank, those whose kernels are mostly the same.
struct PeerTimes {
    std::vector<std::uint32_t> peer_class; ///< per rank
    std::vector<std::uint32_t> class_size; ///< per class
    /// The peers are other stages, which may have more work to do: then only a rank whose kernels are slower nearly all
    /// is compared, and work that the others do not have says nothing.
    bool across_stages = false;
    bool lone_in_stage = false; ///< a stage has one rank
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
};

/// work: of work_of_steps(). in_place: of kernels_in_place(), or empty. stages: pipeline stage of each rank, -1 or
/// empty when unknown. even: what work is compared by, of BesideCommunication::comparable(); may be empty. beside: of
/// overlap_with_communication(), or empty. cut: a range
/// of time cuts the recording. Without steps, work of a name is then compared only where all peers have as much of it:
/// a border leaves more of it to one than to another.
PeerTimes peer_times(const Run& run, const StepGraph& graph, const WorkOfSteps& work, const std::vector<int>& stages,
                     const KernelsInPlace& in_place, std::span<const double> even, std::span<const float> beside,
                     bool cut);

/// Host's time of a point: from the end of the one before to its own end.
TimeNs host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node);
inline TimeNs host_time(const StepGraph& graph, std::uint32_t node) { return host_time(graph, graph.times, node); }

/// What a node takes more than its peers, ns, and what that is put down to; 0 where no peer tells. May be negative.
struct OwnExcess {
    OwnCause cause = OwnCause::slower_kernels;
    TimeNs time = 0;
};
OwnExcess own_excess(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node);
/// What the host takes longer than its peers' before a node that is not a launch or a wait, ns; 0 where no peer tells.
TimeNs excess_before(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node);
/// Per node of a rank's first step: the median over its later steps of the same; -1 of other nodes, and where fewer
/// than two later steps have it. Computation that is no longer, beside that median, than most of its name in the later
/// steps keeps its time: microbatches may differ in length. alike: per step of the graph, whether it counts; empty: all
/// do.
std::vector<TimeNs> times_of_later_steps(const Run& run, const StepGraph& graph, const GraphTimes& times,
                                         const std::vector<char>& alike);
/// Of the host's own: from the point before to a launch or the start of a wait, with the call; to any other point but
/// the end of a wait without it. -1 of other nodes.
TimeNs own_host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node);
/// Per host node of a rank's profiler steps, of own_host_time() over the rank's steps at the same place.
struct UsualHostTimes {
    std::vector<TimeNs> median;  ///< 0 where half of its steps do not have it; -1 of other nodes, below three steps
    std::vector<TimeNs> scatter; ///< the median distance from it; 0 where there is none
};
UsualHostTimes usual_host_times(const Run& run, const StepGraph& graph, const GraphTimes& times);
/// Makes a node take that long: a launch the host's time before it and its own, any other its duration.
void set_time(const StepGraph& graph, std::uint32_t node, TimeNs time, GraphTimes& times);
/// Takes the excess of these ranks for the cause out of the times. Of slower kernels that is a factor (as_fast).
void remove_excess(const StepGraph& graph, const PeerTimes& peers, OwnCause cause, const std::vector<bool>& ranks,
                   GraphTimes& times);

} // namespace rankscope
