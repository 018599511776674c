// SPDX-License-Identifier: GPL-3.0-or-later
// Means and percentiles that a serving benchmark wrote of its requests' times.
#pragma once
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/trace/run_settings.h"

namespace rankscope {

/// A time that was measured: benchmarks write -1, 0 or NaN for one that was not.
std::optional<double> measured_time(const nlohmann::json& object, const std::string& key);

/// vllm/benchmarks/serve.py (`vllm bench serve --save-result`) and sglang's bench_serving.py write the same keys:
/// "mean_ttft_ms", "median_ttft_ms", "p99_ttft_ms", of tpot and itl likewise; which percentiles is up to the user.
class BenchmarkTimes {
public:
    void add(const nlohmann::json& result);
    /// As "benchmark.p99_ttft_ms", in ms. None that several results tell: percentiles have no mean.
    void set(RunConfig& config) const;

private:
    struct Told {
        double ms = 0;
        int results = 0;
    };
    std::map<std::string, Told> times_;
};

} // namespace rankscope
