// SPDX-License-Identifier: GPL-3.0-or-later
// How fast traces load, beside what bounds it, in one run: one file on one thread against simdjson On-Demand alone
// walking the same fields of the same file; then all files on all cores; and the peak memory.
//   rankscope_bench_load [FILE...]     without files: 8 simulated ranks in a temporary folder
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <tbb/task_arena.h>

#include "core/demo/run_simulator.h"
#include "core/input/kineto/kineto_reader.h"
#include "core/input/load/load_run.h"
#include "tests/bench/simdjson_walk.h"
#include "tests/bench/stopwatch.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;

std::vector<fs::path> simulated_files(const fs::path& folder) {
    SimulatorOptions options;
    options.pp = 2;
    options.dp = 2;
    options.tp = 2;
    options.steps = 40;
    options.microbatches = 8;
    options.layers = 8;
    options.cpu_detail = 2;
    const auto truth = write_run(options, folder);
    if (!truth) {
        fmt::print(stderr, "{}\n", truth.error().message);
        std::exit(1);
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().string().find(".json") != std::string::npos)
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

double peak_memory_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure_one_file(const fs::path& file) {
    const double megabytes = static_cast<double>(fs::file_size(file)) / 1e6;
    Walked walked;
    const double bound = best_seconds(Clock::cpu, [&] { walked = walk_with_simdjson(file); });
    std::uint64_t events = 0;
    tbb::task_arena arena(1);
    const double ours = best_seconds(Clock::cpu, [&] {
        const auto names = std::make_shared<StringTable>();
        const auto rank = arena.execute([&] { return read_kineto(file, names, {}); });
        events = rank ? (*rank)->events.size() : 0;
    });
    fmt::print("one file, one thread, CPU time ({:.0f} MB, {} array elements, {} events)\n", megabytes, walked.events,
               events);
    fmt::print("  simdjson alone  {:8.0f} MB/s {:8.2f} M elements/s\n", megabytes / bound,
               static_cast<double>(walked.events) / bound / 1e6);
    fmt::print("  rankscope       {:8.0f} MB/s {:8.2f} M elements/s   ratio {:.2f}\n", megabytes / ours,
               static_cast<double>(walked.events) / ours / 1e6, bound / ours);
}

void measure_all(const fs::path& folder, double megabytes) {
    std::uint64_t events = 0;
    std::size_t model = 0;
    const double before = peak_memory_mb();
    const double seconds = best_seconds(Clock::wall, [&] {
        const auto run = load_run(folder);
        if (!run)
            return;
        events = (*run)->event_count();
        model = (*run)->names->memory_bytes();
        for (const auto& rank : (*run)->ranks)
            model += rank->memory_bytes();
    });
    fmt::print("all files, all cores ({:.0f} MB, {} events)\n", megabytes, events);
    fmt::print("  rankscope       {:8.0f} MB/s {:8.2f} M events/s\n", megabytes / seconds,
               static_cast<double>(events) / seconds / 1e6);
    fmt::print("  model {:.0f} MB, {:.1f} bytes an event; peak memory of the process {:.0f} MB (before {:.0f} MB)\n",
               static_cast<double>(model) / 1e6, static_cast<double>(model) / static_cast<double>(events),
               peak_memory_mb(), before);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<fs::path> files(argv + 1, argv + argc);
    const fs::path folder = fs::temp_directory_path() / fmt::format("rankscope-bench-{}", ::getpid());
    const bool simulated = files.empty();
    if (simulated)
        files = simulated_files(folder);
    double megabytes = 0;
    for (const fs::path& file : files)
        megabytes += static_cast<double>(fs::file_size(file)) / 1e6;
    if (simulated)
        measure_all(folder, megabytes);
    measure_one_file(files.front());
    if (simulated)
        fs::remove_all(folder);
    return 0;
}
