// SPDX-License-Identifier: GPL-3.0-or-later
// What the host of a rank was in while its GPU had nothing to do and nothing launched: the innermost recorded event of
// the thread that launches what ends the gap.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

enum class HostActivityKind : std::uint8_t {
    call, ///< of CUDA's, HIP's or a driver's API
    operation,
    python, ///< frame
    annotation,
    data_loading,
    garbage_collection,
    collective, ///< on the host, maybe by a thread that the launching one waits for
    profiler    ///< the profiler's own work
};
inline constexpr std::size_t kHostActivityKindCount = static_cast<std::size_t>(HostActivityKind::profiler) + 1;
std::string_view host_activity_word(HostActivityKind kind); ///< "call", "operator", "Python frame" ...

/// One name, inside one other. Sums of one rank over the given steps.
struct HostActivity {
    HostActivityKind kind = HostActivityKind::call;
    NameId name = 0;
    NameId inside = 0; ///< of a call or the profiler's work: the operator, frame or annotation around it; "" if none
    TimeNs time = 0;
    std::int64_t gaps = 0;       ///< stretches of it
    TimeRange longest;           ///< on the rank's own clock
    EventIndex event = kNoEvent; ///< of the longest
};

/// One step of a rank, ns. Together: the time in which no GPU work ran, outside of bubbles.
struct IdleParts {
    TimeNs launching = 0;  ///< the work that ends the gap was launched, but had not started
    TimeNs host = 0;       ///< it was not launched, and the thread that launches it was in a recorded event
    TimeNs unrecorded = 0; ///< likewise, nothing is recorded of that thread (in a digest: host), or no later GPU work
};

struct HostWhileIdle {
    std::vector<IdleParts> steps;         ///< as windows
    std::vector<HostActivity> activities; ///< by time, the longest first; they sum up to all IdleParts::host
};

/// work: of the rank, sorted by start. windows: its steps, ascending; they may touch. bubbles: what is left out. Work
/// without a recorded launch counts as launched by the thread that launches most. A digest does not keep what its host
/// was in: no activities. O(events log events).
HostWhileIdle host_while_idle(const RankTrace& rank, std::span<const GpuSlice> work,
                              const std::vector<TimeRange>& windows, const IntervalSet& bubbles);

} // namespace rankscope
