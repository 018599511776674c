// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks ran on which GPU of a log. A log of GPUs 0 to 7 in the folder of 8 ranks with devices 0 to 7: one each.
// Where every process saw one GPU and called it 0, and the log has several, it is not told, and nothing is matched.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/input/hardware/gpu_activity.h"

namespace rankscope {

struct RanksOfLog {
    std::vector<MatchedGpu> gpus;
    bool needs_activity = false; ///< the GPU's number is not the rank's device: the activity must agree
    Message why_not;             ///< none is matched; empty: some are
};

/// A run as its logs need it, computed once for all of them.
struct RunOfLogs {
    explicit RunOfLogs(std::span<const std::shared_ptr<const RankTrace>> of);
    std::span<const std::shared_ptr<const RankTrace>> ranks;
    std::vector<std::filesystem::path> files; ///< by rank, absolute: its trace, or the trace that its digest is of
    std::map<std::vector<std::size_t>, std::shared_ptr<const GpuActivity>> activities; ///< by ranks of a GPU
};

/// "node7.cluster.local" -> "node7"
std::string_view short_host(std::string_view host);
/// Both absolute.
bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder);

/// host: of the log, "" where it does not tell. is_one_of_several: the logs of the run tell several hosts.
RanksOfLog ranks_of_log(const std::filesystem::path& log, const std::string& host, bool is_one_of_several,
                        std::span<const HardwareGpu* const> gpus, RunOfLogs& run);

} // namespace rankscope
