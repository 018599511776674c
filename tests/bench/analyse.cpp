// SPDX-License-Identifier: GPL-3.0-or-later
// How long all metrics, the step graph and the findings take after loading, beside the loading, in one run: by the clock, and in processor time, which
// says more on a machine that is busy.
//   rankscope_bench_analyse [RUN]     without RUN: 8 simulated ranks, 10 M events, in a temporary folder
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "core/analysis/critical_path.h"
#include "core/analysis/findings.h"
#include "core/input/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/run_simulator.h"

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
        fmt::print(stderr, "{}\n", truth.error().message);
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
        fmt::print(stderr, "{}\n", run.error().message);
        return 3;
    }
    const RunAnalysis analysis(*run, {});
    const Stopwatch metrics_watch;
    const MetricReport report = compute_metrics(analysis);
    const double analysing = metrics_watch.wall();
    const double analysing_cpu = metrics_watch.cpu();
    int available = 0;
    for (const auto& entry : report.entries)
        available += entry.result.available;
    fmt::print("{} ranks, {:.1f} M events: loading {:.2f} s, all {} metrics ({} available) {:.2f} s: {:.2f} of loading\n", (*run)->ranks.size(),
               static_cast<double>((*run)->event_count()) / 1e6, loading, report.entries.size(), available, analysing, analysing / loading);
    const Stopwatch graph_watch;
    const StepGraph& graph = analysis.step_graph();
    const double joining = graph_watch.wall();
    const double joining_cpu = graph_watch.cpu();
    fmt::print("  {:8.1f} ms  step graph ({:.1f} M nodes, {:.1f} M edges)\n", joining * 1e3,
               static_cast<double>(graph.size()) / 1e6, static_cast<double>(graph.edges.size()) / 1e6);
    double begin = seconds_on(Clock::wall);
    const double step_time = predicted_step_time(graph, graph.times);
    fmt::print("  {:8.1f} ms  its replay: {:.3f} ms a step\n", (seconds_on(Clock::wall) - begin) * 1e3, step_time / 1e6);
    begin = seconds_on(Clock::wall);
    const std::vector<std::int64_t> numbers = graph_step_numbers(graph);
    const auto path = numbers.empty() ? std::nullopt : critical_path(**run, graph, numbers[numbers.size() / 2]);
    fmt::print("  {:8.1f} ms  critical path of a step: {} spans\n", (seconds_on(Clock::wall) - begin) * 1e3, path ? path->spans.size() : 0);
    const Stopwatch findings_watch;
    const std::size_t found = analysis.findings().list.size();
    const double finding = findings_watch.wall();
    const double finding_cpu = findings_watch.cpu();
    fmt::print("  {:8.1f} ms  {} findings: {:.2f} of loading\n", finding * 1e3, found, finding / loading);
    fmt::print("all of it: {:.2f} of loading; of its {:.2f} s of processor time the metrics take {:.2f}, the graph {:.2f}, the findings {:.2f}\n",
               (analysing + joining + finding) / loading, loading_cpu, analysing_cpu / loading_cpu, joining_cpu / loading_cpu, finding_cpu / loading_cpu);
    // Each metric again, with the shared analyses there: what it adds of its own.
    for (const Metric& metric : metric_catalogue()) {
        begin = seconds_on(Clock::wall);
        const MetricResult result = metric.compute(analysis);
        fmt::print("  {:8.1f} ms  {}{}\n", (seconds_on(Clock::wall) - begin) * 1e3, metric.id, result.available ? "" : " (not available)");
    }
    return 0;
}
