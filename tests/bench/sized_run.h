// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated runs whose files have a wanted size.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "core/demo/run_simulator.h"

namespace rankscope {

inline SimulatorOptions dense(int pp, int dp, int tp) {
    SimulatorOptions options;
    options.pp = pp;
    options.dp = dp;
    options.tp = tp;
    options.microbatches = 8;
    options.layers = 8;
    options.cpu_detail = 2;
    return options;
}

inline void write(const SimulatorOptions& options, const std::filesystem::path& folder) {
    if (const auto written = write_run(options, folder); !written) {
        fmt::print(stderr, "{}\n", english(written.error().message));
        std::exit(1);
    }
}

/// Steps are alike, so two sizes tell how many make the wanted one.
inline SimulatorOptions with_size(SimulatorOptions options, double bytes_each, const std::filesystem::path& scratch) {
    const auto size_of = [&](int steps) {
        options.steps = steps;
        write(options, scratch);
        const auto bytes = static_cast<double>(std::filesystem::file_size(scratch / "rank0.json"));
        std::filesystem::remove_all(scratch);
        return bytes;
    };
    const double two = size_of(2);
    options.steps = std::max(2, static_cast<int>(2 + (bytes_each - two) / (size_of(3) - two)));
    return options;
}

} // namespace rankscope
