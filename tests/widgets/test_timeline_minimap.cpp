// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of the whole run: its shares, its window under the hand, its marks.
#include <cmath>
#include <memory>

#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/minimap.h"
#include "widgets/timeline/time_ruler.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::timeline_minimap_test {

namespace {

constexpr auto C = static_cast<std::size_t>(SliceClass::compute);
constexpr auto X = static_cast<std::size_t>(SliceClass::communication);

/// Rank 0 computes for the first half of 8 ms, rank 1 communicates for the last half; 1 ms of that hides behind
/// compute.
std::shared_ptr<const Run> halves() {
    return make_run(
        {TraceBuilder(0).kernel("gemm", 7, 0, 4'000),
         TraceBuilder(1).kernel("ncclDevKernel_AllReduce", 20, 4'000, 4'000).kernel("gemm", 7, 5'000, 1'000)});
}

/// On a screen whose scale changes, as when the window is moved to another.
class ScaledMinimap : public Minimap {
public:
    using Minimap::Minimap;
    int ratio = 1;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric what) const override {
        if (what == PdmDevicePixelRatio)
            return ratio;
        return what == PdmDevicePixelRatioScaled ? static_cast<int>(ratio * devicePixelRatioFScale())
                                                 : Minimap::metric(what);
    }
};

} // namespace

