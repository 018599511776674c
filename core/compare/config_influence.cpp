// SPDX-License-Identifier: GPL-3.0-or-later
// Which metrics a change of configuration may move.
#include "core/compare/config_influence.h"

#include <algorithm>
#include <array>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

using Ids = std::array<std::string_view, 12>; // unused places are empty

constexpr Ids kTransport{"comm_bandwidth", "comm_comp_overlap", "straggler_lag",
                         "iter_time",      "throughput_tokens", "mfu",
                         "gpu_timeline",   "temporal_breakdown"};
constexpr Ids kParallelism{"iter_time",
                           "throughput_tokens",
                           "mfu",
                           "coll_call_num",
                           "traffic_distribution",
                           "traffic_window",
                           "comm_bandwidth",
                           "comm_comp_overlap",
                           "pipeline_bubble",
                           "gpu_timeline",
                           "memory",
                           "temporal_breakdown"};
constexpr Ids kPipeline{"pipeline_bubble", "iter_time",     "throughput_tokens",    "mfu",
                        "gpu_timeline",    "coll_call_num", "traffic_distribution", "memory"};
constexpr Ids kWork{
    "iter_time",         "throughput_tokens", "mfu", "memory", "kernel_breakdown", "traffic_distribution",
    "comm_comp_overlap", "roofline",          "sm"};
constexpr Ids kDtype{"mfu",   "iter_time", "throughput_tokens", "kernel_breakdown", "roofline", "traffic_distribution",
                     "memory"};
constexpr Ids kHost{"launch_stats", "idle_causes", "gpu_timeline", "iter_time", "throughput_tokens", "straggler_lag"};
constexpr Ids kDevice{"iter_time", "throughput_tokens", "mfu",         "kernel_breakdown", "roofline",
                      "sm",        "comm_bandwidth",    "gpu_timeline"};
constexpr Ids kExperts{"token_to_expert_assignment", "straggler_lag", "traffic_distribution", "iter_time",
                       "throughput_tokens"};

struct Influence {
    /// The key in lower case, its parts joined by dots, contains one of the words as whole parts ('_' and '-' part too,
    /// "." joins).
    std::array<std::string_view, 8> words;
    Ids metrics;
};

/// First match wins.
constexpr std::array kInfluences{
    Influence{{"pp", "pipeline_parallel_degree", "pipeline_parallel_schedule", "pp_mb", "microbatches", "microbatch"},
              kPipeline},
    Influence{{"ep", "expert_parallel_degree", "moe", "capacity_factor", "experts"}, kExperts},
    Influence{{"tp", "dp", "cp", "dp_replicate", "dp_shard", "world_size", "total_count", "fsdp"}, kParallelism},
    Influence{{"tensor_parallel_degree", "context_parallel_degree", "data_parallel_replicate_degree",
               "data_parallel_shard_degree", "pg_count", "pg_config", "count_per_node"},
              kParallelism},
    Influence{{"precision", "dtype", "mixed_precision", "mixed_precision_param", "mixed_precision_reduce", "float8",
               "fp8", "bf16"},
              kDtype},
    Influence{{"nccl", "rccl", "nccl_version", "communication_library", "protocol_selection", "ib", "bandwidth_gbps",
               "topology"},
              kTransport},
    Influence{{"batch_size", "seq_len", "local_batch_size", "input_len", "output_len", "num_layers", "num_params",
               "num_heads"},
              kWork},
    Influence{
        {"activation_checkpoint", "recompute", "compile", "compiler_tool_selection", "attention", "sdpa", "flash"},
        kWork},
    Influence{{"num_workers", "omp_num_threads", "cuda_launch_blocking", "cuda_graph", "pin_memory", "dataloader",
               "cuda_device_max_connections", "gc_freq"},
              kHost},
    Influence{{"driver_version", "cuda_version", "hip_version", "torch_version", "device", "deviceproperties",
               "xpu_spec", "cuda_driver_version"},
              kDevice},
    // RCCL runs name their settings in the folder: 56cu_256threads.
    Influence{{"folder"}, kTransport},
};

bool is_border(char c) { return c == '.' || c == '_' || c == '-' || c == '[' || c == ']' || c == '/'; }

/// "tp" in "parallelism.tp" or "nccl" in "env.nccl_algo", not in "step" or "http".
bool has_words(std::string_view key, std::string_view words) {
    for (std::size_t at = key.find(words); at != std::string_view::npos; at = key.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || is_border(key[at - 1])) && (end == key.size() || is_border(key[end])))
            return true;
    }
    return false;
}

} // namespace

std::span<const std::string_view> metrics_moved_by(std::string_view config_key) {
    const std::string key = lower_case(config_key);
    for (const Influence& influence : kInfluences)
        for (const std::string_view word : influence.words)
            if (!word.empty() && has_words(key, word)) {
                const auto end = std::ranges::find(influence.metrics, std::string_view());
                return {influence.metrics.begin(), static_cast<std::size_t>(end - influence.metrics.begin())};
            }
    return {};
}

std::vector<const MetricChange*> may_explain(const ConfigEntry& entry, std::span<const MetricChange> changes) {
    std::vector<const MetricChange*> moved;
    if (entry.equal())
        return moved;
    const auto ids = metrics_moved_by(entry.key);
    for (const MetricChange& change : changes)
        if (change.status != ChangeStatus::similar && std::ranges::find(ids, change.metric->id) != ids.end())
            moved.push_back(&change);
    return moved;
}

} // namespace rankscope
