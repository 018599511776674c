// SPDX-License-Identifier: GPL-3.0-or-later
// What a finding says of ranks that are slower than their peers.
//   Ranks 3 and 7 take longer for their kernels in steps 5 to 8, rank 7 most: "Ranks 3 and 7 take longer than their
//   peers for their kernels in steps 5 to 8; of rank 7: its GEMM kernels take 1.40× its peers'".
#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/findings/rank_excess.h"

namespace rankscope {

/// The cost aside. ranks: those that are slow for the cause. excesses: of all ranks, for that cause.
Finding straggler_finding(const FindingContext& context, OwnCause cause, const std::vector<std::uint32_t>& ranks,
                          const std::vector<RankExcess>& excesses);

} // namespace rankscope
