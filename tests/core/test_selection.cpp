// SPDX-License-Identifier: GPL-3.0-or-later
// Selecting by time and by iteration.
#include <memory>

#include <QtTest>

#include "core/analysis/gpu/gpu_timeline.h"
#include "core/analysis/gpu/idle_causes.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "core/analysis/selection/selection.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::selection_test {

namespace {

/// The first event starts at 0, so the run's clock and the builder's agree. Step 1: [0, 100), step 2: [100, 200).
/// "late" is launched in step 1 but runs in step 2; "alone" has no launch and runs in step 2.
std::shared_ptr<const Run> two_steps() {
    return make_run({TraceBuilder(0)
                         .base(1'000'000'000)
                         .step(1, 0, 100)
                         .step(2, 100, 100)
                         .launch(10, 2)
                         .kernel("early", 7, 20, 30)
                         .launch(90, 2)
                         .kernel("late", 7, 110, 40)
                         .kernel("alone", 9, 130, 50)});
}

std::vector<std::string> names(const Run& run, const std::vector<GpuSlice>& work) {
    std::vector<std::string> result;
    for (const GpuSlice& slice : work)
        result.emplace_back(run.ranks[0]->event_name(slice.event));
    return result;
}

std::vector<GpuSlice> select(const Run& run, const Selection& selection) {
    return select_gpu_work(run, *run.ranks[0], selection, KernelClassRules().classes_of(*run.ranks[0]));
}

using Names = std::vector<std::string>;

} // namespace

class TestSelection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEmptySelectionIsEverythingInOrderOfStart() {
        const auto run = two_steps();
        QVERIFY(names(*run, select(*run, {})) == (Names{"early", "late", "alone"}));
    }

