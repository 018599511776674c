// SPDX-License-Identifier: GPL-3.0-or-later
// The view state emits on change only, and survives a run that grows while it loads.
#include <algorithm>
#include <memory>

#include <QSignalSpy>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/view_state.h"

namespace rankscope::view_state_test {

namespace {

std::shared_ptr<const Run> firstRun() {
    return make_run({TraceBuilder(0).kernel("gemm", 7, 0, 100).kernel("gemm", 7, 200, 100)});
}

/// The same run after one more rank was read.
std::shared_ptr<const Run> grown(const Run& before, double begin_us, double end_us) {
    auto after = std::make_shared<Run>(before);
    after->ranks.push_back(TraceBuilder(1).kernel("gemm", 7, begin_us, end_us - begin_us).build(before.names));
    after->span.begin = std::min(after->span.begin, after->ranks.back()->span.begin);
    after->span.end = std::max(after->span.end, after->ranks.back()->span.end);
    return after;
}

} // namespace

class TestViewState : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunIsShownWhole() {
        ViewState state;
        const QSignalSpy run(&state, &ViewState::runChanged);
        const QSignalSpy range(&state, &ViewState::visibleRangeChanged);
        state.setRun(firstRun());
        QCOMPARE(run.count(), 1);
        QCOMPARE(range.count(), 1);
        QCOMPARE(state.visibleRange(), (TimeRange{0, 300'000}));
    }
    /// 8 s of the host, then 100 us of the GPU: with a twentieth of that on each side.
    void aRunOpensOnItsGpuWork() {
        ViewState state;
        state.setRun(make_run({TraceBuilder(0)
                                   .cpu_op("import", 0, 8'000'000)
                                   .kernel("gemm", 7, 7'000'000, 60)
                                   .kernel("gemm", 7, 7'000'060, 40)}));
        QCOMPARE(state.visibleRange(), (TimeRange{6'999'995'000, 7'000'105'000}));
        QCOMPARE(state.fullRange(), (TimeRange{0, 8'000'000'000}));
    }
    void nothingIsEmittedWithoutAChange() {
        ViewState state;
        const auto run = firstRun();
        state.setRun(run);
        state.select(EventRef{0, 1});
        state.setVisibleRange({1'000, 2'000});
        const QSignalSpy runs(&state, &ViewState::runChanged);
        const QSignalSpy range(&state, &ViewState::visibleRangeChanged);
        const QSignalSpy selection(&state, &ViewState::selectionChanged);
        state.setRun(run);
        state.select(EventRef{0, 1});
        state.setVisibleRange({1'000, 2'000});
        QCOMPARE(runs.count() + range.count() + selection.count(), 0);
    }
    void theVisibleRangeStaysInsideTheRun() {
        ViewState state;
        state.setRun(firstRun());
        state.setVisibleRange({-50'000, 50'000});
        QCOMPARE(state.visibleRange(), (TimeRange{0, 100'000}));
        state.setVisibleRange({-1'000'000, 1'000'000});
        QCOMPARE(state.visibleRange(), state.fullRange());
    }
    void moreRanksKeepRangeAndSelection() {
        ViewState state;
        const auto run = firstRun();
        state.setRun(run);
        state.setVisibleRange({100'000, 200'000});
        state.select(EventRef{0, 1});
        const QSignalSpy range(&state, &ViewState::visibleRangeChanged);
        state.setRun(grown(*run, -50, 500));
        QCOMPARE(range.count(), 0);
        QCOMPARE(state.visibleRange(), (TimeRange{100'000, 200'000}));
        QCOMPARE(state.fullRange(), (TimeRange{-50'000, 500'000}));
        QVERIFY(state.selection().has_value());
    }
    void aViewOfEverythingGoesOnShowingEverything() {
        ViewState state;
        const auto run = firstRun();
        state.setRun(run);
        state.setRun(grown(*run, -50, 500));
        QCOMPARE(state.visibleRange(), (TimeRange{-50'000, 500'000}));
    }
    void anotherRunStartsAfresh() {
        ViewState state;
        state.setRun(firstRun());
        state.jumpTo({100'000, 200'000});
        state.select(EventRef{0, 1});
        const QSignalSpy selection(&state, &ViewState::selectionChanged);
        state.setRun(make_run({TraceBuilder(0).kernel("other", 7, 0, 50)}));
        QCOMPARE(state.visibleRange(), (TimeRange{0, 50'000}));
        QVERIFY(!state.selection());
        QCOMPARE(selection.count(), 1);
        QVERIFY(!state.canStepBack());
    }
    void anEventThatDoesNotExistCannotBeSelected() {
        ViewState state;
        state.select(EventRef{0, 0});
        QVERIFY(!state.selection());
        state.setRun(firstRun());
        state.select(EventRef{0, 2});
        QVERIFY(!state.selection());
        state.select(EventRef{5, 0});
        QVERIFY(!state.selection());
    }
    void aMovementIsOneStepUntilTheHandLetsGo() {
        ViewState state;
        state.setRun(firstRun());
        const TimeRange full = state.fullRange();
        state.moveTo({100'000, 200'000});
        state.moveTo({110'000, 200'000});
        state.moveTo({120'000, 200'000});
        state.endMove();
        state.moveTo({130'000, 200'000});
        state.stepBack();
        QCOMPARE(state.visibleRange(), (TimeRange{120'000, 200'000}));
        state.stepBack();
        QCOMPARE(state.visibleRange(), full);
        state.moveTo({100'000, 200'000}); // after a step, too, another one starts
        state.stepBack();
        QCOMPARE(state.visibleRange(), full);
        QVERIFY(!state.canStepBack());
    }
    void aMovementThatEndsWhereItBeganIsNoStep() {
        ViewState state;
        state.setRun(firstRun());
        state.moveTo(state.fullRange());
        QVERIFY(!state.canStepBack());
    }
    void jumpsCanBeTakenBack() {
        ViewState state;
        state.setRun(firstRun());
        state.jumpTo({100'000, 200'000});
        state.jumpTo({110'000, 120'000});
        state.stepBack();
        QCOMPARE(state.visibleRange(), (TimeRange{100'000, 200'000}));
        state.stepForward();
        QCOMPARE(state.visibleRange(), (TimeRange{110'000, 120'000}));
        state.stepBack();
        state.stepBack();
        QCOMPARE(state.visibleRange(), state.fullRange());
        QVERIFY(!state.canStepBack());
        state.stepBack();
        QCOMPARE(state.visibleRange(), state.fullRange());
    }
    void withoutARunThereIsNothingToMove() {
        ViewState state;
        state.setVisibleRange({0, 100});
        state.stepBack();
        QVERIFY(state.visibleRange().empty());
        QVERIFY(state.trace(0) == nullptr);
    }
};

RANKSCOPE_TEST(TestViewState)

} // namespace rankscope::view_state_test

#include "test_view_state.moc"
