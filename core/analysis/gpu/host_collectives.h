// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives that run on the host: those of Gloo, and the calls of oneCCL. No GPU work stands for them.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// By the names that PyTorch (ProcessGroupGloo.cpp: "gloo:all_reduce") and Kineto (its plugin for XPU, category
/// collective_comm: "xccl::allreduce") give them.
bool is_host_collective(EventKind kind, std::string_view name);

/// All calls of one name.
struct HostCollectives {
    NameId name = 0;
    EventKind kind = EventKind::cpu_op; ///< that they were recorded as
    std::int64_t calls = 0;
    TimeNs time = 0;
};
/// Of a rank, by time, the longest first. A call that is recorded twice, as an operator and as an annotation, is one.
std::vector<HostCollectives> host_collectives(const RankTrace& rank);
/// The calls themselves, each once, by start.
std::vector<EventIndex> host_collective_calls(const RankTrace& rank);

} // namespace rankscope
