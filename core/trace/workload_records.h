// SPDX-License-Identifier: GPL-3.0-or-later
// What serving benchmarks and gating logs left beside the traces.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankscope {

/// A request as a benchmark or the engine's log of requests tells it; NaN and -1 where it does not.
struct ServedRequest {
    double ttft_ms = 0;
    double latency_ms = 0;             ///< from its arrival to its last token
    std::vector<double> token_gaps_ms; ///< between its tokens
    std::int64_t prompt_tokens = -1;
    std::int64_t output_tokens = -1;
};

/// bench_results.jsonl (median_ttft_ms, median_tpot_ms, median_itl_ms: means over its lines) and *.latency.json
/// (avg_latency, seconds).
struct ServingResults {
    std::optional<double> ttft_ms;
    std::optional<double> tpot_ms;
    std::optional<double> itl_ms;
    std::optional<double> average_latency_s;
    std::vector<ServedRequest> requests; ///< where the results or a log list them
    std::string requests_file;
    std::string file; ///< the one the values were read from; the last when several
};

/// gate_logs_*.json: tokens per expert, one list per step.
struct ExpertLoads {
    std::string file;
    std::vector<std::vector<double>> per_step;
};

} // namespace rankscope
