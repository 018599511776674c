// SPDX-License-Identifier: GPL-3.0-or-later
// How long all metrics, the step graph and the findings take after loading, beside the loading, in one run: by the
// clock, and in processor time, which says more on a machine that is busy.
//   rankscope_bench_analyse [RUN]     without RUN: 8 simulated ranks, 10 M events, in a temporary folder
#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <unistd.h>

#include "core/analysis/findings/findings.h"
#include "core/analysis/graph/critical_path.h"
#include "core/analysis/graph/step_time.h"
#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/bench/stopwatch.h"

using namespace rankscope;
namespace fs = std::filesystem;

namespace {

/// Since it was made, seconds.
struct Stopwatch {
    double wall_begin = seconds_on(Clock::wall);
    double cpu_begin = seconds_on(Clock::cpu);
    [[nodiscard]] double wall() const { return seconds_on(Clock::wall) - wall_begin; }
    [[nodiscard]] double cpu() const { return seconds_on(Clock::cpu) - cpu_begin; }
};

void simulate(const fs::path& folder) {
    SimulatorOptions options;
    options.pp = 2;
    options.dp = 2;
    options.tp = 2;
    options.steps = 100;
    options.microbatches = 8;
    options.layers = 8;
    options.cpu_detail = 2;
    if (const auto truth = write_run(options, folder); !truth) {
        fmt::print(stderr, "{}\n", english(truth.error().message));
        std::exit(1);
    }
}

} // namespace

int main(int argc, char** argv) {
    const bool simulated = argc < 2;
    const fs::path folder =
        simulated ? fs::temp_directory_path() / fmt::format("rankscope-bench-{}", ::getpid()) : fs::path(argv[1]);
    if (simulated)
        simulate(folder);
    const Stopwatch load_watch;
    const auto run = load_run(folder);
    const double loading = load_watch.wall();
    const double loading_cpu = load_watch.cpu();
    if (simulated)
        fs::remove_all(folder);
    if (!run) {
        fmt::print(stderr, "{}\n", english(run.error().message));
        return 3;
    }
    // As the program does it: metrics and findings side by side.
    const RunAnalysis analysis(*run, {});
    const Stopwatch all_watch;
    const MetricReport report = compute_metrics(analysis);
    const double all = all_watch.wall();
    const double all_cpu = all_watch.cpu();
    const auto available =
        std::ranges::count_if(report.entries, [](const auto& entry) { return entry.result.available; });
    fmt::print("{} ranks, {:.1f} M events: loading {:.2f} s; all {} metrics ({} available) and {} findings {:.2f} s: "
               "{:.2f} of loading, {:.2f} in processor time\n",
               (*run)->ranks.size(), static_cast<double>((*run)->event_count()) / 1e6, loading, report.entries.size(),
               available, analysis.findings().list.size(), all, all / loading, all_cpu / loading_cpu);

    // The same, one after the other.
    const RunAnalysis again(*run, {});
    const auto print = [&](std::string_view what, const Stopwatch& watch) {
        fmt::print("  {:8.1f} ms  {}: {:.2f} of loading, {:.2f} in processor time\n", watch.wall() * 1e3, what,
                   watch.wall() / loading, watch.cpu() / loading_cpu);
    };
    const Stopwatch selection_watch;
    std::ignore = again.ranks();
    print("GPU work of all ranks", selection_watch);
    const Stopwatch matching_watch;
    std::ignore = again.stragglers();
    print("collectives matched, clocks, stragglers", matching_watch);
    const Stopwatch graph_watch;
    const StepGraph& graph = again.step_graph();
    print(fmt::format("step graph ({:.1f} M nodes, {:.1f} M edges)", static_cast<double>(graph.size()) / 1e6,
                      static_cast<double>(graph.edges.size()) / 1e6),
          graph_watch);
    const Stopwatch replay_watch;
    const double step_time = predicted_step_time(graph, graph.times);
    print(fmt::format("its replay ({:.3f} ms a step)", step_time / 1e6), replay_watch);
    const std::vector<std::int64_t> numbers = graph_step_numbers(graph);
    const Stopwatch path_watch;
    const auto path =
        numbers.empty() ? std::nullopt : critical_path(**run, NumberedSteps(graph), numbers[numbers.size() / 2]);
    print(fmt::format("critical path of a step ({} spans)", path ? path->spans.size() : 0), path_watch);
    std::ignore = again.pipeline();
    std::ignore = again.idle_causes();
    const Stopwatch findings_watch;
    std::ignore = again.findings();
    print("findings", findings_watch);
    const Stopwatch shared_watch;
    again.compute_shared();
    print("what else the metrics share", shared_watch);
    // Each metric again, with the shared analyses there: what it adds of its own.
    for (const MetricPointer& metric : metric_catalogue()) {
        const Stopwatch watch;
        const MetricResult result = metric->compute(again);
        fmt::print("  {:8.1f} ms  {}{}\n", watch.wall() * 1e3, metric->id, result.available ? "" : " (not available)");
    }
    return 0;
}
