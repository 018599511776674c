// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/run_settings.h"

#include <charconv>
#include <cmath>

namespace rankscope {

std::optional<Setting> find_number(const RunConfig& config, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const auto at = config.find(key);
        if (at == config.end())
            continue;
        std::string_view text = at->second;
        if (text.size() > 2 && text.front() == '[' && text.back() == ']')
            text = text.substr(1, text.size() - 2);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(value))
            return Setting{value, key};
    }
    return {};
}

std::string find_text(const RunConfig& config, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const auto at = config.find(key);
        if (at != config.end() && !at->second.empty())
            return at->second;
    }
    return {};
}

Parallelism parallelism_of(const RunConfig& config) {
    Parallelism p;
    // trace.parallelism: what an operation timeline says itself.
    const auto degree = [&](const char* card, const char* toml, const char* trace = "") {
        return find_number(config, {card, toml, trace});
    };
    p.dp_replicate = degree("Model-executor.model_plan_parallelization.dp_replicate",
                            "train_config.parallelism.data_parallel_replicate_degree", "trace.parallelism.dp");
    p.dp_shard = degree("Model-executor.model_plan_parallelization.dp_shard",
                        "train_config.parallelism.data_parallel_shard_degree");
    p.tp = degree("Model-executor.model_plan_parallelization.tp", "train_config.parallelism.tensor_parallel_degree",
                  "trace.parallelism.tp");
    p.pp = degree("Model-executor.model_plan_parallelization.pp", "train_config.parallelism.pipeline_parallel_degree",
                  "trace.parallelism.pp");
    p.cp = degree("Model-executor.model_plan_parallelization.cp", "train_config.parallelism.context_parallel_degree");
    p.ep = degree("Model-executor.model_plan_parallelization.ep", "train_config.parallelism.expert_parallel_degree");
    p.microbatches =
        degree("Model-executor.model_plan_parallelization.pp_mb",
               "train_config.parallelism.pipeline_parallel_microbatches", "trace.parallelism.microbatches");
    p.pipeline_schedule = find_text(config, {"train_config.parallelism.pipeline_parallel_schedule",
                                             "Model-executor.model_plan_parallelization.pp_schedule"});
    return p;
}

std::optional<Setting> acceptance_length_of(const RunConfig& config) {
    for (const char* key : {kAcceptanceLengthOfCard, "benchmark.spec_decode_acceptance_length",
                            "benchmark.accept_length", "requests.acceptance_length"})
        if (auto found = find_number(config, {key}); found && is_acceptance_length(found->value))
            return found;
    return {};
}

} // namespace rankscope