class TestTimelineMinimap : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        view_->resize(1000, 400);
        view_->show();
        state_->setRun(halves());
        QTRY_VERIFY(view_->isReady());
        QCoreApplication::processEvents();
    }
    void cleanup() {
        view_.reset();
        state_.reset();
    }

    /// Steps from 0 and 4 of 8 ms; two thousand of them would be no marks.
    void stepsAreMarked() {
        QVERIFY(map().stepColumns().empty());
        const auto with_steps = [&](int steps) {
            TraceBuilder rank(0);
            for (int i = 0; i < steps; ++i)
                rank.step(i + 1, 8000.0 * i / steps, 8000.0 / steps);
            state_->setRun(make_run({rank.kernel("gemm", 7, 0, 8'000)}));
            QCoreApplication::processEvents();
        };
        with_steps(2);
        QTRY_COMPARE(map().stepColumns().size(), 2U);
        QCOMPARE(map().stepColumns().front(), 0);
        QCOMPARE(map().stepColumns().back(), map().width() / 2);
        with_steps(2000);
        QTRY_VERIFY(map().stepColumns().empty());
    }

    void onAScreenOfAnotherScaleItIsDrawnAnew() {
        ScaledMinimap map(view_->scene(), state_.get());
        map.resize(300, 30);
        map.show();
        map.grab();
        QCOMPARE(map.image().devicePixelRatio(), 1.0);
        map.ratio = 3;
        map.grab();
        QCOMPARE(map.image().devicePixelRatio(), 3.0);
        QCOMPARE(map.image().width(), 900);
    }

    void columnsAreTheMeanOverRanks() {
        const MinimapShares& shares = map().shares();
        QCOMPARE(shares.ranks, 2);
        QCOMPARE(static_cast<int>(shares.columns.size()), kMinimapColumns);
        QCOMPARE(shares.columns.front()[C], 0.5F);
        QCOMPARE(shares.columns.front()[X], 0.0F);
        QCOMPARE(shares.columns.back()[X], 0.5F);
        const ClassShares hidden = shares.columns[kMinimapColumns * 11 / 16]; // 5.5 ms: exposed communication only
        QCOMPARE(hidden[C], 0.5F);
        QCOMPARE(hidden[X], 0.0F);
        const ClassShares half = shares.over(1, 2); // 4 to 8 ms: 1 ms of compute, 3 ms exposed
        QVERIFY(std::abs(half[C] - 0.125F) < 1e-4F);
        QVERIFY(std::abs(half[X] - 0.375F) < 1e-4F);
    }
    void theWindowIsWhatIsInView() {
        const TimeRange full = state_->fullRange();
        state_->setVisibleRange({full.begin + full.length() / 4, full.begin + full.length() / 2});
        QCOMPARE(qRound(map().window().left()), map().width() / 4);
        QCOMPARE(qRound(map().window().right()), map().width() / 2);
        state_->setVisibleRange({full.begin, full.begin + 200});
        QVERIFY(map().window().width() >= 6); // enough to take hold of
    }
    void draggingTheWindowPans() {
        quarter();
        const TimeRange before = state_->visibleRange();
        drag(map().window().center().x(), map().window().center().x() + map().width() / 8.0);
        QCOMPARE(state_->visibleRange().length(), before.length());
        QVERIFY(std::abs(state_->visibleRange().begin - before.begin - state_->fullRange().length() / 8) <
                state_->fullRange().length() / 200);
        drag(map().window().center().x(), 5 * map().width()); // no further than the end
        QCOMPARE(state_->visibleRange().end, state_->fullRange().end);
        QCOMPARE(state_->visibleRange().length(), before.length());
    }
    void draggingAnEdgeResizesAndTheOtherStays() {
        quarter();
        const TimeRange before = state_->visibleRange();
        drag(map().window().right(), map().width() * 0.75);
        QCOMPARE(state_->visibleRange().begin, before.begin);
        QVERIFY(state_->visibleRange().end > before.end);
        const TimeNs end = state_->visibleRange().end;
        drag(map().window().left(), map().width() * 0.5);
        QCOMPARE(state_->visibleRange().end, end);
        QVERIFY(state_->visibleRange().begin > before.begin);
        drag(map().window().left(), map().width() * 0.99); // past the other edge
        QCOMPARE(state_->visibleRange().length(), kShortestVisible);
    }
    void aClickGoesThereAndBackspaceComesBack() {
        quarter();
        const TimeRange before = state_->visibleRange();
        QTest::mouseClick(&map(), Qt::LeftButton, {}, QPoint(map().width() * 7 / 8, 10));
        QCOMPARE(state_->visibleRange().length(), before.length());
        QVERIFY(state_->visibleRange().contains(state_->fullRange().begin + state_->fullRange().length() * 7 / 8));
        state_->stepBack();
        QCOMPARE(state_->visibleRange(), before);
    }
    void marksLieWhereTheirTimesAre() {
        const TimeRange full = state_->fullRange();
        map().setMarks({full.begin + full.length() / 2, full.begin, full.begin + full.length() / 2, full.end + 5});
        const std::vector<int> columns = map().markedColumns();
        QCOMPARE(columns.size(), std::size_t{3});
        QCOMPARE(columns[0], 0);
        QVERIFY(std::abs(columns[1] - map().width() / 2) <= 1);
        QVERIFY(columns[2] >= map().width() - 2);
        map().grab();
        map().setMarks({});
        QVERIFY(map().markedColumns().empty());
    }
    void searchHitsAreMarked() {
        auto hits = std::make_shared<SearchHits>();
        hits->ranks = {{0}, {}};
        hits->before = {0, 1, 1};
        hits->count = 1;
        state_->setSearchHits(hits);
        QTRY_COMPARE(map().markedColumns().size(), std::size_t{1});
        state_->setSearchHits(nullptr);
        QTRY_VERIFY(map().markedColumns().empty());
    }
    void aRunWithoutGpuShowsItsThreads() {
        state_->setRun(make_run({TraceBuilder(0).cpu_op("aten::mm", 0, 500).cpu_op("aten::add", 900, 100)}));
        QTRY_VERIFY(view_->isReady());
        QCOMPARE(map().shares().columns.front()[static_cast<std::size_t>(SliceClass::operator_call)], 1.0F);
        state_->setRun(nullptr);
        QTRY_VERIFY(view_->isReady());
        QVERIFY(map().shares().columns.empty());
        QTest::mouseClick(&map(), Qt::LeftButton, {}, QPoint(100, 10));
        map().grab();
    }

    void theRulerCountsFromTheRunFromStepsOrFromTheEpoch() {
        state_->setRun(make_run({TraceBuilder(0)
                                     .base(1'700'000'000'000'000'000)
                                     .kernel("gemm", 7, 0, 10'000)
                                     .step(3, 2'000, 3'000)
                                     .step(4, 6'000, 3'000)}));
        QTRY_VERIFY(view_->isReady());
        QCoreApplication::processEvents();
        const TimeNs begin = state_->run()->span.begin;
        QCOMPARE(rulerStretches(view_->scene()).size(), std::size_t{1});
        QCOMPARE(rulerStretches(view_->scene())[0].origin, begin);
        view_->setTimeOrigin(TimeOrigin::step);
        const auto stretches = rulerStretches(view_->scene());
        QCOMPARE(stretches.size(), std::size_t{2});
        QCOMPARE(stretches[0].origin, begin + 2'000'000);
        QCOMPARE(stretches[0].range, (TimeRange{begin, begin + 6'000'000}));
        QCOMPARE(stretches[1].origin, begin + 6'000'000);
        view_->setTimeOrigin(TimeOrigin::wallClock);
        const auto clock = rulerStretches(view_->scene());
        QCOMPARE(clock[0].origin, TimeNs{0});
        // 1.7e9 s after the epoch is 2023-11-14 22:13:20.
        QCOMPARE(rulerLabel(view_->scene(), clock[0], begin + 5'000'000, rulerScaleOf(view_->scene(), clock[0])),
                 QStringLiteral("22:13:20.005"));
        view_->grab();
    }
    /// Another rank starts the same step at another time.
    void ofSeveralRanksTheRulerSaysWhoseStepsItHas() {
        const auto wordsOf = [this] {
            QTest::qWait(0);
            view_->setTimeOrigin(TimeOrigin::step);
            const auto* ruler = view_->findChild<TimeRuler*>();
            const RankTrace* trace = rankOfRulerSteps(view_->scene());
            return ruler->stepTexts(*trace, trace->steps.front()) << ruler->originText();
        };
        const auto rank = [](int number) {
            return TraceBuilder(number).kernel("gemm", 7, 0, 10'000).step(3, 2'000 + 500.0 * number, 3'000);
        };
        state_->setRun(make_run({rank(0)}));
        QTRY_VERIFY(view_->isReady());
        QCOMPARE(wordsOf(), (QStringList{QStringLiteral("step 3 on the host"), QStringLiteral("step 3"),
                                         QStringLiteral("from step start")}));
        state_->setRun(make_run({rank(4), rank(5)}));
        QTRY_VERIFY(view_->isReady());
        QCOMPARE(wordsOf(),
                 (QStringList{QStringLiteral("step 3 on the host of rank 4"), QStringLiteral("step 3 of rank 4"),
                              QStringLiteral("from step start of rank 4")}));
    }
    void aTraceWithoutWallClockKeepsItsRelativeTimes() {
        QVERIFY(!isWallClock(state_->run()->span.begin));
        view_->setTimeOrigin(TimeOrigin::wallClock);
        QCOMPARE(rulerStretches(view_->scene())[0].origin, state_->run()->span.begin);
    }
    void clockTimesHaveTheDecimalsTheirStepsNeed_data() {
        QTest::addColumn<TimeNs>("step");
        QTest::addColumn<QString>("label");
        QTest::newRow("seconds") << TimeNs{2'000'000'000} << "22:13:20";
        QTest::newRow("milliseconds") << TimeNs{5'000'000} << "22:13:20.012";
        QTest::newRow("tenths") << TimeNs{500'000'000} << "22:13:20.0";
        QTest::newRow("nanoseconds") << TimeNs{1} << "22:13:20.012345678";
    }
    void clockTimesHaveTheDecimalsTheirStepsNeed() {
        QFETCH(TimeNs, step);
        QFETCH(QString, label);
        RulerScale scale;
        scale.step = step;
        QCOMPARE(clockLabel(1'700'000'000'012'345'678, scale), label);
    }

private:
    [[nodiscard]] Minimap& map() const { return view_->minimap(); }
    void quarter() {
        const TimeRange full = state_->fullRange();
        state_->setVisibleRange({full.begin + full.length() / 4, full.begin + full.length() / 2});
    }
    void drag(double from, double to) {
        const auto point = [](double x) { return QPoint(qRound(x), 12); };
        QTest::mousePress(&map(), Qt::LeftButton, {}, point(from));
        QTest::mouseMove(&map(), point((from + to) / 2));
        QTest::mouseMove(&map(), point(to));
        QTest::mouseRelease(&map(), Qt::LeftButton, {}, point(to));
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
};

RANKSCOPE_GUI_TEST(TestTimelineMinimap)

} // namespace rankscope::timeline_minimap_test

#include "test_timeline_minimap.moc"
