// SPDX-License-Identifier: GPL-3.0-or-later
// How long all metrics take after loading, beside the loading, in one run.
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
    double begin = seconds_on(Clock::wall);
    const auto run = load_run(folder);
    const double loading = seconds_on(Clock::wall) - begin;
    if (simulated)
        fs::remove_all(folder);
    if (!run) {
        fmt::print(stderr, "{}\n", run.error().message);
        return 3;
    }
    const RunAnalysis analysis(*run, {});
    begin = seconds_on(Clock::wall);
    const MetricReport report = compute_metrics(analysis);
    const double analysing = seconds_on(Clock::wall) - begin;
    int available = 0;
    for (const auto& entry : report.entries)
        available += entry.result.available;
    fmt::print("{} ranks, {:.1f} M events: loading {:.2f} s, all {} metrics ({} available) {:.2f} s: {:.2f} of loading\n", (*run)->ranks.size(),
               static_cast<double>((*run)->event_count()) / 1e6, loading, report.entries.size(), available, analysing, analysing / loading);
    begin = seconds_on(Clock::wall);
    const StepGraph& graph = analysis.step_graph();
    fmt::print("  {:8.1f} ms  step graph ({:.1f} M nodes, {:.1f} M edges)\n", (seconds_on(Clock::wall) - begin) * 1e3,
               static_cast<double>(graph.size()) / 1e6, static_cast<double>(graph.edges.size()) / 1e6);
    begin = seconds_on(Clock::wall);
    const double step_time = predicted_step_time(graph, graph.times);
    fmt::print("  {:8.1f} ms  its replay: {:.3f} ms a step\n", (seconds_on(Clock::wall) - begin) * 1e3, step_time / 1e6);
    begin = seconds_on(Clock::wall);
    const std::vector<std::int64_t> numbers = graph_step_numbers(graph);
    const auto path = numbers.empty() ? std::nullopt : critical_path(**run, graph, numbers[numbers.size() / 2]);
    fmt::print("  {:8.1f} ms  critical path of a step: {} spans\n", (seconds_on(Clock::wall) - begin) * 1e3, path ? path->spans.size() : 0);
    begin = seconds_on(Clock::wall);
    const std::size_t found = analysis.findings().list.size();
    const double finding = seconds_on(Clock::wall) - begin;
    fmt::print("  {:8.1f} ms  {} findings: {:.2f} of loading\n", finding * 1e3, found, finding / loading);
    // Each metric again, with the shared analyses there: what it adds of its own.
    for (const Metric& metric : metric_catalogue()) {
        begin = seconds_on(Clock::wall);
        const MetricResult result = metric.compute(analysis);
        fmt::print("  {:8.1f} ms  {}{}\n", (seconds_on(Clock::wall) - begin) * 1e3, metric.id, result.available ? "" : " (not available)");
    }
    return 0;
}
