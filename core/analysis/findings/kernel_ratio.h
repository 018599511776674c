// SPDX-License-Identifier: GPL-3.0-or-later
// How much slower the kernels of a rank are than its peers', by kind of kernel.
//   GEMM kernels of rank 5 take 14 ms a step, those of its peers 10 ms: 1.4 times. Its other kernels take 1.02 times
//   their peers': the GEMM kernels are the slowest kind.
#pragma once
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// How a rank's kernels compare with its peers', by kind of kernel.
struct KernelRatio {
    std::string kind;
    std::string name; ///< of the kernel with the largest excess
    double ratio = 1;
    std::int64_t kernels = 0;
    bool alone = false; ///< of those without communication beside them, and there are others
    bool alike = false; ///< kernels of the other kinds take as many times their peers'
    std::vector<std::pair<TimeNs, std::uint32_t>> largest; ///< of that kind: excess, node
    std::vector<std::uint32_t> nodes;                      ///< of that kind
};

/// shares: BesideCommunication::shares(). only_in: numbers of steps; empty: all. A GPU that is slower is so without
/// communication beside it as well: if a tenth of the rank's computation ran alone on it and on its peers, that is
/// compared, and nothing is estimated.
KernelRatio slowest_kernels(const FindingContext& context, std::uint32_t rank, std::span<const float> shares,
                            const std::set<std::int64_t>& only_in = {});

} // namespace rankscope