    void aTimeRangeClipsEventsThatOverlapIt() {
        const auto run = two_steps();
        Selection selection;
        selection.time = TimeRange{30'000, 140'000}; // ns after the first event
        const std::vector<GpuSlice> work = select(*run, selection);
        QVERIFY(names(*run, work) == (Names{"early", "late", "alone"}));
        QCOMPARE(work[0].range.length(), TimeNs{20'000}); // 30..50 of 20..50
        QCOMPARE(work[1].range.length(), TimeNs{30'000}); // 110..140 of 110..150
        QCOMPARE(work[2].range.length(), TimeNs{10'000}); // 130..140 of 130..180
        selection.time = TimeRange{50'000, 110'000};      // touches early's end and late's start: neither overlaps
        QVERIFY(select(*run, selection).empty());
    }

    void anEventWithoutLengthCountsWhereItStands() {
        const auto run = make_run({TraceBuilder(0).kernel("first", 7, 0, 1).kernel("instant", 7, 10, 0)});
        Selection selection;
        selection.time = TimeRange{10'000, 20'000};
        QVERIFY(names(*run, select(*run, selection)) == (Names{"instant"}));
        selection.time = TimeRange{5'000, 10'000};
        QVERIFY(select(*run, selection).empty());
    }

    void gpuWorkBelongsToTheStepOfItsLaunch() {
        const auto run = two_steps();
        Selection selection;
        selection.iterations = {{1, 1}};
        QVERIFY(names(*run, select(*run, selection)) == (Names{"early", "late"}));
        selection.iterations = {{2, 2}};
        QVERIFY(names(*run, select(*run, selection)) == (Names{"alone"}));
        selection.iterations = {{0, 0}, {1, 5}};
        QVERIFY(names(*run, select(*run, selection)) == (Names{"early", "late", "alone"}));
        selection.iterations = {{7, 9}};
        QVERIFY(select(*run, selection).empty());
    }

    /// One that the range cuts has lost work: what is told per step would be too small.
    void stepsAreThoseThatLieInTheRangeOrAreNamed() {
        const auto run = two_steps();
        Selection selection;
        selection.time = TimeRange{50'000, 150'000};
        QVERIFY(select_steps(*run, *run->ranks[0], selection).empty());
        selection.time = TimeRange{50'000, 200'000};
        const auto in_range = select_steps(*run, *run->ranks[0], selection);
        QCOMPARE(in_range.size(), std::size_t{1});
        QCOMPARE(in_range[0].number, std::int64_t{2});
        // Its work on the GPU ends behind its mark: a range that cuts that off cuts the step.
        const auto ahead = make_run({TraceBuilder(0)
                                         .step(1, 0, 100)
                                         .launch(10, 1)
                                         .kernel("gemm", 7, 90, 40)
                                         .step(2, 100, 100)
                                         .launch(110, 1)
                                         .kernel("gemm", 7, 190, 40)});
        selection.time = TimeRange{0, 200'000};
        const auto whole = select_steps(*ahead, *ahead->ranks[0], selection);
        QCOMPARE(whole.size(), std::size_t{1});
        QCOMPARE(whole[0].number, std::int64_t{1});
        selection.time.reset();
        selection.iterations = {{1, 1}};
        QCOMPARE(select_steps(*run, *run->ranks[0], selection)[0].number, std::int64_t{1});
        QCOMPARE(select_steps(*run, *run->ranks[0], {}).size(), std::size_t{2});
    }

    /// The profiler marks a step in which the recording stops like a whole one. Whoever asks for it gets it.
    void aStepThatTheRecordingCutsOffIsNone() {
        const auto run = make_run({TraceBuilder(0).step(1, 0, 100).step(2, 100, 110).step(3, 210, 40)});
        const auto numbers = [&](const Selection& selection) {
            std::vector<std::int64_t> found;
            for (const ProfilerStep& step : select_steps(*run, *run->ranks[0], selection))
                found.push_back(step.number);
            return found;
        };
        QCOMPARE(numbers({}), (std::vector<std::int64_t>{1, 2}));
        Selection asked;
        asked.iterations = {{3, 3}};
        QCOMPARE(numbers(asked), (std::vector<std::int64_t>{3}));
        const auto whole = make_run({TraceBuilder(0).step(1, 0, 100).step(2, 100, 110).step(3, 210, 60)});
        QCOMPARE(select_steps(*whole, *whole->ranks[0], {}).size(), std::size_t{3});
    }

    /// Steps 1 and 3 of three, each busy for 90 of 100 us: what lies between them is not looked at, so it is no idle
    /// time.
    void whatLiesBetweenSelectedStepsIsNotIdle_data() {
        QTest::addColumn<bool>("marked");
        QTest::newRow("the step between is not selected") << true;
        QTest::newRow("its mark is missing") << false;
    }
    void whatLiesBetweenSelectedStepsIsNotIdle() {
        QFETCH(bool, marked);
        TraceBuilder builder(0);
        for (int s = 0; s < 3; ++s) {
            if (marked || s != 1)
                builder.step(s + 1, 100.0 * s, 100);
            builder.launch(100.0 * s + 1, 2)
                .kernel("first", 7, 100.0 * s + 5, 40)
                .launch(100.0 * s + 2, 2)
                .kernel("second", 7, 100.0 * s + 50, 50);
        }
        const auto run = make_run({builder});
        Selection selection;
        selection.iterations = {{1, 1}, {3, 3}};
        const std::vector<GpuSlice> work = select(*run, selection);
        const GpuTimeline timeline = gpu_timeline(work);
        QCOMPARE(timeline.total, TimeNs{190'000});
        QCOMPARE(timeline.busy, TimeNs{180'000});
        QCOMPARE(timeline.idle, TimeNs{10'000});
        QCOMPARE(timeline.micro_idle, TimeNs{10'000});
        const std::vector<StreamIdle> idle = idle_causes(*run->ranks[0], work);
        QCOMPARE(idle.size(), std::size_t{1});
        QCOMPARE(idle[0].total(), TimeNs{10'000});
    }

    /// Steps 1, 2, 101 and 102 of 100 us each, busy for 90; the profiler paused for 9.8 ms between 2 and 101. By hand:
    /// 195 us from the first to the last work of either part, 15 of which are idle.
    void whatWasNotRecordedIsNotIdle() {
        TraceBuilder builder(0);
        for (const int s : {0, 1, 100, 101})
            builder.step(s + 1, 100.0 * s, 100)
                .launch(100.0 * s + 1, 2)
                .kernel("first", 7, 100.0 * s + 5, 40)
                .launch(100.0 * s + 2, 2)
                .kernel("second", 7, 100.0 * s + 50, 50);
        const auto run = make_run({builder});
        Selection named;
        named.iterations = {{1, 2}, {101, 102}};
        for (const Selection& selection : {Selection{}, named}) {
            const std::vector<GpuSlice> work = select(*run, selection);
            const GpuTimeline timeline = gpu_timeline(work);
            QCOMPARE(timeline.total, TimeNs{2 * 195'000});
            QCOMPARE(timeline.busy, TimeNs{4 * 90'000});
            QCOMPARE(timeline.idle, TimeNs{2 * 15'000});
            QCOMPARE(idle_causes(*run->ranks[0], work)[0].total(), TimeNs{2 * 15'000});
        }
    }

    /// A program that numbers every tenth step records them one after the other: nothing is missing.
    void numbersThatJumpAreNoPause() {
        TraceBuilder builder(0);
        for (const int s : {0, 1})
            builder.step(10 * s, 100.0 * s, 90).kernel("work", 7, 100.0 * s + 5, 40);
        const auto run = make_run({builder});
        QCOMPARE(gpu_timeline(select(*run, {})).total, TimeNs{140'000});
        // Only every tenth step has a range; the others were recorded all the same.
        TraceBuilder some(0);
        for (int s = 0; s < 11; ++s)
            some.kernel("work", 7, 100.0 * s + 5, 40);
        some.step(0, 0, 100).step(10, 1000, 100);
        QCOMPARE(gpu_timeline(select(*make_run({some}), {})).total, TimeNs{1'040'000});
    }

    void manyStreamsComeOutInOneOrder() {
        TraceBuilder builder(0);
        for (int i = 0; i < 60; ++i)
            builder.kernel("k", i % 7, 59 - i, 0.5); // streams interleave, times descend
        const auto run = make_run({builder});
        const std::vector<GpuSlice> work = select(*run, {});
        QCOMPARE(work.size(), std::size_t{60});
        for (std::size_t i = 0; i < work.size(); ++i)
            QCOMPARE(work[i].range.begin - work[0].range.begin, static_cast<TimeNs>(i) * 1000);
    }
};

RANKSCOPE_TEST(TestSelection)

} // namespace rankscope::selection_test

#include "test_selection.moc"
