// SPDX-License-Identifier: GPL-3.0-or-later
// What loading a run takes: time, switches of threads, pages.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/input/load/load_run.h"
#include "tests/bench/stopwatch.h"

namespace rankscope {

constexpr double kMega = 1e6;

/// Of one piece of work: seconds and counts.
struct Cost {
    double seconds = 0, user = 0, system = 0, switches = 0, forced_switches = 0, page_faults = 0;
};

inline constexpr double Cost::*kAllCosts[] = {&Cost::seconds,         &Cost::user,       &Cost::system, &Cost::switches,
                                              &Cost::forced_switches, &Cost::page_faults};

inline Cost cost_so_far() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kMega;
    };
    return {seconds_on(Clock::wall),
            seconds(usage.ru_utime),
            seconds(usage.ru_stime),
            static_cast<double>(usage.ru_nvcsw),
            static_cast<double>(usage.ru_nivcsw),
            static_cast<double>(usage.ru_minflt)};
}

template <typename Work>
Cost cost_of(Work work) {
    const Cost before = cost_so_far();
    work();
    Cost cost = cost_so_far();
    for (const auto field : kAllCosts)
        cost.*field -= before.*field;
    return cost;
}

inline double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

inline Cost median(const std::vector<Cost>& costs) {
    Cost middle;
    for (const auto field : kAllCosts) {
        std::vector<double> values;
        for (const Cost& cost : costs)
            values.push_back(cost.*field);
        middle.*field = median(std::move(values));
    }
    return middle;
}

struct Loaded {
    Cost cost;
    std::uint64_t events = 0;
    double text = 0;  ///< bytes
    double model = 0; ///< bytes
};

/// Without the cache; ends the program where the run cannot be read.
inline Loaded load_and_measure(const std::filesystem::path& path, int jobs) {
    LoadOptions options;
    options.jobs = jobs;
    options.use_cache = false;
    Loaded loaded;
    Result<std::shared_ptr<const Run>> run;
    loaded.cost = cost_of([&] { run = load_run(path, options); });
    if (!run) {
        fmt::print(stderr, "{}\n", english(run.error().message));
        std::exit(1);
    }
    loaded.events = (*run)->event_count();
    loaded.model = static_cast<double>((*run)->names->memory_bytes());
    for (const auto& rank : (*run)->ranks) {
        loaded.text += static_cast<double>(rank->text_bytes);
        loaded.model += static_cast<double>(rank->memory_bytes());
    }
    return loaded;
}

} // namespace rankscope
