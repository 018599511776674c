// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/benchmark_times.h"

#include <cmath>

#include <fmt/format.h>

namespace rankscope {

std::optional<double> measured_time(const nlohmann::json& object, const std::string& key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number())
        return {};
    const auto value = at->get<double>();
    return std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

void BenchmarkTimes::add(const nlohmann::json& result) {
    for (const char* time : {"ttft", "tpot", "itl"})
        for (const char* of : {"mean", "median", "p90", "p95", "p99"}) {
            const std::string key = fmt::format("{}_{}_ms", of, time);
            if (const auto value = measured_time(result, key)) {
                times_[key].ms = *value;
                ++times_[key].results;
            }
        }
}

void BenchmarkTimes::set(RunConfig& config) const {
    for (const auto& [key, told] : times_)
        if (told.results == 1)
            config["benchmark." + key] = fmt::format("{}", told.ms);
}

} // namespace rankscope
