// SPDX-License-Identifier: GPL-3.0-or-later
// What serving benchmarks and gating logs left beside the traces.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace rankscope {

/// bench_results.jsonl (median_ttft_ms, median_tpot_ms: means over its lines) and *.latency.json (avg_latency,
/// seconds).
struct ServingResults {
    std::optional<double> ttft_ms;
    std::optional<double> tpot_ms;
    std::optional<double> average_latency_s;
    std::string file; ///< the one the values were read from; the last when several
};

/// gate_logs_*.json: tokens per expert, one list per step.
struct ExpertLoads {
    std::string file;
    std::vector<std::vector<double>> per_step;
};

} // namespace rankscope
