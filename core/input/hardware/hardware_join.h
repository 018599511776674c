// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the ranks of a run what logs of their GPUs tell, as counters (core/trace/hardware_series.h).
// Whose: the ranks of the log's host where names of files or the traces themselves tell hosts, else all ranks in the
// log's folder and below; of these, the GPU whose index is the rank's device. When: times of a log have no zone, so
// that any multiple of 15 minutes may lie between it and the traces; the overlap and the GPU's activity tell which. Of
// traces whose times do not count from 1970 only the activity tells. What is not clear is not joined.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/input/hardware/hardware_log.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What became of a log, or of one host of it.
struct HardwareJoin {
    std::filesystem::path log;
    HardwareFormat format = HardwareFormat::nvidia_smi;
    std::string host;
    std::size_t gpus = 0;                      ///< joined
    std::vector<int> ranks;                    ///< joined, ascending
    TimeNs offset = 0;                         ///< added to the log's times
    HardwareClock clock = HardwareClock::none; ///< what the log's times were
    bool by_activity = false;                  ///< the activity alone tells the offset
    std::size_t compared = 0;                  ///< samples of utilization that were held against the traces
    double residual_points = 0;                ///< root mean square of utilization - busy share, in percentage points
    Message why_not;                           ///< nothing was joined; empty: joined
    struct Bus {
        std::string id;
        std::vector<std::size_t> ranks; ///< indices
    };
    std::vector<Bus> buses; ///< of GPUs that were joined, where the log tells them
};

/// One a log and host. Where several logs tell the same of a GPU, the one that comes first counts.
std::vector<HardwareJoin> join_hardware_logs(std::span<const HardwareLog> logs,
                                             std::vector<std::shared_ptr<const RankTrace>>& ranks, StringTable& names);

/// A sentence on it: "nvidia-smi: …".
Message hardware_join_words(const HardwareJoin& join);

} // namespace rankscope
