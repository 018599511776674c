// SPDX-License-Identifier: GPL-3.0-or-later
// What the allocator held over time, and what copies moved (metrics.md, "memory").
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/basics/distribution.h"
#include "core/analysis/selection/selection.h"
#include "core/trace/transfer_kind.h"

namespace rankscope {

/// Blocks of one size that were live at the peak.
struct LiveBlocks {
    std::int64_t bytes = 0; ///< of one block
    std::int64_t count = 0;
};

/// Allocator samples of one device inside the selection.
struct DeviceMemory {
    std::int32_t device_type = 0; ///< PyTorch's: 0 CPU, 1 CUDA/HIP
    std::int32_t device = -1;
    std::int64_t samples = 0;
    std::int64_t allocated_first = kUnknown; ///< recorded totals; kUnknown when the trace has none
    std::int64_t allocated_peak = kUnknown;
    std::int64_t reserved_peak = kUnknown;
    TimeNs peak_time = 0;         ///< of the sample with the largest allocated total
    std::int64_t live_bytes = 0;  ///< at the peak, of blocks allocated inside the selection and not freed yet
    std::vector<LiveBlocks> live; ///< these by size, largest sum first; empty when addresses are not recorded
};

/// Copies (or sets) of one kind. bandwidth = bytes of those that record them / their time.
struct TransferTotal {
    TransferKind kind = TransferKind::unknown;
    std::int64_t count = 0;
    std::int64_t without_bytes = 0;
    std::int64_t bytes = 0;
    TimeNs time = 0;
    TimeNs time_with_bytes = 0;
    [[nodiscard]] double gb_s() const; ///< NaN when no bytes are recorded, or in no time
};

struct MemoryUse {
    std::vector<DeviceMemory> devices;    ///< by type and number
    std::vector<TransferTotal> transfers; ///< by kind; those that occur
};

/// work: of the selection.
MemoryUse analyse_memory(const Run& run, const RankTrace& rank, const Selection& selection,
                         std::span<const GpuSlice> work);

} // namespace rankscope
