// SPDX-License-Identifier: GPL-3.0-or-later
// Two views of two runs: where one looks the other looks, and what is selected in one is found in the other.
#include <cmath>
#include <memory>
#include <optional>

#include <QSignalSpy>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/compare/difference_track.h"
#include "widgets/compare/linked_timelines.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::run_link_test {

namespace {

constexpr TimeNs kBase = 1'700'000'000'000'000'000;

/// Three steps of `step` us; in each a gemm of `gemm` us at its start, then nothing.
std::shared_ptr<const RunAnalysis> runOf(double step, double gemm, TimeNs base) {
    TraceBuilder builder(0);
    builder.base(base);
    for (int i = 0; i < 3; ++i)
        builder.step(i + 1, i * step, step)
            .cpu_op("aten::mm", i * step + 1, 10)
            .launch(i * step + 2, 1)
            .kernel("gemm", 7, i * step + 10, gemm);
    return std::make_shared<const RunAnalysis>(make_run({builder}), Selection{});
}

} // namespace

class TestRunLink : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        timelines_ = std::make_unique<LinkedTimelines>();
        timelines_->resize(1000, 700);
        baseline_ = runOf(1000, 400, kBase);
        test_ = runOf(1500, 600, kBase + 5'000'000'000);
        timelines_->setRuns(baseline_, test_);
    }
    void cleanup() { timelines_.reset(); }

    void bothShowTheSameScaleFromTheBeginning() {
        QCOMPARE(view(CompareSide::baseline).visibleRange().length(), view(CompareSide::test).visibleRange().length());
        QVERIFY(view(CompareSide::baseline).visibleRange().length() >= test_->run().span.length());
    }

    void zoomingOneZoomsTheOtherAtTheSameStep() {
        // 100 to 300 us into step 2 of the baseline, then of the test.
        view(CompareSide::baseline).setVisibleRange(at(kBase, 1100, 1300));
        QCOMPARE(view(CompareSide::test).visibleRange(), at(kBase + 5'000'000'000, 1600, 1800));
        view(CompareSide::test).setVisibleRange(at(kBase + 5'000'000'000, 3050, 3250));
        QCOMPARE(view(CompareSide::baseline).visibleRange(), at(kBase, 2050, 2250));
    }

    void stretchedStepsShowTheSameShare() {
        timelines_->link().setLayout(StepLayout::stretched);
        view(CompareSide::baseline).setVisibleRange(at(kBase, 1000, 1500)); // the first half of step 2
        QCOMPARE(view(CompareSide::test).visibleRange(), at(kBase + 5'000'000'000, 1500, 2250));
    }

    void unlinkedViewsGoTheirOwnWay() {
        timelines_->link().setLinked(false);
        const TimeRange before = view(CompareSide::test).visibleRange();
        view(CompareSide::baseline).setVisibleRange(at(kBase, 1100, 1300));
        QCOMPARE(view(CompareSide::test).visibleRange(), before);
        timelines_->link().setLinked(true);
        QCOMPARE(view(CompareSide::test).visibleRange(), at(kBase + 5'000'000'000, 1600, 1800));
    }

    void aMarkedRangeIsMarkedInBoth() {
        view(CompareSide::baseline).setVisibleRange(at(kBase, 1000, 1500));
        view(CompareSide::baseline).setRange(at(kBase, 1100, 1200));
        QVERIFY(view(CompareSide::test).range().has_value());
        QCOMPARE(*view(CompareSide::test).range(), at(kBase + 5'000'000'000, 1600, 1700));
        view(CompareSide::test).setRange(std::nullopt);
        QVERIFY(!view(CompareSide::baseline).range().has_value());
    }

    void selectingASliceFindsItsTwin() {
        QSignalSpy found(&timelines_->link(), &RunLink::slicePairChanged);
        view(CompareSide::test).select(EventRef{0, 1}); // the gemm of step 2
        QTRY_COMPARE(found.count(), 1);
        const auto& pair = timelines_->link().slicePair();
        QVERIFY(pair && pair->found);
        QCOMPARE(view(CompareSide::baseline).selection(), (EventRef{0, 1}));
        QCOMPARE(*pair->found->step, std::size_t{1});
        view(CompareSide::test).select(std::nullopt);
        QVERIFY(!view(CompareSide::baseline).selection().has_value());
    }

    void theDifferenceTrackAddsUpToTheStep() {
        QSignalSpy ready(timelines_.get(), &LinkedTimelines::profilesReady);
        QTRY_VERIFY(!ready.isEmpty());
        double total = 0;
        double computation = 0;
        for (const PhaseDifference& difference : timelines_->differenceTrack().differences()) {
            total += difference.total();
            computation += difference.computation;
        }
        QVERIFY(std::abs(total - 500'000) < 1);       // steps of 1500 and 1000 us
        QVERIFY(std::abs(computation - 200'000) < 1); // gemms of 600 and 400 us
    }

    void foldingALaneFoldsItsCounterpart() {
        // The test computes on stream 30 and sends on 7: by index the lanes would be exchanged.
        const auto ranks = [](int compute, int send) {
            std::vector<TraceBuilder> all;
            for (int rank = 0; rank < 12; ++rank)
                all.push_back(TraceBuilder(rank)
                                  .base(kBase)
                                  .step(1, 0, 100)
                                  .kernel("gemm", compute, 0, 50)
                                  .kernel("ncclDevKernel_AllReduce", send, 0, 90));
            return std::make_shared<const RunAnalysis>(make_run(all), Selection{});
        };
        QSignalSpy ready(timelines_.get(), &LinkedTimelines::profilesReady);
        timelines_->setRuns(ranks(7, 20), ranks(30, 7));
        QTRY_VERIFY(!ready.isEmpty());
        TimelineView& baseline = timelines_->timeline(CompareSide::baseline);
        TimelineView& test = timelines_->timeline(CompareSide::test);
        baseline.hideLane(LaneId::ofLane(0, LaneGroup::streams, 0)); // stream 7, computes
        QVERIFY(test.arrangement().hidden.contains(LaneId::ofLane(0, LaneGroup::streams, 1)));
        QCOMPARE(test.arrangement().hidden.size(), std::size_t{1});
        test.showHidden();
        QVERIFY(baseline.arrangement().hidden.empty());
    }

    // The test has a second rank, and its first one communicates on a stream that the baseline lacks.
    void whatTheOtherRunLacksIsMarked() {
        const auto rank = [](int number) {
            return TraceBuilder(number).base(kBase).step(1, 0, 100).kernel("gemm", 7, 0, 50);
        };
        TraceBuilder communicating = rank(0);
        communicating.kernel("ncclDevKernel_AllReduce", 20, 60, 10);
        QSignalSpy ready(timelines_.get(), &LinkedTimelines::profilesReady);
        timelines_->setRuns(std::make_shared<const RunAnalysis>(make_run({rank(0)}), Selection{}),
                            std::make_shared<const RunAnalysis>(make_run({communicating, rank(1)}), Selection{}));
        QTRY_VERIFY(!ready.isEmpty());
        const TimelineView& baseline = timelines_->timeline(CompareSide::baseline);
        const TimelineView& test = timelines_->timeline(CompareSide::test);
        QVERIFY(!baseline.isMarked(LaneId::ofRank(0)));
        QVERIFY(!baseline.isMarked(LaneId::ofLane(0, LaneGroup::streams, 0)));
        QVERIFY(!test.isMarked(LaneId::ofRank(0)));
        QVERIFY(!test.isMarked(LaneId::ofLane(0, LaneGroup::streams, 0)));
        QVERIFY(test.isMarked(LaneId::ofLane(0, LaneGroup::streams, 1)));
        QVERIFY(test.isMarked(LaneId::ofRank(1)));
        timelines_->setRuns(nullptr, nullptr);
        QVERIFY(!test.isMarked(LaneId::ofRank(1)));
    }

    void scrollingOneScrollsTheOtherToTheSameRank() {
        std::vector<TraceBuilder> all;
        for (int rank = 0; rank < 40; ++rank)
            all.push_back(TraceBuilder(rank).base(kBase).step(1, 0, 100).kernel("gemm", 7, 0, 50));
        const auto run = [&all] { return std::make_shared<const RunAnalysis>(make_run(all), Selection{}); };
        timelines_->setRuns(run(), run());
        timelines_->show();
        QVERIFY(QTest::qWaitForWindowExposed(timelines_.get()));
        timelines_->timeline(CompareSide::test).scrollToLane(LaneId::ofRank(39));
        const auto place = timelines_->timeline(CompareSide::test).topPlace();
        QVERIFY(place && place->id.rank > 5);
        const auto other = timelines_->timeline(CompareSide::baseline).topPlace();
        QVERIFY(other.has_value());
        QCOMPARE(other->id.rank, place->id.rank);
    }

    void oneRunOrNoneIsEmptyNotBroken() {
        timelines_->setRuns(baseline_, nullptr);
        QVERIFY(!timelines_->link().alignment());
        view(CompareSide::baseline).setVisibleRange(at(kBase, 1100, 1300));
        timelines_->setRuns(nullptr, nullptr);
        timelines_->grab();
        timelines_->setRuns(baseline_, test_);
        QVERIFY(timelines_->link().alignment() != nullptr);
    }

private:
    ViewState& view(CompareSide side) { return *timelines_->link().view(side); }
    static TimeRange at(TimeNs base, TimeNs begin, TimeNs end) { return {base + begin * 1000, base + end * 1000}; }

    std::unique_ptr<LinkedTimelines> timelines_;
    std::shared_ptr<const RunAnalysis> baseline_;
    std::shared_ptr<const RunAnalysis> test_;
};

RANKSCOPE_GUI_TEST(TestRunLink)

} // namespace rankscope::run_link_test

#include "test_run_link.moc"
