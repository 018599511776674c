// SPDX-License-Identifier: GPL-3.0-or-later
// Names that CCL-Bench's tools look for, from rules-ccl-bench.md.
#pragma once
#include <array>
#include <string_view>

namespace rankscope {

/// Operators and annotations that CCL-Bench counts as calls of collectives start with one of these.
inline constexpr std::array<std::string_view, 17> kCclBenchOperatorStarts{
    "nccl:all_reduce",  "nccl:reduce_scatter",   "nccl:all_gather",
    "nccl:broadcast",   "nccl:reduce",           "nccl:send",
    "nccl:recv",        "nccl:coalesced",        "nccl:all_to_all",
    "c10d::allreduce_", "c10d::reduce_scatter_", "c10d::allgather_",
    "c10d::broadcast_", "c10d::reduce_",         "c10d::send",
    "c10d::recv_",      "c10d::alltoall"};

} // namespace rankscope
