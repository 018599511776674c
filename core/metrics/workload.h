// SPDX-License-Identifier: GPL-3.0-or-later
// What throughput and utilisation need to know of the workload, and the words for what is missing.
#pragma once
#include <optional>
#include <string>

#include "core/base/message.h"
#include "core/metrics/metric.h"
#include "core/trace/run_settings.h"

namespace rankscope {

/// Mean iteration time in seconds: iter_time, or what the GPU takes where the host runs ahead; empty with its reason.
struct IterationTime {
    std::optional<double> seconds;
    Message reason;
};
IterationTime iteration_time(const RunAnalysis& analysis);

/// Sequences and tokens of one step of the whole job, with where each number came from.
struct StepTokens {
    double batch_size = 0; ///< global
    double sequence_length = 0;
    std::string batch_source; ///< "workload.data.batch_size"
    [[nodiscard]] double tokens() const { return batch_size * sequence_length; }
};
/// Global batch of the card, else local_batch_size × dp_replicate × dp_shard of train_config.toml. Error: what is
/// missing.
tl::expected<StepTokens, Message> step_tokens(const RunConfig& config);

/// Devices of the job: the card's total_count, else the run's world size.
double device_count(const Run& run);
/// As the trace names it, else as the card does; "" when neither does.
std::string run_device_name(const Run& run);
bool is_inference(const RunConfig& config);

} // namespace rankscope
