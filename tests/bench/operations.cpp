// SPDX-License-Identifier: GPL-3.0-or-later
// How fast operation timelines are read, and what stragglers cost is replayed: jobs of 64 and 128 GPUs.
//   rankscope_bench_operations           made-up jobs, in a temporary folder that is removed afterwards
//   rankscope_bench_operations FILE...   those
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/operation_jobs.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;

OperationJob sized_job(int dp, int pp, int microbatches) {
    OperationJob job;
    job.dp = dp;
    job.pp = pp;
    job.microbatches = microbatches;
    job.steps = 44;
    job.factor = [](bool, int rank, int stage, int step, int microbatch) {
        return 1 + 0.01 * ((rank * 31 + stage * 17 + step * 7 + microbatch * 3) % 20);
    };
    return job;
}

void measure(const std::string& title, const fs::path& path) {
    std::shared_ptr<const Run> run;
    const double reading = best_seconds(Clock::wall, [&] {
        auto loaded = load_run(path);
        if (loaded)
            run = *loaded;
        else
            fmt::print(stderr, "{}\n", english(loaded.error().message));
    });
    if (!run)
        return;
    double slowdown = 0;
    const double replaying = best_seconds(Clock::wall, [&] {
        const RunAnalysis analysis(run, {});
        const StragglerSlowdown& result = analysis.straggler_slowdown();
        slowdown = result.unavailable.empty() ? result.slowdown() : 0;
    });
    fmt::print("{:28} {:9} operations  read {:.3f} s  slowdown with all replays {:.3f} s  S {:.4f}\n", title,
               accounting_of(*run).on_timeline, reading, replaying, slowdown);
}

} // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        measure(argv[i], argv[i]);
    if (argc > 1)
        return 0;
    std::string folder = (fs::temp_directory_path() / "rankscope-operations-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
        return 1;
    const fs::path path = fs::path(folder) / "timeline.json";
    for (const auto& [title, job] :
         {std::pair{"DP 4 x PP 4", sized_job(4, 4, 32)}, std::pair{"DP 32 x PP 2", sized_job(32, 2, 8)},
          std::pair{"DP 32 x PP 4", sized_job(32, 4, 16)}}) {
        std::ofstream(path, std::ios::binary) << operation_timeline(job);
        measure(title, path);
    }
    fs::remove_all(folder);
    return 0;
}
