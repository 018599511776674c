// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots in sentences: which rank runs out first, and how it differs from its peers.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/memory/snapshot_memory.h"
#include "core/base/message.h"

namespace rankscope {

/// "1.50 GB", "512 MB", "12.0 kB", "7 bytes": powers of 1000, as on screens.
std::string memory_words(std::int64_t bytes);

/// "Rank 1 ran out of memory first: …"; empty where no snapshot records that memory ran out.
Message out_of_memory_sentence(const Run& run, const SnapshotMemory& memory);

/// Which rank needs most, or ran out first, and how it differs from its peers. Empty without snapshots.
std::vector<Message> snapshot_sentences(const Run& run, const SnapshotMemory& memory);

} // namespace rankscope
