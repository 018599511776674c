// SPDX-License-Identifier: GPL-3.0-or-later
// What a collective does, from its recorded name or its kernel's name, and how large the elements of its types are.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/trace/rank_trace.h"

namespace rankscope {

enum class CollectiveKind : std::uint8_t {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    broadcast,
    reduce,
    gather,
    scatter,
    send_recv,
    send,
    recv,
    barrier,
    other
};
inline constexpr std::size_t kCollectiveKindCount = static_cast<std::size_t>(CollectiveKind::other) + 1;
std::string_view collective_kind_word(CollectiveKind kind); ///< "AllReduce", "SendRecv" ..., "Other"

/// From "Collective name" ("_allgather_base", "all_to_allv") or a kernel name ("ncclDevKernel_ReduceScatter_Sum_bf16").
CollectiveKind collective_kind(std::string_view name);

/// Of a communication kernel: its arguments decide, then its name (RCCL names every kernel alike).
CollectiveKind collective_kind_of(const RankTrace& rank, EventIndex event);

bool is_message(CollectiveKind kind); ///< from one rank to another

/// Bytes of an element of a dtype as PyTorch names it; 0 when unknown.
int dtype_bytes(std::string_view dtype);

} // namespace rankscope
