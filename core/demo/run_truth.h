// SPDX-License-Identifier: GPL-3.0-or-later
// What the run simulator knows about the run it made: the answers an analysis of its traces has to find.
#pragma once
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/trace/collective.h"

namespace rankscope {

/// Dimension of the parallel mesh a collective serves.
enum class Dimension : std::uint8_t { tensor, data, pipeline, expert };
inline constexpr std::size_t kDimensionCount = 4;
std::string_view dimension_word(Dimension dimension); ///< "tp", "dp", "pp", "ep"

/// One collective call, or one message between two pipeline stages. All times are true: before any clock offset.
struct CollectiveTruth {
    std::string collective; ///< "allreduce"; "send" for a message (its receiver records "recv")
    Dimension dimension = Dimension::tensor;
    int group = 0; ///< index in RunTruth::groups
    std::int64_t step = 0;
    std::int64_t elements = 0;  ///< "In msg nelems" of each member
    std::int64_t bytes = 0;     ///< elements times the size of the dtype
    std::vector<int> ranks;     ///< members; a message: sender, receiver
    std::vector<TimeNs> starts; ///< arrival of each member, in the order of ranks
    TimeNs transfer = 0;
    TimeNs end = 0;                      ///< max(starts) + transfer, for all members
    [[nodiscard]] TimeNs lag() const;    ///< last arrival - first arrival
    [[nodiscard]] int last_rank() const; ///< lowest rank among the last to arrive
};

/// One step of one rank. window = [first GPU start, last GPU end] of the GPU work of that step;
/// its length is busy + bubble + exposed_tensor + exposed_data + host + tail.
struct StepTruth {
    int rank = 0;
    std::int64_t step = 0;
    TimeRange annotation; ///< ProfilerStep#N
    TimeRange window;
    TimeNs busy = 0;            ///< compute stream (kernels, copies, sets)
    TimeNs bubble_warmup = 0;   ///< waits for pipeline messages up to the first backward pass of the rank
    TimeNs bubble_steady = 0;   ///< between those two
    TimeNs bubble_cooldown = 0; ///< after its last forward pass
    TimeNs exposed_tensor = 0;  ///< waits of the compute stream for tensor-parallel collectives
    TimeNs exposed_data = 0;    ///< for gradient reduction, and for experts
    TimeNs host = 0;            ///< waits for launches, and gaps between consecutive kernels
    TimeNs tail = 0;            ///< after the last compute: communication only
    [[nodiscard]] TimeNs bubble() const { return bubble_warmup + bubble_steady + bubble_cooldown; }
};

/// Traffic of one dimension in one step, summed over the calls of all ranks (a message counts at both of its ends).
struct TrafficTruth {
    std::int64_t calls = 0;
    std::int64_t bytes = 0;
};

struct RunTruth {
    std::vector<ProcessGroup> groups;
    std::vector<CollectiveTruth> collectives;
    std::vector<StepTruth> steps;      ///< by rank, then step
    std::vector<TrafficTruth> traffic; ///< by Dimension, per step
    double ideal_bubble = 0;           ///< (pp - 1) / (microbatches + pp - 1)
    int slow_rank = -1;                ///< -1: none
    std::string slow_cause;            ///< "slower_kernels", "host_bound", "late_data" or ""
    double slow_factor = 1;
    std::vector<TimeNs> clock_offsets; ///< by rank: what its file adds to the true time
    std::uint64_t bytes_written = 0;   ///< of trace text, before compression; 0 when nothing was written
    std::uint64_t events_written = 0;  ///< complete ("X") events of all files
};

/// The whole truth as JSON, times in nanoseconds.
std::string truth_json(const RunTruth& truth);

} // namespace rankscope
