// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run that metrics need, as numbers, from its flattened configuration.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// A number with the key it came from ("workload.data.batch_size"), so that a result can name its source.
struct Setting {
    double value = 0;
    std::string key;
};

/// Degrees of parallelism; empty where neither the card nor train_config.toml gives one.
struct Parallelism {
    std::optional<Setting> dp_replicate;
    std::optional<Setting> dp_shard;
    std::optional<Setting> tp;
    std::optional<Setting> pp;
    std::optional<Setting> cp;
    std::optional<Setting> ep;
    std::optional<Setting> microbatches;
    std::string pipeline_schedule; ///< "1F1B" ...; empty when unknown
};

/// The first of the keys that holds a finite number; lists of one element count as that element.
std::optional<Setting> find_number(const RunConfig& config, std::initializer_list<const char*> keys);
/// The first of the keys that is there and not empty; "" otherwise.
std::string find_text(const RunConfig& config, std::initializer_list<const char*> keys);

Parallelism parallelism_of(const RunConfig& config);

/// Where the workload card has the mean acceptance length of speculative decoding.
inline constexpr char kAcceptanceLengthOfCard[] = "Model-executor.speculative_decoding.acceptance_length";
/// Tokens that a request receives from a step that verifies its drafts: at least the one that the model itself adds.
/// No engine drafts more than a few dozen.
constexpr bool is_acceptance_length(double tokens) { return tokens >= 1 && tokens <= 64; }
/// That mean, with the token that the model itself adds (the bonus token): of the card, else of the benchmark's result,
/// else of the log of requests.
std::optional<Setting> acceptance_length_of(const RunConfig& config);

} // namespace rankscope
