// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends to whom where no message names its other end (PyTorch before 2.5) and the group has more than two ranks;
// and which ranks messages join.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/collectives/rank_sets.h"

namespace rankscope {

/// Sends, or receives, of a rank on one of its streams, in one group: as PyTorch has a stream for each partner or
/// direction, all have the same other end.
struct MessageStream {
    std::uint32_t rank = 0; ///< index in Run::ranks
    bool sends = false;
    std::vector<std::uint32_t> calls; ///< index in CollectiveMatching::calls of that rank, in order
};

/// Pairs of a stream that sends and one of another rank that receives, as indices in streams. A message that waits for
/// its receiver ends on both sides at once, whenever each side came to it: as many messages of the same sizes, whose
/// ends stay equally far apart from one to the next, are the two ends of one connection. Both must be each other's
/// clearly best choice, else the stream is in no pair. Clocks need not agree. Nothing of more streams than a job has.
std::vector<std::pair<std::size_t, std::size_t>> message_partners(const CollectiveMatching& matching,
                                                                  std::span<const MessageStream> streams);

/// Ranks that messages join, directly or through others: those of a pipeline compute the same microbatches.
RankSets pipelines_of(const CollectiveMatching& matching, std::size_t ranks);

} // namespace rankscope
