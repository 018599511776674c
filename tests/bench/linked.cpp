// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs compared and panned together: what loading and comparing them costs in time and memory, and a frame of the
// two linked timelines beside a frame of one timeline of the same window size, the two interleaved.
//   rankscope_bench_linked BASELINE TEST
#include <algorithm>
#include <cstdio>
#include <memory>

#include <QApplication>
#include <QElapsedTimer>
#include <sys/resource.h>

#include "core/input/load/load_run.h"
#include "tests/bench/stopwatch.h"
#include "widgets/compare/compared_runs.h"
#include "widgets/compare/linked_timelines.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {
namespace {

constexpr QSize kWindow(1920, 1000);
constexpr int kFrames = 300;

double peak_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::shared_ptr<const AnalysedRun> analysed(const char* path) {
    const double begin = seconds_on(Clock::wall);
    const auto run = load_run(path);
    if (!run) {
        std::fprintf(stderr, "%s\n", english(run.error().message).c_str());
        std::exit(3);
    }
    const double read = seconds_on(Clock::wall);
    auto result = std::make_shared<AnalysedRun>();
    result->label = (*run)->name;
    result->analysis = std::make_shared<RunAnalysis>(*run, Selection{});
    result->metrics = compute_metrics(*result->analysis);
    std::printf("  %s: %zu ranks, %.2f GB, %.1f M events; read %.1f s, analysed %.1f s; peak %.0f MB\n", path,
                (*run)->ranks.size(), static_cast<double>((*run)->file_bytes()) / 1e9,
                static_cast<double>((*run)->event_count()) / 1e6, read - begin, seconds_on(Clock::wall) - read,
                peak_mb());
    return result;
}

struct Times {
    std::vector<double> ms;
    void add(const QElapsedTimer& clock) { ms.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6); }
    double median() {
        std::sort(ms.begin(), ms.end());
        return ms[ms.size() / 2];
    }
    double worst() { return *std::max_element(ms.begin(), ms.end()); }
};

void waitFor(const TimelineView& view) {
    while (!view.isReady())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCoreApplication::processEvents();
}

void measure(const AnalysedRun& baseline, const AnalysedRun& test) {
    ViewState state;
    TimelineView single(&state);
    single.resize(kWindow);
    single.show();
    state.setRun(baseline.analysis->run_pointer());
    LinkedTimelines linked;
    linked.resize(kWindow);
    linked.show();
    linked.setRuns(baseline.analysis, test.analysis);
    waitFor(single);
    waitFor(linked.timeline(CompareSide::baseline));
    waitFor(linked.timeline(CompareSide::test));
    ViewState& leader = *linked.link().view(CompareSide::baseline);
    const TimeRange full = state.fullRange();
    for (const double share : {0.95, 0.1, 0.005}) {
        Times one;
        Times two;
        const auto length = static_cast<TimeNs>(share * static_cast<double>(full.length()));
        for (int frame = 0; frame < kFrames; ++frame) {
            const TimeNs begin = full.begin + (full.length() - length) * frame / kFrames;
            QElapsedTimer clock;
            clock.start();
            state.setVisibleRange({begin, begin + length});
            single.drawNow();
            one.add(clock);
            clock.start();
            leader.setVisibleRange({begin, begin + length});
            linked.timeline(CompareSide::baseline).drawNow();
            linked.timeline(CompareSide::test).drawNow();
            two.add(clock);
        }
        const double single_median = one.median();
        const double linked_median = two.median();
        std::printf("  pan, %4.1f %% in view: one timeline median %.2f ms, worst %.2f ms; two linked median %.2f ms, "
                    "worst %.2f ms: %.2f times\n",
                    100 * share, single_median, one.worst(), linked_median, two.worst(), linked_median / single_median);
    }
}

} // namespace
} // namespace rankscope

int main(int argc, char** argv) {
    using namespace rankscope;
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc != 3) {
        std::fprintf(stderr, "usage: rankscope_bench_linked BASELINE TEST\n");
        return 2;
    }
    const auto baseline = analysed(argv[1]);
    const auto test = analysed(argv[2]);
    const double begin = seconds_on(Clock::wall);
    const ComparedRuns comparison = compareRuns(baseline, test);
    std::printf("  compared in %.2f s; peak %.0f MB\n", seconds_on(Clock::wall) - begin, peak_mb());
    measure(*baseline, *test);
    std::printf("  peak %.0f MB\n", peak_mb());
    return 0;
}
