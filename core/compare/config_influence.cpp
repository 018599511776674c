// SPDX-License-Identifier: GPL-3.0-or-later
// What a setting is about, by the words in its key.
#include "core/compare/config_influence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

struct Influence {
    /// The key in lower case, its parts joined by dots, contains one of the words as whole parts ('_' and '-' part too,
    /// "." joins).
    std::array<std::string_view, 8> words;
    SettingKind kind;
};

/// First match wins.
constexpr std::array kInfluences{
    Influence{{"pp", "pipeline_parallel_degree", "pipeline_parallel_schedule", "pp_mb", "microbatches", "microbatch"},
              SettingKind::pipeline},
    Influence{{"ep", "expert_parallel_degree", "moe", "capacity_factor", "experts"}, SettingKind::experts},
    Influence{{"tp", "dp", "cp", "dp_replicate", "dp_shard", "world_size", "total_count", "fsdp"},
              SettingKind::parallelism},
    Influence{{"tensor_parallel_degree", "context_parallel_degree", "data_parallel_replicate_degree",
               "data_parallel_shard_degree", "pg_count", "pg_config", "count_per_node"},
              SettingKind::parallelism},
    Influence{{"precision", "dtype", "mixed_precision", "mixed_precision_param", "mixed_precision_reduce", "float8",
               "fp8", "bf16"},
              SettingKind::dtype},
    Influence{{"nccl", "rccl", "nccl_version", "communication_library", "protocol_selection", "ib", "bandwidth_gbps",
               "topology"},
              SettingKind::transport},
    Influence{{"batch_size", "seq_len", "local_batch_size", "input_len", "output_len", "num_layers", "num_params",
               "num_heads"},
              SettingKind::work},
    Influence{
        {"activation_checkpoint", "recompute", "compile", "compiler_tool_selection", "attention", "sdpa", "flash"},
        SettingKind::work},
    Influence{{"num_workers", "omp_num_threads", "cuda_launch_blocking", "cuda_graph", "pin_memory", "dataloader",
               "cuda_device_max_connections", "gc_freq"},
              SettingKind::host},
    Influence{{"driver_version", "cuda_version", "hip_version", "torch_version", "device", "deviceproperties",
               "xpu_spec", "cuda_driver_version"},
              SettingKind::device},
    Influence{{"pytorch_version", "vllm_version", "sglang_version", "tensorrt_llm_version"}, SettingKind::device},
    // RCCL runs name their settings in the folder: 56cu_256threads.
    Influence{{"folder"}, SettingKind::transport},
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

/// The words beside the numbers of a name, each number as one "#": "#cu_#threads".
std::string form_of_name(std::string_view name) {
    std::string form;
    for (const char c : name)
        if (!is_digit(c))
            form += c;
        else if (form.empty() || form.back() != '#')
            form += '#';
    return form;
}

} // namespace

bool folder_names_settings(std::string_view baseline, std::string_view test) {
    const std::string form = form_of_name(baseline);
    if (form != form_of_name(test))
        return false;
    for (std::size_t i = 0; i + 1 < form.size(); ++i)
        if (form[i] == '#' && std::isalpha(static_cast<unsigned char>(form[i + 1])) != 0)
            return true;
    return false;
}

std::optional<SettingKind> setting_kind(std::string_view config_key) {
    const std::string key = lower_case(config_key);
    for (const Influence& influence : kInfluences)
        for (const std::string_view word : influence.words)
            if (!word.empty() && has_words(key, word))
                return influence.kind;
    return {};
}

std::vector<const MetricChange*> may_explain(const ConfigEntry& entry, std::span<const MetricChange> changes) {
    std::vector<const MetricChange*> moved;
    const auto kind = setting_kind(entry.key);
    if (entry.equal() || !kind)
        return moved;
    if (entry.key == "run.folder" &&
        !(entry.baseline && entry.test && folder_names_settings(*entry.baseline, *entry.test)))
        return moved;
    for (const MetricChange& change : changes)
        if (change.comparable && change.status != ChangeStatus::similar &&
            std::ranges::count(change.metric->moved_by, *kind) > 0)
            moved.push_back(&change);
    return moved;
}

} // namespace rankscope
