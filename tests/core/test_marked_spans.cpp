// SPDX-License-Identifier: GPL-3.0-or-later
// Waits, bubbles, idle gaps and paths to be drawn, by hand and against the sums of the metrics.
#include <memory>

#include <QTemporaryDir>
#include <QtTest>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/views/marked_spans.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::marked_spans_test {

namespace {

constexpr TimeNs kUs = 1'000;

std::shared_ptr<const RunAnalysis> analysisOf(std::shared_ptr<const Run> run) {
    return std::make_shared<const RunAnalysis>(std::move(run), Selection{});
}

std::shared_ptr<const Run> simulated(const SimulatorOptions& options) {
    QTemporaryDir folder;
    if (!write_run(options, folder.path().toStdString()))
        return nullptr;
    auto loaded = load_run(folder.path().toStdString(), {});
    return loaded ? *loaded : nullptr;
}

} // namespace

class TestMarkedSpans : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void earlyRanksWaitForTheLastOne() {
        std::vector<TraceBuilder> ranks;
        for (const auto& [rank, start] : {std::pair(0, 10.0), std::pair(1, 40.0), std::pair(2, 25.0)}) {
            ranks.emplace_back(rank);
            ranks.back().collective("nccl", 20, start, 60 - start,
                                    {"allreduce", "Float", 10, 10, {"1", "dp", {0, 1, 2}, 0}, 1});
        }
        const auto run = make_run(ranks);
        const MarkedSpans marks = mark_spans(analysisOf(run));
        const CollectiveWait* first = marks.ranks[0].wait_of(0);
        QVERIFY(first != nullptr);
        QCOMPARE(first->range.length(), 30 * kUs);
        QCOMPARE(first->range.begin, run->ranks[0]->events.start[0]);
        QCOMPARE(first->last_rank, 1U);
        QCOMPARE(marks.ranks[2].wait_of(0)->range.length(), 15 * kUs);
        QVERIFY(marks.ranks[1].wait_of(0) == nullptr);
        const LateArrival* late = marks.ranks[1].late_of(0);
        QVERIFY(late != nullptr);
        QCOMPARE(late->lag, 30 * kUs);
        QCOMPARE(late->waited, 45 * kUs);
        QCOMPARE(late->members, 3U);
        QVERIFY(marks.ranks[0].late_of(0) == nullptr);
    }
    void gapsAreMarkedWithTheirCause() {
        TraceBuilder builder(0);
        builder.launch(0, 1).kernel("a", 7, 10, 10);
        builder.launch(15, 1).kernel("b", 7, 25, 5); // launched before the stream ran dry: 5 us
        builder.launch(50, 1).kernel("c", 7, 60, 5); // after: 20 us, and 10 us more until it starts
        builder.kernel("d", 7, 100, 5);              // launch unknown: 35 us
        const MarkedSpans marks = mark_spans(analysisOf(make_run({builder})));
        const auto& idle = marks.ranks[0].idle;
        QCOMPARE(idle.size(), std::size_t{4});
        QCOMPARE(idle[0].range.length(), 5 * kUs);
        QCOMPARE(idle[0].cause, IdleCause::kernel_wait);
        QCOMPARE(idle[1].range.length(), 20 * kUs);
        QCOMPARE(idle[1].cause, IdleCause::host_wait);
        QCOMPARE(idle[2].range.length(), 10 * kUs);
        QCOMPARE(idle[2].cause, IdleCause::kernel_wait);
        QCOMPARE(idle[3].cause, IdleCause::other);
        QVERIFY(!marks.no_bubbles.empty()); // one rank is no pipeline
    }
    void theGpuIsIdleWhereNoStreamWorks() {
        TraceBuilder builder(0);
        builder.launch(0, 1).kernel("a", 7, 10, 10);
        builder.launch(15, 1).kernel("b", 20, 30, 10); // launched while a ran: 10 us
        builder.launch(45, 1).kernel("c", 7, 60,
                                     5); // launched when nothing ran any more: 5 us, and 15 us until it starts
        const MarkedSpans marks = mark_spans(analysisOf(make_run({builder})));
        const auto& idle = marks.ranks[0].gpu_idle;
        QCOMPARE(idle.size(), std::size_t{3});
        QCOMPARE(idle[0].range.length(), 10 * kUs);
        QCOMPARE(idle[0].cause, IdleCause::kernel_wait);
        QCOMPARE(idle[1].range.length(), 5 * kUs);
        QCOMPARE(idle[1].cause, IdleCause::host_wait);
        QCOMPARE(idle[2].range.length(), 15 * kUs);
        QCOMPARE(idle[2].cause, IdleCause::kernel_wait);
    }
    void marksSumUpToWhatTheMetricsSay() {
        SimulatorOptions options;
        options.pp = 4;
        options.dp = 2;
        options.slow = {5, 1.3, SlowCause::slower_kernels};
        const auto run = simulated(options);
        QVERIFY(run);
        const auto analysis = analysisOf(run);
        const MarkedSpans marks = mark_spans(analysis);
        QVERIFY(marks.no_bubbles.empty());
        for (std::size_t r = 0; r < run->ranks.size(); ++r) {
            TimeNs bubbles = 0;
            TimeNs marked = 0;
            for (const StepBubble& step : analysis->pipeline().steps)
                bubbles += step.rank == r ? step.bubble() : 0;
            for (const BubbleSpan& span : marks.ranks[r].bubbles)
                marked += span.range.length();
            QVERIFY(bubbles > 0);
            QCOMPARE(marked, bubbles);
            TimeNs idle = 0;
            TimeNs gaps = 0;
            for (const StreamIdle& stream : analysis->idle_causes()[r])
                idle += stream.total();
            for (const IdleGap& gap : marks.ranks[r].idle)
                gaps += gap.range.length();
            QCOMPARE(gaps, idle);
        }
    }
    void criticalPathsFillTheirSteps() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        const auto run = simulated(options);
        const auto analysis = analysisOf(run);
        TimeNs marked = 0;
        for (const auto& rank : mark_critical_paths(*analysis))
            for (const PathMark& mark : rank.by_begin)
                marked += mark.range.length();
        TimeNs windows = 0;
        for (const std::int64_t step : graph_step_numbers(analysis->step_graph()))
            windows += critical_path(*run, NumberedSteps(analysis->step_graph()), step)->window.length();
        QVERIFY(marked > 0);
        QCOMPARE(marked, windows);
    }
};

RANKSCOPE_TEST(TestMarkedSpans)

} // namespace rankscope::marked_spans_test

#include "test_marked_spans.moc"
