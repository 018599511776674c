// SPDX-License-Identifier: GPL-3.0-or-later
// Writes an execution as the profiler of PyTorch would have recorded it: one Kineto file a rank.
#pragma once
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/simulator/job.h"

namespace rankscope::machine {

enum class GroupWords : std::uint8_t { mesh, megatron, none };

/// What the recording adds and leaves out.
struct Recording {
    GroupWords words = GroupWords::mesh; ///< descriptions of process groups
    bool groups = true;                  ///< which ranks a collective joins, what it moves
    bool sequence_numbers = true;        ///< "Seq" of collectives
    bool annotate_passes = false;        ///< "Forward 0"
    bool card = true;                    ///< workload_card.yaml
    std::vector<double> clock_offsets;   ///< nanoseconds, by rank; empty: one clock
    std::vector<double> clock_drifts;    ///< parts per million, by rank
    std::set<int> untraced;              ///< ranks without a file
    bool one_thread = false;             ///< launches backward passes as well
    bool peers = true;                   ///< of messages; PyTorch before 2.5 does not write them
};

/// What the times in the files count from, ns.
inline constexpr std::int64_t kBaseTime = 1'727'000'000'000'000'000;

/// As the rank's file has it, ns. time: of the execution.
std::int64_t recorded_time(const Recording& recording, int rank, double time);

struct WrittenCounts {
    std::size_t kernels = 0; ///< and copies, over all ranks
    std::size_t bytes = 0;
};

/// The text of one rank's file. kernels: GPU events in it.
std::string kineto_text(const Job& job, const Program& program, const Execution& execution, const Recording& recording,
                        int rank, std::size_t& kernels);

/// Into an existing folder.
WrittenCounts write_traces(const Job& job, const Program& program, const Execution& execution,
                           const Recording& recording, const std::filesystem::path& folder);

} // namespace rankscope::machine
