// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the collectives of traces what the Inspector measured of the same calls.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/input/inspector/inspector_log.h"

namespace rankscope {

struct InspectorJoin {
    std::int64_t records = 0; ///< collectives in the logs of ranks that are there
    std::int64_t calls = 0;   ///< collectives of the traces in groups of a size that the logs have
    std::int64_t joined = 0;
    std::int64_t ambiguous = 0; ///< of calls: their kinds and sizes fit the log in several places
};

/// The log of a rank is that of the process whose rank in the largest communicator it is. A process group is the
/// communicator of its size in which, from one place on, kinds and sizes of all its calls follow each other; where
/// several places do, the one at which the times agree. Where that is not clear nothing is joined. Sends and receives
/// are left alone: one kernel may do several of them.
InspectorJoin join_inspector_logs(std::span<const InspectorLog> logs,
                                  std::vector<std::shared_ptr<const RankTrace>>& ranks, StringTable& names);

} // namespace rankscope
