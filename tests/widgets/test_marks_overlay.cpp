// SPDX-License-Identifier: GPL-3.0-or-later
// Flows and overlays on the timeline: where their ends lie, what is drawn over which pixels, the legend, the keys.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include <QLabel>
#include <QToolButton>
#include <QtTest>

#include "tests/support/pixel_at.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/flow_overlay.h"
#include "widgets/timeline/mark_painting.h"
#include "widgets/timeline/overlay_legend.h"
#include "widgets/timeline/path_line.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::marks_overlay_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Four ranks: an operator launches a GEMM; an all-reduce from 100, 140, 180, 220 us on to 300 us.
std::shared_ptr<const Run> fourRanks() {
    std::vector<TraceBuilder> ranks;
    for (int rank = 0; rank < 4; ++rank) {
        ranks.emplace_back(rank);
        ranks.back()
            .cpu_op("aten::mm", 0, 30)
            .launch(5, 4)
            .kernel("gemm", 7, 20, 60)
            .launch(92, 2)
            .kernel("gemm2", 7, 110, 20);
        const double start = 100 + 40 * rank;
        ranks.back().collective("nccl", 20, start, 300 - start,
                                {"allreduce", "Float", 10, 10, {"1", "dp", {0, 1, 2, 3}, 0}, 1});
    }
    return make_run(ranks);
}

/// Rank 1 comes late to an all-reduce, after which rank 0 works on: the critical path goes from 1 to 0.
std::shared_ptr<const Run> fromRankToRank() {
    std::vector<TraceBuilder> ranks;
    for (int rank = 0; rank < 2; ++rank) {
        const double arrival = rank == 0 ? 100 : 200;
        ranks.emplace_back(rank);
        ranks.back().launch(5, 2).kernel("gemm", 7, 10, arrival - 10).launch(8, 2);
        ranks.back().collective("nccl", 20, arrival, 300 - arrival,
                                {"allreduce", "Float", 10, 10, {"1", "dp", {0, 1}, 0}, 1});
        ranks.back().launch(11, 2).kernel("after", 7, 301, rank == 0 ? 200 : 50);
    }
    return make_run(ranks);
}

} // namespace

