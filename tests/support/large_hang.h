// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of a job with many ranks and full buffers, written fast: some ranks stop, and all others wait for them.
#pragma once
#include <filesystem>
#include <set>
#include <string>

namespace rankscope {

struct LargeHang {
    int tensor = 8, data = 16, pipeline = 8; ///< sizes of the groups; their product is the number of ranks
    int calls = 2000;                        ///< of each rank, the open ones included
    std::set<int> stopped;                   ///< ranks whose host never makes the last calls
    [[nodiscard]] int ranks() const { return tensor * data * pipeline; }
};

/// A pickle of protocol 2 with a memo, as PyTorch writes it.
std::string large_dump(const LargeHang& job, int rank);
/// nccl_trace_rank_0 and so on.
void write_large_hang(const LargeHang& job, const std::filesystem::path& folder);

} // namespace rankscope
