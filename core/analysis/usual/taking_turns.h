// SPDX-License-Identifier: GPL-3.0-or-later
// Where inputs or microbatches are of unequal length, now one rank computes longer than its peers and now another:
// that is nobody's fault.
#pragma once
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"
#include "core/analysis/usual/peer_times.h"

namespace rankscope {

/// By rank, then step: what its kernels take, ns.
std::vector<std::vector<double>> computation_by_step(const StepGraph& graph);
/// By step: a rank's value less the mean of its peers', those left out aside; empty where there are none. Other stages
/// have other work: of them, less what is usual of the rank, the mean of its peers' times the lower quartile of their
/// ratios. by_step: by rank; a step that a rank lacks counts as 0.
std::vector<double> longer_than_peers(const std::vector<std::vector<double>>& by_step, const PeerTimes& peers,
                                      std::size_t rank, const std::vector<bool>& left_out = {});
/// The most that a rank takes longer than its peers in a step, ns; 0 where there are none.
double longest_turn(const std::vector<std::vector<double>>& by_step, const PeerTimes& peers, std::size_t rank);
/// Another rank of its class takes longer than its peers in some step, by half of the most that this one does: then it
/// is now one rank, now another. by_step: by rank.
bool another_has_a_turn(const std::vector<std::vector<double>>& by_step, const PeerTimes& peers, std::size_t rank);
/// longer: by step, what a rank takes longer than its peers. It takes less than they do in other steps (a twentieth
/// of it in all, or more), and its mean is within four standard errors of theirs: inputs or microbatches of unequal
/// length, now on this rank, now on another. Of a whole pipeline anything less tells, if in a sixth of the steps what
/// it takes longer is between a quarter and three quarters of the most. False where there are fewer than
/// kStepsThatTell.
bool takes_turns(std::span<const double> longer, bool whole_pipeline = false);

} // namespace rankscope
