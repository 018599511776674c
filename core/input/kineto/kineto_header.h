// SPDX-License-Identifier: GPL-3.0-or-later
// What the header of a Kineto file says about its rank: devices, process groups, versions.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/trace/rank_builder.h"

namespace rankscope {

/// distributedInfo.rank and world_size, as far as they are there.
struct DistributedInfo {
    std::optional<int> rank;
    std::optional<int> world_size;
};
DistributedInfo distributed_info(const std::map<std::string, std::string>& header);

/// Fills devices, process groups, world size and the flattened header. A value that is not JSON gives a notice.
void apply_header(const std::map<std::string, std::string>& header, RankBuilder& builder);

/// baseTimeNanoseconds, 0 when absent.
TimeNs base_time(const std::map<std::string, std::string>& header);

/// How many ranks --export-trace put into the file; 0 of others.
int merged_ranks(const std::map<std::string, std::string>& header);

} // namespace rankscope