class TestMarksOverlay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        view_->setPalette(QPalette(Qt::white));
        view_->resize(1200, 500);
        view_->show();
        view_->setFocus();
        open(fourRanks());
    }
    void cleanup() {
        view_.reset();
        state_.reset();
    }

    void theSelectedKernelIsConnectedWithItsLaunch() {
        state_->select(named("gemm", 0));
        const auto lines = flowLines(view_->scene());
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[1].kind, FlowKind::launch);
        const QRectF gemm = view_->scene().rectOf(named("gemm", 0));
        QCOMPARE(lines[1].to.x(), gemm.left());
        QVERIFY(lines[1].to.y() > gemm.top() && lines[1].to.y() < gemm.bottom());
        QVERIFY(!lines[1].toFolded);
    }
    void anEndThatIsFoldedAwayLiesOnWhatStandsForIt() {
        state_->select(named("gemm", 0));
        const LaneStrip* threads = view_->scene().stripFor(0, named("cudaLaunchKernel", 0).event);
        QVERIFY(threads != nullptr && threads->isSummary() && threads->group == LaneGroup::threads);
        const auto lines = flowLines(view_->scene());
        QVERIFY(lines[1].fromFolded);
        QCOMPARE(lines[1].from.y(), view_->scene().viewY(threads->top) + threads->height / 2.0);
        view_->toggleFold(LaneId::ofRank(0));
        const auto folded = flowLines(view_->scene());
        QCOMPARE(folded.size(), std::size_t{2});
        QVERIFY(folded[1].fromFolded && folded[1].toFolded);
        QCOMPARE(folded[1].from.y(), folded[1].to.y()); // both on the rank's one strip
    }
    void theMembersOfACollectiveAreAChainThroughTheRanks() {
        state_->select(named("nccl", 2));
        const auto lines = flowLines(view_->scene());
        QCOMPARE(lines.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(lines[i].kind, FlowKind::collective);
            QCOMPARE(lines[i].from.x(), view_->scene().rectOf(named("nccl", static_cast<int>(i))).left());
            QVERIFY(lines[i].to.y() > lines[i].from.y());
        }
        state_->select({});
        QVERIFY(flowLines(view_->scene()).empty());
    }
    void linesEndJustOutsideOfTheView() {
        state_->select(named("gemm", 0));
        const TimeNs begin = state_->fullRange().begin;
        state_->setVisibleRange({begin + 79'000, begin + 79'200});
        QCoreApplication::processEvents();
        for (const FlowLine& line : flowLines(view_->scene()))
            QVERIFY(line.from.x() >= -1000 && line.to.x() >= -1000);
    }
    void bracketsWalkAlongTheFlow() {
        state_->select(named("gemm", 1));
        QTest::keyClick(view_.get(), Qt::Key_BracketLeft);
        QCOMPARE(nameOfSelection(), u"cudaLaunchKernel"_s);
        QVERIFY(!view_->scene().rectOf(*state_->selection()).isEmpty()); // unfolded and in view
        QTest::keyClick(view_.get(), Qt::Key_BracketLeft);
        QCOMPARE(nameOfSelection(), u"aten::mm"_s);
        QTest::keyClick(view_.get(), Qt::Key_BracketLeft); // there the flow starts
        QCOMPARE(nameOfSelection(), u"aten::mm"_s);
        QTest::keyClick(view_.get(), Qt::Key_BracketRight);
        QTest::keyClick(view_.get(), Qt::Key_BracketRight);
        QCOMPARE(state_->selection(), std::optional(named("gemm", 1)));
    }

    void ctrlArrowsWalkToWhatWasWaitedForAndBack() {
        state_->select(named("nccl", 1));
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("nccl", 3)));
        QVERIFY2(view_->scene().hoverLines.contains(u"arrived last at this call: rank 1 waited 80.00 µs for it"_s),
                 qPrintable(view_->scene().hoverLines.join(u'|')));
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier); // to who waited longest
        QCOMPARE(state_->selection(), std::optional(named("nccl", 0)));
        QVERIFY2(view_->scene().hoverLines.contains(u"waited 120.0 µs for the last rank to arrive at this call"_s),
                 qPrintable(view_->scene().hoverLines.join(u'|')));
        state_->select(named("gemm", 1));
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(nameOfSelection(), u"cudaLaunchKernel"_s);
        QVERIFY(!view_->scene().rectOf(*state_->selection()).isEmpty()); // unfolded and in view
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("gemm", 1)));
        // Its stream's next work waited for its own launch; the call of another stream waited for this.
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("nccl", 1)));
        state_->select(named("gemm2", 1));
        QVERIFY(view_->scene().hoverLines.isEmpty()); // what was said of another slice
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(nameOfSelection(), u"cudaLaunchKernel"_s);
        // An operator is no part of what waits: the walk goes into it.
        state_->select(named("aten::mm", 1));
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(nameOfSelection(), u"cudaLaunchKernel"_s);
    }
    void theWalkGoesFromStreamToStreamThroughACall() {
        open(fromRankToRank());
        state_->select(named("after", 0));
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("nccl", 0))); // its own rank's first
        QVERIFY2(view_->scene().hoverLines.contains(u"work of another stream that had to end first"_s),
                 qPrintable(view_->scene().hoverLines.join(u'|')));
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("nccl", 1)));
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("gemm", 1)));
        state_->select(named("nccl", 0));
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("after", 0)));
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier); // nothing comes after it
        QCOMPARE(state_->selection(), std::optional(named("after", 0)));
        QVERIFY2(view_->scene().hoverLines.contains(u"Nothing is known that waited for it."_s),
                 qPrintable(view_->scene().hoverLines.join(u'|')));
    }
    void ctrlUpAndDownWalkTheRanksOfACall() {
        state_->select(named("nccl", 2));
        QTest::keyClick(view_.get(), Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(state_->selection(), std::optional(named("nccl", 1)));
        QVERIFY2(view_->scene().hoverLines.contains(u"the same call, started 40.00 µs earlier than on rank 2"_s),
                 qPrintable(view_->scene().hoverLines.join(u'|')));
        for (int rank = 2; rank < 4; ++rank) {
            QTest::keyClick(view_.get(), Qt::Key_Down, Qt::ControlModifier);
            QCOMPARE(state_->selection(), std::optional(named("nccl", rank)));
        }
        QTest::keyClick(view_.get(), Qt::Key_Down, Qt::ControlModifier); // the last one
        QCOMPARE(state_->selection(), std::optional(named("nccl", 3)));
    }

    void waitsAreHatchedFromArrivalToTheLastArrival() {
        const QImage before = view_->grab().toImage();
        QTest::keyClick(view_.get(), Qt::Key_1);
        QVERIFY(state_->shows(kLagOverlay));
        QCoreApplication::processEvents();
        const QImage after = view_->grab().toImage();
        const QRectF early = view_->scene().rectOf(named("nccl", 0)); // 100-300 us, waits until 220
        const int y = static_cast<int>(early.top()) + 2;
        QVERIFY(differs(before, after, early.left() + 2, early.left() + early.width() * 0.58, y));
        QVERIFY(!differs(before, after, early.left() + early.width() * 0.62, early.right() - 2, y));
        QTest::keyClick(view_.get(), Qt::Key_1);
        QCoreApplication::processEvents();
        QVERIFY(!differs(before, view_->grab().toImage(), early.left(), early.right(), y));
    }
    void theHoverSaysWhoWaitsForWhom() {
        hover(named("nccl", 1));
        QVERIFY2(view_->scene().hoverLines.contains(u"waits 80.00 µs for rank 3, which arrives last"_s),
                 qPrintable(view_->scene().hoverLines.join(u'|')));
        hover(named("nccl", 3));
        // 120 + 80 + 40 us
        QVERIFY(view_->scene().hoverLines.contains(
            u"arrives last, 120.0 µs after the first: the other 3 wait 240.0 µs together"_s));
    }
    void idleCausesAreDrawnWhereNoStreamWorks() {
        const QImage before = view_->grab().toImage();
        QTest::keyClick(view_.get(), Qt::Key_3);
        QCoreApplication::processEvents();
        const QImage after = view_->grab().toImage();
        const TimelineScene& scene = view_->scene();
        const auto busy = std::ranges::find_if(scene.layout.strips, [](const LaneStrip& strip) {
            return strip.rankIndex == 0 && strip.isSummary() && strip.group == LaneGroup::counters;
        });
        QVERIFY(busy != scene.layout.strips.end());
        const QRectF gemm = scene.rectOf(named("gemm", 0)); // no stream works from 80 to 100; stream 7 not until 110
        const QRectF gemm2 = scene.rectOf(named("gemm2", 0));
        const double nccl = scene.rectOf(named("nccl", 0)).left();
        const int middle = scene.viewY(busy->top) + busy->height / 2;
        QVERIFY(differs(before, after, gemm.right() + 1, nccl - 1, middle));
        QVERIFY(!differs(before, after, nccl + 1, gemm2.left() - 1, middle));
        // The stream itself has no bar: the GPU works in part of its gap.
        QVERIFY(!differs(before, after, gemm.right() + 1, gemm2.left() - 1, static_cast<int>(gemm.center().y())));
    }
    void idleCausesOfAStreamAreDrawnWhereTheGpusRowIsNotShown() {
        view_->setLaneFilter(u"stream 7"_s);
        QCoreApplication::processEvents();
        const QImage before = view_->grab().toImage();
        QTest::keyClick(view_.get(), Qt::Key_3);
        QCoreApplication::processEvents();
        const QImage after = view_->grab().toImage();
        const QRectF gemm = view_->scene().rectOf(named("gemm", 0));
        const QRectF gemm2 = view_->scene().rectOf(named("gemm2", 0));
        QVERIFY(differs(before, after, gemm.right() + 1, gemm2.left() - 1, static_cast<int>(gemm.center().y())));
    }
    void theCriticalPathIsFoundWhenAskedForAndDrawn() {
        QVERIFY(!view_->scene().paths);
        QTest::keyClick(view_.get(), Qt::Key_4);
        QTRY_VERIFY(view_->scene().paths);
        QCoreApplication::processEvents();
        std::size_t marks = 0;
        for (const RankPath& path : *view_->scene().paths)
            marks += path.by_begin.size();
        QVERIFY(marks > 0);
    }
    void theCriticalPathIsALineFromSliceToSlice() {
        open(fromRankToRank());
        const QImage before = view_->grab().toImage();
        QTest::keyClick(view_.get(), Qt::Key_4);
        QTRY_VERIFY(view_->scene().pathLine);
        QCoreApplication::processEvents();
        const std::vector<QLineF> hops = pathHops(view_->scene());
        for (const QLineF& hop : hops)
            QVERIFY(hop.x1() == hop.x2() || hop.y1() == hop.y2());
        const QRectF late = view_->scene().rectOf(named("nccl", 1));
        const QRectF after = view_->scene().rectOf(named("after", 0));
        const auto across = std::ranges::find_if(hops, [&](const QLineF& hop) {
            return hop.x1() == hop.x2() && hop.y1() > late.top() && hop.y2() < after.bottom() + 1;
        });
        QVERIFY(across != hops.end());
        QCOMPARE(across->x1(), after.left());
        // Between the two ranks there is nothing else of the path.
        const auto middle = static_cast<int>((late.top() + after.bottom()) / 2);
        QVERIFY(differs(before, view_->grab().toImage(), after.left() - 2, after.left() + 2, middle));
        state_->setVisibleRange({state_->fullRange().begin, state_->fullRange().begin + 90'000});
        QCoreApplication::processEvents();
        for (const QLineF& hop : pathHops(view_->scene())) // what is later is not drawn
            QVERIFY(std::min(hop.x1(), hop.x2()) <= view_->scene().size.width());
        QVERIFY(std::ranges::none_of(pathHops(view_->scene()), [&](const QLineF& hop) {
            return hop.y1() > late.top() && hop.y2() < after.bottom() + 1 && hop.x1() == hop.x2();
        }));
    }
    void manyStopsOfAPathCostNoMoreThanColumns() {
        TimelineScene scene = view_->scene();
        PathLine line;
        std::vector<PathStop> stops;
        for (TimeNs i = 0; i < 100'000; ++i) {
            const TimeNs begin = scene.run->span.begin + i * scene.run->span.length() / 100'000;
            stops.push_back({{static_cast<std::uint32_t>(i % 2), 0}, {begin, begin + 1}, begin});
        }
        line.steps.push_back(stops);
        scene.pathLine = std::make_shared<const PathLine>(line);
        const auto width = static_cast<std::size_t>(scene.size.width());
        const std::vector<QLineF> hops = pathHops(scene);
        QVERIFY(hops.size() <= 4 * width);
        std::set<int> columns;
        for (const QLineF& hop : hops)
            columns.insert(static_cast<int>(hop.x1()));
        QVERIFY(columns.size() >= width - 2); // none is left out
    }
    void callsWithinCallsOfAThreadAreNoHops() {
        view_->toggleFold(LaneId::ofGroup(0, LaneGroup::threads));
        TimelineScene scene = view_->scene();
        const auto stop = [&](const char* name) {
            const EventRef event = named(name, 0);
            const TimeRange range = state_->trace(0)->events.range(event.event);
            return PathStop{{0, event.event}, range, range.begin};
        };
        const auto hopsOf = [&](std::vector<PathStop> stops) {
            scene.pathLine = std::make_shared<const PathLine>(PathLine{{std::move(stops)}, 0, 0});
            return pathHops(scene).size();
        };
        QVERIFY(!scene.rectOf(named("cudaLaunchKernel", 0)).isEmpty());
        PathStop outer = stop("aten::mm");
        outer.range.end = stop("cudaLaunchKernel").range.begin; // the path goes on in the call within it
        QCOMPARE(hopsOf({outer, stop("cudaLaunchKernel")}), std::size_t{0});
        QVERIFY(hopsOf({stop("cudaLaunchKernel"), stop("gemm")}) > 0);
    }
    void theLegendSaysInWordsWhatIsShown() {
        auto* legend = view_->findChild<OverlayLegend*>();
        QVERIFY(legend->explanation().isEmpty());
        QCoreApplication::processEvents();
        const QPoint before = legend->button(kLagOverlay).mapTo(view_.get(), QPoint());
        QTest::mouseClick(&legend->button(kLagOverlay), Qt::LeftButton);
        QVERIFY(state_->shows(kLagOverlay));
        QVERIFY(legend->explanation().contains(u"waits for the last one"_s));
        QCoreApplication::processEvents(); // the row of words has come
        QCOMPARE(legend->button(kLagOverlay).mapTo(view_.get(), QPoint()), before);
        // What there is none of cannot be switched on, and the legend says why.
        const auto alone = make_run({TraceBuilder(0).kernel("gemm", 7, 0, 10)});
        state_->setRun(alone);
        view_->setAnalysis(std::make_shared<const RunAnalysis>(alone, Selection{}));
        QTRY_COMPARE(legend->obstacle(*overlayEntry(kBubblesOverlay)), u"one rank is no pipeline"_s);
        QVERIFY(!legend->button(kBubblesOverlay).isEnabled());
        for (const OverlayEntry& overlay : overlayEntries())
            QVERIFY(!legend->button(overlay.id).accessibleName().isEmpty());
    }
    void anotherRunForgetsTheMarks() {
        state_->select(named("gemm", 0));
        state_->setShows(kLagOverlay, true);
        state_->setRun(fourRanks());
        QVERIFY(!view_->scene().marks);
        QVERIFY(flowLines(view_->scene()).empty());
        view_->grab();
    }
    void marksInOneColumnAreDrawnOnce() {
        std::vector<BubbleSpan> spans;
        for (TimeNs i = 0; i < 100'000; ++i)
            spans.push_back({{i * 10, i * 10 + 4}, BubbleKind::steady});
        const auto columns = columnsOfMarks<BubbleSpan>(spans, {{0, 1'000'000}, 100});
        QCOMPARE(columns.size(), std::size_t{100});
        const auto near = columnsOfMarks<BubbleSpan>(spans, {{0, 100}, 1000});
        QCOMPARE(near.size(), std::size_t{10});
        QCOMPARE(near[1].left, 100);
        QCOMPARE(near[1].right, 140);
    }

private:
    void open(const std::shared_ptr<const Run>& run) {
        state_->setRun(run);
        QTRY_VERIFY(view_->isReady());
        view_->setAnalysis(std::make_shared<const RunAnalysis>(run, Selection{}));
        QTRY_VERIFY(view_->scene().marks);
        QCoreApplication::processEvents();
    }
    [[nodiscard]] EventRef named(std::string_view name, int rank) const {
        const RankTrace& trace = *state_->trace(rank);
        for (EventIndex i = 0; i < trace.events.size(); ++i)
            if (trace.event_name(i) == name)
                return {rank, i};
        return {};
    }
    [[nodiscard]] QString nameOfSelection() const {
        const std::string_view name = state_->trace(state_->selection()->rank)->event_name(state_->selection()->event);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    /// Any pixel of the line differs (places in the lanes' area).
    [[nodiscard]] bool differs(const QImage& a, const QImage& b, double from, double to, int y) const {
        const QPoint corner = view_->lanesRect().topLeft();
        const double pixel = 1 / a.devicePixelRatio();
        for (double x = std::floor(from); x < std::floor(to); x += pixel)
            if (pixelAt(a, corner + QPointF(x, y)) != pixelAt(b, corner + QPointF(x, y)))
                return true;
        return false;
    }
    void hover(const EventRef& event) {
        const QPoint point = view_->lanesRect().topLeft() + view_->scene().rectOf(event).center().toPoint();
        QMouseEvent move(QEvent::MouseMove, point, view_->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(view_.get(), &move);
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
};

RANKSCOPE_GUI_TEST(TestMarksOverlay)

} // namespace rankscope::marks_overlay_test

#include "test_marks_overlay.moc"
