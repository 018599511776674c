// SPDX-License-Identifier: GPL-3.0-or-later
// A small deterministic model of pipeline x data x tensor parallel training, written as Kineto traces with the truth
// beside them: the project's test data of any size, and the runs behind --demo.
//
// Per rank: a host (main and autograd thread) that launches GPU work in order; a compute stream and one communication
// stream per process group kind (two for the pipeline: one per neighbour). A kernel starts when it is launched, its
// stream is free and what it waits for is done. A collective ends for all its members at max(arrival) + transfer.
// The schedule is 1F1B; gradients of the last microbatch are reduced in buckets while its backward pass goes on.
#pragma once
#include <filesystem>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/notice.h"
#include "core/demo/run_truth.h"
#include "core/demo/simulated_run.h"

namespace rankscope {

enum class GpuVendor : std::uint8_t { nvidia, amd };
enum class Compression : std::uint8_t { none, gzip };

/// What makes a rank slow: its compute kernels, all its host work, or its data loading takes factor times as long.
enum class SlowCause : std::uint8_t { slower_kernels, host_bound, late_data };
std::string_view slow_cause_word(SlowCause cause);

struct SlowRank {
    int rank = -1; ///< -1: none
    double factor = 1;
    SlowCause cause = SlowCause::slower_kernels;
};

enum class FaultCause : std::uint8_t {
    slower_kernels,     ///< compute kernels take factor times as long
    more_kernels,       ///< one more kernel of that length after each layer
    host_bound,         ///< all host work between launches takes factor times as long
    late_data,          ///< data loading takes that much longer
    garbage_collection, ///< the host stops for that long before each backward pass
    synchronisation,    ///< the host waits for the compute stream before each backward pass
    allocation,         ///< cudaMalloc takes that long in each forward pass
    slow_link,          ///< transfers of the rank's group of that dimension take factor times as long
    first_iteration,    ///< the host starts that much later in the first step
    expert_imbalance,   ///< the rank's experts get factor times the tokens of each other rank's of its group; needs
                        ///< experts
    late_start          ///< the rank starts the first step that much later
};
std::string_view fault_cause_word(FaultCause cause);

/// What is wrong with a rank, or, where rank is kAllRanks, with all of them. Any number of them together.
struct Fault {
    static constexpr int kAllRanks = -1;
    FaultCause cause = FaultCause::slower_kernels;
    int rank = kAllRanks;
    double factor = 1;
    TimeNs time = 0;
    Dimension dimension = Dimension::data;
};

/// One kernel of a layer; a tensor-parallel all-reduce of the activations may follow it.
struct LayerKernel {
    std::vector<std::string> operators; ///< CPU operators around its launch, outermost first
    std::string kernel;
    TimeNs duration = 0;
    bool all_reduce_after = false;
    int blocks = 432;
    int threads = 256;
};

/// What goes wrong while a rank is recorded.
struct CaptureDefect {
    int rank = 0;
    int skip_collectives = 0;          ///< its capture starts with the collective of this number; all before is lost
    std::vector<int> drop_collectives; ///< numbers (from 0, as launched) of calls whose GPU kernel is lost
    bool omit_collective_args = false;
};

struct HostCosts {
    TimeNs before_launch = 6000; ///< operator overhead until the launch call
    TimeNs launch = 3500;        ///< the launch call
    TimeNs after_launch = 1500;
};

/// The times in the files count from here ("baseTimeNanoseconds").
inline constexpr TimeNs kKinetoBaseTime = 1759363200000000000;

struct SimulatorOptions {
    int pp = 1;
    int dp = 1;
    int tp = 1;
    int microbatches = 4;
    int layers = 2; ///< per stage
    int steps = 3;
    std::int64_t first_step = 10;

    std::vector<LayerKernel> forward_layer;  ///< empty: that of a transformer layer
    std::vector<LayerKernel> backward_layer; ///< likewise
    TimeNs embedding_time = 0;               ///< per microbatch on the first stage; 0: none
    TimeNs loss_time = 0;                    ///< per microbatch on the last stage; 0: none
    bool experts = false; ///< each layer ends with experts, spread over the data-parallel ranks: all-to-all, grouped
                          ///< GEMM, all-to-all
    TimeNs expert_time =
        400000; ///< of the grouped GEMM of a layer where tokens fall evenly; twice that in the backward pass
    std::int64_t expert_elements = 4194304; ///< of the tokens that each rank sends to the experts of a layer
    int optimizer_kernels = 4;
    TimeNs optimizer_kernel_time = 150000;
    std::int64_t batch_bytes = 65536; ///< copied to the GPU as a step starts; 0: no copy

    std::int64_t activation_elements = 8388608;          ///< of a tensor-parallel all-reduce and of a pipeline message
    std::int64_t gradient_elements_per_layer = 25165824; ///< per rank
    int layers_per_bucket = 1;
    std::string activation_dtype = "BFloat16";
    std::string gradient_dtype = "Float";
    double intra_node_gb_s = 240; ///< tensor parallel; infinity: transfers take no time
    double inter_node_gb_s = 45;  ///< data parallel and pipeline
    TimeNs collective_latency = 12000;

    HostCosts host;
    TimeNs launch_latency = 5000; ///< start of the launch call to the earliest start of its kernel
    TimeNs kernel_gap = 1000;     ///< between kernels of one stream
    TimeNs data_loading_time = 400000;
    TimeNs step_return_time = 20000; ///< host work after the step's last synchronisation
    double jitter = 0;               ///< kernel times vary by at most this fraction
    std::uint64_t seed = 1;

    SlowRank slow;
    std::vector<Fault> faults;
    bool compute_waits =
        true; ///< false: no computation waits for communication, though the host still does at the end of a step
    std::vector<TimeNs> clock_offsets; ///< by rank; missing ones are 0
    std::vector<CaptureDefect> defects;
    std::vector<int> unwritten_ranks; ///< ranks whose file is missing

    GpuVendor vendor = GpuVendor::nvidia;
    std::string gpu_name; ///< empty: "NVIDIA A100-SXM4-80GB" or "AMD Instinct MI300X"
    int gpus_per_node = 8;
    TimeNs start_time = 1764000000000000000; ///< when the first step starts, ns since the Unix epoch
    bool annotate_microbatches = true;
    bool python_stacks = false;
    bool memory_instants = true;
    int cpu_detail = 0;        ///< more CPU operators inside each launching one; changes no other event
    bool configuration = true; ///< write workload_card.yaml and train_config.toml
    Compression compression = Compression::none;
    std::string file_name = "rank{}.json"; ///< {}: the rank; ".gz" is added for gzip

    [[nodiscard]] int world_size() const { return pp * dp * tp; }
};

/// Runs the model. Errors: options that make no sense.
Result<SimulatedRun> simulate(const SimulatorOptions& options);

/// Simulates and writes one trace per rank, the configuration files and "simulator.truth" (JSON) into the folder,
/// which is created. Every file is written whole or not at all; ranks are written in parallel. Errors: cancelled where
/// it is asked to stop; output.
Result<RunTruth> write_run(const SimulatorOptions& options, const std::filesystem::path& folder,
                           const std::stop_token& stop = {});

/// The two runs behind --demo: eight ranks (pp 2 x dp 2 x tp 2); in the second, the kernels of one rank are slower.
SimulatorOptions demo_baseline();
SimulatorOptions demo_test();
/// Writes them as folder/baseline and folder/straggler; returns folder.
Result<std::filesystem::path> write_demo_runs(const std::filesystem::path& folder, const std::stop_token& stop = {});

} // namespace rankscope
