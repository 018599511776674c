// SPDX-License-Identifier: GPL-3.0-or-later
// A training job, and the program its ranks run. What a rank does follows the habits of PyTorch, Megatron and FSDP2.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/simulator/machine.h"
#include "tests/support/simulator/schedule.h"

namespace rankscope::machine {

enum class FaultKind : std::uint8_t {
    slow_gpu,           ///< all computation of a rank takes `factor` as long; several ranks: equal stragglers
    slow_kernel,        ///< one kernel does, on one rank
    slow_link,          ///< the connection of two ranks
    slow_card,          ///< the network card of a rank: all its connections to other nodes
    slow_group,         ///< all connections of one group, while other groups of its dimension are well
    slow_dimension,     ///< those of all groups of a dimension: nothing to compare with
    stall_before_load,  ///< the host of a rank does something else before its data loader
    stall_in_load,      ///< its data loader is late
    late_data,          ///< that of all ranks
    garbage_collection, ///< the host of a rank collects garbage in the backward pass
    synchronisation,    ///< a rank waits for its GPU after each pass
    slow_host,          ///< the host of a rank takes `factor` as long
    host_bound,         ///< the hosts of all ranks do
    allocation,         ///< cudaFree and cudaMalloc in every step of a rank
    uneven_stages,      ///< a stage has more to compute: inherent
    uneven_experts,     ///< one rank's experts get `factor` as many tokens
};

std::string_view fault_word(FaultKind kind);
/// What the program is made of, no fault of a rank, a link or a host.
bool inherent(FaultKind kind);

struct Fault {
    FaultKind kind = FaultKind::slow_gpu;
    std::vector<int> ranks; ///< whom it befalls; of a link its two ends; of a group its members; empty: all
    double factor = 1;
    double time = 0;                       ///< nanoseconds
    Dimension dimension = Dimension::data; ///< of a group
    std::string kernel = {};               ///< its name
    int first = 0;                         ///< step of the recording, from 0
    int last = 1 << 30;                    ///< likewise, included
    int every = 1;                         ///< only each of these steps, from the first

    /// step: of the program, `before` steps of which are not recorded. A fault of all steps was there before.
    [[nodiscard]] bool strikes(int step, int before) const {
        const int recorded = step - before;
        if (first == 0 && every == 1)
            return recorded <= last;
        return recorded >= first && recorded <= last && (recorded - first) % every == 0;
    }
    [[nodiscard]] bool hits(int rank) const;
};

enum class DataParallel : std::uint8_t { ddp, fsdp };
enum class StepEnd : std::uint8_t { runs_ahead, item, device }; ///< where the host waits in each step

struct Job {
    std::uint64_t seed = 1;

    // The mesh.
    int pp = 1;
    int dp = 1;
    int tp = 1;
    bool pipeline_inside_data = false; ///< order dp, pp, tp instead of pp, dp, tp
    int gpus_per_node = 8;

    // The program.
    DataParallel data = DataParallel::ddp;
    PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
    int chunks = 1; ///< stages a rank
    int microbatches = 4;
    int layers = 2; ///< a stage
    bool experts = false;
    bool overlap_tensor = false; ///< sums of input gradients beside the products for weights, as in Megatron
    bool global_norm = false;
    bool norm_item = false; ///< the host reads the norm
    StepEnd step_end = StepEnd::item;
    bool eager_messages = false;
    bool receives_wait = true; ///< a receive is posted once the computation before it has ended, as in PyTorch
    int steps = 8;             ///< recorded
    int steps_before = 2;      ///< not recorded
    int first_number = 10;     ///< of the first recorded step

    // Its size.
    double gemm = 250e3; ///< time of a matrix product of a layer
    double attention = 150e3;
    double element_wise = 25e3;
    double embedding = 60e3;
    double head = 200e3;      ///< of the last stage, forward
    bool even_stages = false; ///< the same work, spread evenly over the stages
    double update = 400e3;
    std::int64_t tokens = 4096;
    std::int64_t hidden = 4096;
    std::int64_t gradients = 12'000'000; ///< elements of a layer

    // The host.
    double operator_time = 9e3; ///< a launch with its operator
    double python_gap = 4e3;    ///< between operators
    double load = 60e3;         ///< data loader
    double step_python = 80e3;  ///< at the end of a step

    // The network: nanoseconds, and gigabytes a second
    double near_latency = 12e3;
    double far_latency = 25e3;
    double near_gb_s = 180;
    double far_gb_s = 40;

    // Noise: relative standard deviations
    double kernel_noise = 0.015;
    double transfer_noise = 0.02;
    double host_noise = 0.15;
    double rank_noise = 0.001; ///< between GPUs, constant
    double token_noise = 0.01;
    double microbatch_noise = 0; ///< of the work of a microbatch, the same on all ranks that compute it

    Traits traits;
    std::vector<Fault> faults;

    [[nodiscard]] int world() const { return pp * dp * tp; }
    [[nodiscard]] int rank_of(int p, int d, int t) const {
        return (pipeline_inside_data ? d * pp + p : p * dp + d) * tp + t;
    }
    [[nodiscard]] int pipeline_rank(int rank) const { return pipeline_inside_data ? rank / tp % pp : rank / tp / dp; }
    [[nodiscard]] int data_rank(int rank) const { return pipeline_inside_data ? rank / tp / pp : rank / tp % dp; }
    [[nodiscard]] int tensor_rank(int rank) const { return rank % tp; }
    [[nodiscard]] int node(int rank) const { return rank / gpus_per_node; }
};

/// Names of the kernels that take most of a layer's time.
std::vector<std::string> layer_kernels();

/// Groups a rank's job makes, in the order and with the names that all ranks agree on; the first is all ranks.
std::vector<Group> groups_of(const Job& job);
/// Ranks of the group of that dimension that a rank is in.
std::vector<int> group_of(const Job& job, Dimension dimension, int rank);

/// The same job: the same program. A fault changes durations and adds instructions, and no draw of anything else.
Program program_of(const Job& job);

} // namespace rankscope::machine
