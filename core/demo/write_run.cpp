// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a simulated run as a folder: traces of all ranks in parallel, configuration files, the truth.
#include <algorithm>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/demo/kineto_text.h"
#include "core/demo/kineto_writer.h"
#include "core/demo/run_simulator.h"

namespace rankscope {

namespace {

std::string workload_card(const SimulatorOptions& o) {
    const std::int64_t parameters = o.gradient_elements_per_layer * o.tp * o.layers * o.pp;
    return fmt::format(
        "version: 1\ndescription: \"Simulated training, pp {0} x dp {1} x tp {2}\"\nhf_url: None\ntrace_url: None\n"
        "workload:\n  model:\n    phase: training\n    moe: false\n    model_family: simulated\n    precision: bf16\n"
        "    epochs: 1\n    iteration: {3}\n    model_arch:\n      num_params: {4}\n      num_params_active: {4}\n"
        "      num_params_embedding: 0\n      num_layers: {5}\n      num_heads: 32\n      head_dim: 128\n"
        "  data:\n    batch_size: {6}\n    seq_len: 2048\n    dataset: simulated\n"
        "  hardware:\n    network_topo:\n      topology: simulated\n      bandwidth_gbps: [{7}, {8}]\n    xpu_spec:\n"
        "      type: GPU\n      model: \"{9}\"\n      total_count: {10}\n      count_per_node: {11}\n"
        "Model-executor:\n  framework:\n    name: torch\n  model_plan_parallelization:\n    dp_replicate: {1}\n    "
        "dp_shard: 1\n"
        "    tp: {2}\n    pp: {0}\n    cp: 1\n    ep: 1\n    pp_mb: {12}\n  communication_library:\n    name: {13}\n"
        "metric_source:\n  traces: [kineto_trace]\n",
        o.pp, o.dp, o.tp, o.steps, parameters, o.layers * o.pp, o.microbatches * o.dp, o.inter_node_gb_s * 8,
        o.intra_node_gb_s * 8, device_name(o), o.world_size(), o.gpus_per_node, o.microbatches,
        o.vendor == GpuVendor::amd ? "RCCL" : "NCCL");
}

std::string train_config(const SimulatorOptions& o) {
    return fmt::format(
        "[training]\nlocal_batch_size = {}\nseq_len = 2048\nsteps = {}\n\n[parallelism]\n"
        "data_parallel_replicate_degree = {}\ndata_parallel_shard_degree = 1\ntensor_parallel_degree = {}\n"
        "pipeline_parallel_degree = {}\npipeline_parallel_schedule = \"1F1B\"\ncontext_parallel_degree = 1\n"
        "expert_parallel_degree = 1\n\n[profiling]\nprofile_freq = {}\n",
        o.microbatches, o.steps, o.dp, o.tp, o.pp, o.first_step + o.steps);
}

/// Counts what was written, and keeps the error of the lowest rank that failed.
class Outcome {
public:
    void add(const WrittenTrace& written) {
        const std::scoped_lock lock(mutex_);
        total_.bytes += written.bytes;
        total_.events += written.events;
    }
    void fail(int rank, Error error) {
        const std::scoped_lock lock(mutex_);
        if (failed_rank_ < 0 || rank < failed_rank_) {
            failed_rank_ = rank;
            error_ = std::move(error);
        }
    }
    [[nodiscard]] Result<WrittenTrace> result() const {
        if (failed_rank_ >= 0)
            return tl::unexpected<Error>(error_);
        return total_;
    }

private:
    std::mutex mutex_;
    WrittenTrace total_;
    int failed_rank_ = -1;
    Error error_;
};

Result<WrittenTrace> write_ranks(const SimulatorOptions& o, const SimulatedRun& run,
                                 const std::filesystem::path& folder, const std::stop_token& stop) {
    Outcome outcome;
    const bool gzip = o.compression == Compression::gzip;
    tbb::parallel_for(0, o.world_size(), [&](int rank) {
        if (std::find(o.unwritten_ranks.begin(), o.unwritten_ranks.end(), rank) != o.unwritten_ranks.end())
            return;
        const std::string name = fmt::format(fmt::runtime(o.file_name), rank) + (gzip ? ".gz" : "");
        OutputFile file(folder / name, gzip);
        const WrittenTrace written = write_kineto(o, run, rank, file, stop);
        if (stop.stop_requested())
            outcome.fail(rank, {Error::Code::cancelled, "interrupted"_text});
        else if (const Result<void> done = file.commit(); !done)
            outcome.fail(rank, done.error());
        else
            outcome.add(written);
    });
    return outcome.result();
}

} // namespace

Result<RunTruth> write_run(const SimulatorOptions& options, const std::filesystem::path& folder,
                           const std::stop_token& stop) {
    Result<SimulatedRun> run = simulate(options);
    if (!run)
        return tl::unexpected<Error>(run.error());
    const std::filesystem::path first_file = folder / fmt::format(fmt::runtime(options.file_name), 0);
    std::error_code failure;
    std::filesystem::create_directories(first_file.parent_path(), failure);
    if (failure) {
        return tl::unexpected<Error>(Error{
            Error::Code::output, "cannot create %1: %2"_text(first_file.parent_path().string(), failure.message())});
    }
    const Result<WrittenTrace> written = write_ranks(options, *run, folder, stop);
    if (!written)
        return tl::unexpected<Error>(written.error());
    run->truth.bytes_written = written->bytes;
    run->truth.events_written = written->events;
    std::vector<std::pair<std::string, std::string>> texts = {{"simulator.truth", truth_json(run->truth)}};
    if (options.configuration) {
        texts.emplace_back("workload_card.yaml", workload_card(options));
        texts.emplace_back("train_config.toml", train_config(options));
    }
    for (const auto& [name, text] : texts)
        if (const Result<void> done = write_text_file(folder / name, text); !done)
            return tl::unexpected<Error>(done.error());
    return std::move(run->truth);
}

SimulatorOptions demo_baseline() {
    SimulatorOptions options;
    options.pp = 2;
    options.dp = 2;
    options.tp = 2;
    options.microbatches = 6;
    options.layers = 3;
    options.steps = 4;
    options.embedding_time = 240000;
    options.loss_time = 520000;
    options.jitter = 0.02;
    options.cpu_detail = 4;
    options.python_stacks = true;
    return options;
}

SimulatorOptions demo_test() {
    SimulatorOptions options = demo_baseline();
    options.seed = 2;
    options.slow = {5, 1.35, SlowCause::slower_kernels};
    return options;
}

Result<std::filesystem::path> write_demo_runs(const std::filesystem::path& folder, const std::stop_token& stop) {
    const std::pair<const char*, SimulatorOptions> runs[] = {{"baseline", demo_baseline()}, {"straggler", demo_test()}};
    for (const auto& [name, options] : runs)
        if (const Result<RunTruth> truth = write_run(options, folder / name, stop); !truth)
            return tl::unexpected<Error>(truth.error());
    return folder;
}

} // namespace rankscope
