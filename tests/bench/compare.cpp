// SPDX-License-Identifier: GPL-3.0-or-later
// What comparing two runs costs after both are loaded and analysed, in time and memory: the changes in words, kernels,
// operators, and the files of the report.
//   rankscope_bench_compare [BASELINE TEST]     without runs: two of 8 simulated ranks, in a temporary folder
#include <filesystem>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/compare/change_explanation.h"
#include "core/compare/kernel_comparison.h"
#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/report/html_report.h"
#include "core/report/metrics_csv.h"
#include "core/report/operator_diff_csv.h"
#include "core/report/rccl_sheets.h"
#include "core/report/run_sheets.h"
#include "core/report/xlsx.h"
#include "tests/bench/stopwatch.h"

using namespace rankscope;
namespace fs = std::filesystem;

namespace {

/// MB, the largest so far.
double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void simulate(const fs::path& folder, double inter_node_gb_s) {
    SimulatorOptions options;
    options.pp = 2;
    options.dp = 2;
    options.tp = 2;
    options.steps = 50;
    options.microbatches = 8;
    options.layers = 8;
    options.cpu_detail = 2;
    options.inter_node_gb_s = inter_node_gb_s;
    if (const auto truth = write_run(options, folder); !truth) {
        fmt::print(stderr, "{}\n", english(truth.error().message));
        std::exit(1);
    }
}

template <typename Work>
void timed(const char* what, Work&& work) {
    const double begin = seconds_on(Clock::wall);
    work();
    fmt::print("  {:9.1f} ms  {:7.0f} MB peak  {}\n", (seconds_on(Clock::wall) - begin) * 1e3, peak_memory(), what);
}

void or_exit(const Result<void>& written) {
    if (!written) {
        fmt::print(stderr, "{}\n", english(written.error().message));
        std::exit(4);
    }
}

} // namespace

int main(int argc, char** argv) {
    const bool simulated = argc < 3;
    const fs::path scratch = fs::temp_directory_path() / fmt::format("rankscope-bench-{}", ::getpid());
    std::vector<fs::path> paths{scratch / "baseline", scratch / "test"};
    fs::create_directories(scratch);
    if (simulated) {
        simulate(paths[0], 45);
        simulate(paths[1], 30);
    } else {
        paths = {argv[1], argv[2]};
    }
    std::vector<AnalysedRun> runs;
    for (const fs::path& path : paths)
        timed(("load and analyse " + path.filename().string()).c_str(), [&] {
            const auto run = load_run(path);
            if (!run) {
                fmt::print(stderr, "{}\n", english(run.error().message));
                std::exit(3);
            }
            const auto analysis = std::make_shared<RunAnalysis>(*run, Selection{});
            runs.push_back({"", "", analysis, compute_metrics(*analysis), {}});
        });
    relate_runs(runs);
    for (const AnalysedRun& run : runs)
        fmt::print("  {}: {} ranks, {:.1f} M events, {:.0f} MB of files\n", run.label, run.run().ranks.size(),
                   static_cast<double>(run.run().event_count()) / 1e6,
                   static_cast<double>(run.run().file_bytes()) / 1e6);
    timed(
        "what changed, in words",
        [&] { fmt::print("  {}\n", english(explain_change(*runs[0].analysis, *runs[1].analysis).sentences.front())); });
    timed(
        "kernels by cost", [&] { compare_kernels(*runs[0].analysis, *runs[1].analysis); });
    timed(
        "ops_diff.csv", [&] { operator_diff_csv(runs); });
    timed(
        "report.html", [&] { html_report(runs, {}); });
    timed(
        "report.xlsx", [&] { or_exit(write_workbook(scratch / "report.xlsx", run_sheets(runs))); });
    timed("final_analysis_report.xlsx",
          [&] { or_exit(write_workbook(scratch / "final.xlsx", comparison_sheets(runs))); });
    fs::remove_all(scratch);
    return 0;
}
