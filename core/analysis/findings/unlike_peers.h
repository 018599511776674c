// SPDX-License-Identifier: GPL-3.0-or-later
// In what a rank is unlike its peers: the bytes that it copies, its kernels, its inputs, its GPU.
//   Rank 2 copies 300 MB a step, its peers 100, 120 and 150 MB: 2.5 times the median peer.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// The bytes that a rank's copies move, as many times those of its median peer; 0 where that is not recorded. only_in:
/// numbers of steps; empty: all.
double bytes_of_peers(const FindingContext& context, std::uint32_t rank, const std::set<std::int64_t>& only_in);

/// Whether most of the time of the work that peers lack here is under names that they have elsewhere: then it is more
/// of the same. only_in: numbers of steps; empty: all.
bool is_more_of_the_same(const FindingContext& context, std::uint32_t rank, const std::set<std::int64_t>& only_in);

/// "; its inputs have other sizes: aten::mm has [20480, 1024], on its peers [16384, 1024]"; empty where they have the
/// same sizes, or sizes are not recorded. Adds facts to the finding.
Message other_inputs(const FindingContext& context, std::uint32_t rank, Finding& finding);

/// Where none of its peers that are not slow runs on a GPU like this rank's (MIG and the Multi-Process Service give a
/// process some of the multiprocessors): both; else empty. Adds facts to the finding.
Message other_gpu(const FindingContext& context, std::uint32_t rank, const std::vector<std::uint32_t>& slow,
                  Finding& finding);

} // namespace rankscope
