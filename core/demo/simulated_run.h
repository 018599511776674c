// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated run before it is written: what each rank launches, when it ran, and what is known about it.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/demo/run_truth.h"

namespace rankscope {

enum class StreamSlot : std::uint8_t { compute, tensor, data, previous_stage, next_stage };
inline constexpr std::size_t kStreamSlotCount = 5;

enum class GpuWork : std::uint8_t { kernel, memory_copy, memory_set };

/// What all launches of one kernel on one rank have in common.
struct KernelSpec {
    std::string name;
    std::vector<std::string> operators; ///< CPU operators around the launch, outermost first
    GpuWork work = GpuWork::kernel;
    StreamSlot stream = StreamSlot::compute;
    int blocks = 1;
    int threads = 256;
    std::int64_t bytes = 0; ///< copies and sets
    // Collectives only:
    std::string collective; ///< "allreduce", "send", "recv"; empty: not a collective
    std::string annotation; ///< "nccl:all_reduce" ...
    Dimension dimension = Dimension::tensor;
    std::string dtype;
    std::int64_t elements = 0;
    std::int64_t out_elements = -1; ///< where it differs
    std::string in_split = "[]";
    std::string out_split = "[]";
    int group = -1;     ///< index in RunTruth::groups
    int group_rank = 0; ///< "Rank": place in the group; of a message: the peer's
    int peer = -1;      ///< messages: the other rank
};

enum class Phase : std::uint8_t { load, forward, backward, update };

inline constexpr std::uint32_t kNoTask = 0xffffffff;
inline constexpr TimeNs kUnresolved = -1;

/// One piece of GPU work and the CPU operators that launch it.
struct GpuTask {
    TimeNs host = 0; ///< start of the outermost operator; until simulated, relative to the step's start
    TimeNs start = kUnresolved;
    TimeNs end = kUnresolved;
    TimeNs duration = 0;           ///< collectives: unused
    std::uint32_t after = kNoTask; ///< earlier task of the rank that must have ended
    std::int32_t call = -1;        ///< collectives: index in RunTruth::collectives
    std::int32_t sequence = -1;    ///< collectives: "Seq"
    std::uint16_t spec = 0;
    std::uint16_t step = 0; ///< from 0
    std::uint16_t microbatch = 0;
    std::int16_t layer = -1; ///< -1: outside the layers
    Phase phase = Phase::load;
    bool on_autograd_thread = false;
};

/// The host stops, before it launches a task.
struct HostPause {
    enum class Kind : std::uint8_t { garbage_collection, synchronisation, allocation };
    Kind kind = Kind::garbage_collection;
    std::uint16_t step = 0; ///< from 0
    std::uint32_t before_task = 0;
    TimeNs begin = 0; ///< until simulated, relative to the step's start
    TimeNs end = 0;
};

struct RankProgram {
    int rank = 0;
    int stage = 0;
    TimeNs before_launch = 0; ///< host costs of this rank
    TimeNs launch = 0;
    TimeNs after_launch = 0;
    TimeNs data_loading = 0;
    std::vector<KernelSpec> specs;
    std::vector<GpuTask> tasks;            ///< in the order of their launches
    std::vector<std::uint32_t> first_task; ///< of each step; one more at the end
    std::vector<TimeRange> steps;          ///< ProfilerStep annotations, true time
    std::vector<HostPause> pauses;         ///< in order
    std::vector<TimeNs> sync_begins;       ///< of each step: when the host starts to wait for the GPU

    [[nodiscard]] const KernelSpec& spec_of(const GpuTask& task) const { return specs[task.spec]; }
    [[nodiscard]] TimeNs launch_time(const GpuTask& task) const { return task.host + before_launch; }
    [[nodiscard]] TimeNs host_end(const GpuTask& task) const { return launch_time(task) + launch + after_launch; }
};

struct SimulatedRun {
    std::vector<RankProgram> ranks;
    RunTruth truth;
};

} // namespace rankscope
