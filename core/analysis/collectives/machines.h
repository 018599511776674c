// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks share a machine, where the recording or the user tells.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "core/trace/run.h"

namespace rankscope {

inline constexpr int kMostGpusPerMachine = 4096;
/// Where the configuration of a run holds how many ranks in a row share a machine, as the user says.
inline constexpr const char* kGpusPerMachine = "rankscope.gpus_per_machine";
/// The run with that in its configuration; gpus 0: as it is.
std::shared_ptr<const Run> with_gpus_per_machine(std::shared_ptr<const Run> run, int gpus);

/// What joins the ranks of a group. unknown: nothing proves of each of them which machine it is on.
enum class Way : std::uint8_t { unknown, inside, between };

/// The first of these that tells: host names and numbers of machines in the names of files, then in those of folders;
/// the workload card's count_per_node; host names inside the files, and reports of Nsight Systems, each of one machine;
/// what the user says of this run (kGpusPerMachine), then of all runs (gpus_per_machine; 0: nothing); what NCCL's RAS
/// says of the nodes; the numbers of GPUs, where blocks of ranks have a GPU each. A process that sees one GPU calls it
/// 0, so that equal numbers prove nothing.
class Machines {
public:
    explicit Machines(const Run& run, int gpus_per_machine = 0);
    [[nodiscard]] Way way(std::span<const int> ranks) const;
    /// The machines of these ranks, by numbers; empty where one is not known.
    [[nodiscard]] std::set<std::int64_t> of(std::span<const int> ranks) const;

private:
    [[nodiscard]] std::optional<std::int64_t> of(int rank) const;
    std::map<int, std::int64_t> named_; ///< traced ranks whose machine has a name
    std::int64_t block_ = 0;            ///< how many ranks in a row share a machine; 0: not known
};

} // namespace rankscope
