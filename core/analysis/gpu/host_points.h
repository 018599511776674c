// SPDX-License-Identifier: GPL-3.0-or-later
// What the host of a rank does that GPU work, or time, depends on: launches, waits, data loading, allocations.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

enum class HostWork : std::uint8_t {
    step_begin, ///< of a profiler step
    step_end,
    launch,             ///< a call that launched GPU work
    wait_device,        ///< blocks until all GPU work launched before has ended
    wait_stream,        ///< blocks until some of it has
    data_loading,       ///< annotated fetching of a batch
    garbage_collection, ///< Python's, where the trace shows it
    allocation          ///< cudaMalloc, cudaFree and the like
};
inline constexpr std::size_t kHostWorkCount = static_cast<std::size_t>(HostWork::allocation) + 1;

/// What an event of that kind and name is to the host, launches aside; none for most.
struct HostRole {
    bool counts = false;
    HostWork work = HostWork::launch;
};
HostRole host_role(EventKind kind, std::string_view name);

/// A point of the host's one line of work. All threads of a rank count as one line, in order of time: the autograd
/// thread runs while the main thread waits for it.
struct HostPoint {
    TimeNs start = 0; ///< on the rank's own clock
    TimeNs end = 0;
    EventIndex event = kNoEvent;
    HostWork work = HostWork::launch;
    std::uint32_t step = 0; ///< step_begin, step_end: index in the steps given
};

/// Points that start inside the range, in order. A thread that launches kernels on other GPUs alone (one process may
/// drive several) is not of this rank's line. Data loading, collections and allocations end where the next point
/// starts.
std::vector<HostPoint> host_points(const RankTrace& rank, const std::vector<ProfilerStep>& steps, TimeRange range);

} // namespace rankscope
