// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the calls that block the host are the same on ranks that have unequally many of them.
//   Rank 0 waits after gemm and after its loss, rank 1 after gemm, norm and loss: norm's is additional, place 2.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/usual/peer_classes.h"

namespace rankscope {

/// Per node of a wait, of one step: its place among those of its name and kind. Only of names that the ranks of a class
/// have unequally many of; the additional ones of a rank may come before those that its peers have as well. members:
/// ranks of each class that have the step. nodes: of the step, each rank's in order of time.
PlaceMap<std::uint32_t, std::size_t> places_of_unequal_waits(const Run& run, const StepGraph& graph,
                                                             const PeerClasses& classes,
                                                             std::span<const std::uint32_t> members,
                                                             std::span<const std::uint32_t> nodes);

} // namespace rankscope
