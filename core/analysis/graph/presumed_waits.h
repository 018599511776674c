// SPDX-License-Identifier: GPL-3.0-or-later
// For which communication work waits though no wait is seen: it ended before the work could start.
//   Kernel "norm" waited for an all-reduce of stream 20 in some step. In another step the all-reduce of stream 20 ended
//   early: "norm" launched after it waits for it there too.
#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/graph/seen_waits.h"
#include "core/base/seeded_hash.h"

namespace rankscope {

/// By stream: the names of kernels that were seen to wait for its communication.
using WaitingKernels = NumberMap<std::int64_t, PlaceSet<NameId>>;

/// Pairs for communication that nothing in this passage was seen to wait for.
/// main: main_stream(). position: of each work, its place in RankGraph::launched.
void presume_waits(const PassageWork& place, const ProgramPassage& passage, std::size_t main,
                   const WaitingKernels& waiting, const std::vector<std::uint32_t>& position, PackedPairs& pairs);

} // namespace rankscope
