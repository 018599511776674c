// SPDX-License-Identifier: GPL-3.0-or-later
// Arranging lanes with mouse and keyboard: what must hold after each gesture on the headers.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "tests/support/pixel_at.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/palette.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/name_filter_bar.h"
#include "widgets/timeline/slice_class.h"
#include "widgets/timeline/slice_label.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::timeline_lanes_test {

namespace {

/// Two streams and a thread with two rows a rank; some kernels are short enough to share columns.
std::shared_ptr<const Run> runOf(int ranks) {
    std::vector<TraceBuilder> all;
    for (int rank = 0; rank < ranks; ++rank) {
        TraceBuilder builder(rank);
        builder.base(1'700'000'000'000'000'000);
        for (int i = 0; i < 10; ++i)
            builder.kernel("gemm_" + std::to_string(i), 7, i * 200.0, 100);
        builder.kernel("ncclDevKernel_AllReduce", 20, 400, 500);
        builder.cpu_op("aten::linear", 10, 50).cpu_op("aten::mm", 12, 20);
        builder.counter("power: W", 0, 50).counter("power: W", 1'000, 90);
        all.push_back(builder);
    }
    return make_run(all);
}

} // namespace

class TestTimelineLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { open(runOf(8)); }
    void cleanup() {
        view_.reset();
        state_.reset();
    }

    void arrowsWalkFoldAndUnfold() {
        view_->focusLanes();
        QCOMPARE(headers()->current(), std::optional(LaneId::ofRank(0)));
        key(Qt::Key_Left);
        QVERIFY(!block(0).open);
        key(Qt::Key_Down);
        QCOMPARE(headers()->current(), std::optional(LaneId::ofRank(1))); // rank 0 has no lines of its own any more
        key(Qt::Key_Up);
        key(Qt::Key_Right);
        QVERIFY(block(0).open);
        key(Qt::Key_Right);
        QCOMPARE(headers()->current(), std::optional(LaneId::ofLane(0, LaneGroup::streams, 0)));
        key(Qt::Key_Left);
        QCOMPARE(headers()->current(), std::optional(LaneId::ofRank(0)));
        key(Qt::Key_R);
        QVERIFY(!block(0).open);
        key(Qt::Key_End);
        QCOMPARE(headers()->current()->rank, 7);
        QVERIFY(scene().viewY(headerItems(*state_->run(), scene().layout).back().top) <
                scene().size.height()); // scrolled there
    }
    /// Of 1900 us: kernels 1000, an all-reduce of 500 of which they hide 300.
    void eachRankSaysWhatFillsWhatIsShown() {
        const QString all = QStringLiteral("Shown: 1.90 ms of its GPU's time\ncomputation 1.00 ms (53 %)\n"
                                           "exposed communication, waiting included 200 µs (11 %)\n"
                                           "copies that nothing hides 0 µs (0.0 %)\nidle 700 µs (37 %)");
        QCOMPARE(headers()->sharesText(3), all);
        const RankTrace& trace = *state_->trace(3);
        const TimeNs begin = trace.events.range(named("gemm_0", 3).event).begin;
        state_->setVisibleRange({begin + 400'000, begin + 600'000}); // a kernel beside the all-reduce, then it alone
        QCoreApplication::processEvents();
        QCOMPARE(headers()->sharesText(3), QStringLiteral("Shown: 200 µs of its GPU's time\ncomputation 100 µs (50 %)\n"
                                                          "exposed communication, waiting included 100 µs (50 %)\n"
                                                          "copies that nothing hides 0 µs (0.0 %)\nidle 0 µs (0.0 %)"));
        // The bar below the name: half of each colour.
        const QImage picture = headers()->grab().toImage();
        std::map<QRgb, int> columns;
        const HeaderItem item = headers()->items().front();
        QCOMPARE(item.id, LaneId::ofRank(0));
        const QRect name = headers()->rectOf(item);
        for (int x = name.left(); x < name.right(); ++x)
            for (int y = name.top(); y < name.bottom() + 8; ++y)
                ++columns[pixelAt(picture, QPoint(x, y)).rgb()];
        const bool dark = isDark(headers()->palette());
        const int computation = columns[hueOf(SliceClass::compute, dark).rgb()];
        QVERIFY(computation > 50);
        QVERIFY(std::abs(computation - columns[hueOf(SliceClass::communication, dark).rgb()]) <= 10);
    }
    /// Steps 1, 2, 101 and 102 of 100 us, each busy for 90; the profiler paused between 2 and 101. Work that is
    /// launched in a step and ends in the pause counts.
    void whatTheProfilerDidNotRecordIsNotShown() {
        TraceBuilder builder(0);
        for (const int s : {0, 1, 100, 101})
            builder.step(s + 1, 100.0 * s, 100)
                .launch(100.0 * s + 1, 2)
                .kernel("first", 7, 100.0 * s + 5, 40)
                .launch(100.0 * s + 2, 2)
                .kernel("second", 7, 100.0 * s + 50, s == 1 ? 70 : 50);
        open(make_run({builder}));
        QVERIFY2(headers()->sharesText(0).startsWith(QStringLiteral("Shown: 410 µs of its GPU's time\n"
                                                                    "computation 380 µs (93 %)")),
                 qPrintable(headers()->sharesText(0)));
        QVERIFY2(headers()->sharesText(0).endsWith(QStringLiteral("idle 30.0 µs (7.3 %)")),
                 qPrintable(headers()->sharesText(0)));
    }
    void pinnedLanesStayWhileTheRestScrolls() {
        open(runOf(32));
        view_->pinLane(LaneId::ofLane(20, LaneGroup::streams, 0));
        const EventRef pinned = named("gemm_3", 20);
        const QRectF before = scene().rectOf(pinned);
        QVERIFY(before.top() < scene().pinnedHeight);
        const QRectF other = scene().rectOf(named("gemm_3", 10));
        scrollBar()->setValue(100);
        QCOMPARE(scene().rectOf(pinned), before);
        QCOMPARE(scene().rectOf(named("gemm_3", 10)).top(), other.top() - 100);
        const auto hit = scene().hit(before.center());
        QVERIFY(hit.has_value());
        QCOMPARE(hit->event, pinned);
        view_->pinLane(LaneId::ofLane(20, LaneGroup::streams, 0));
        QCOMPARE(scene().pinnedHeight, 0);
    }
    void pinnedLanesAreDrawnAboveWhatIsScrolledUnderThem() {
        open(runOf(32));
        view_->pinLane(LaneId::ofLane(20, LaneGroup::streams, 1)); // communication
        scrollBar()->setValue(scene().pinnedHeight / 2 + 3);
        const QRectF rect = scene().rectOf(named("ncclDevKernel_AllReduce", 20));
        view_->drawNow();
        const QImage image = view_->grab().toImage();
        const QPoint at =
            view_->lanesRect().topLeft() + QPoint(static_cast<int>(rect.left()) + 2, static_cast<int>(rect.top()) + 1);
        QCOMPARE(pixelAt(image, at), hueOf(SliceClass::communication, false));
    }
    void aScrolledViewLooksAsOneDrawnAfresh() {
        open(runOf(32));
        view_->pinLane(LaneId::ofLane(20, LaneGroup::streams, 1));
        const TimeRange visible{state_->fullRange().begin + 150'000, state_->fullRange().begin + 1'350'000};
        state_->setVisibleRange(visible);
        view_->drawNow();
        scrollBar()->setValue(137);
        const QImage scrolled = view_->grab().toImage();
        state_->setVisibleRange(state_->fullRange()); // nothing of the last frame fits
        view_->grab();
        state_->setVisibleRange(visible);
        QCOMPARE(view_->grab().toImage(), scrolled);
        scrollBar()->setValue(0);
        QVERIFY(view_->grab().toImage() != scrolled);
    }
    void moreThanFitsIsNotPinned() {
        for (int rank = 0; rank < 8; ++rank)
            view_->pinLane(LaneId::ofRank(rank));
        QCOMPARE(scene().pinnedHeight, 0); // all of it scrolls, nothing is out of reach
        QVERIFY(scrollBar()->maximum() + scene().size.height() >= scene().layout.height);
    }
    void hidingHasAVisibleWayBack() {
        view_->focusLanes();
        key(Qt::Key_Down);
        const LaneId first = *headers()->current();
        QSignalSpy changed(view_.get(), &TimelineView::arrangementChanged);
        key(Qt::Key_H);
        QVERIFY(view_->arrangement().hidden.contains(first));
        QVERIFY(*headers()->current() != first);
        QCOMPARE(changed.count(), 1);
        auto* button = view_->findChild<QToolButton*>();
        QVERIFY(button->isVisible());
        QVERIFY(button->text().contains(QStringLiteral("1 hidden")));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(view_->arrangement().hidden.empty());
        QVERIFY(!button->isVisible());
    }
    void theFilterShowsOnlyWhatItNames() {
        view_->focusLaneFilter();
        auto* filter = view_->findChild<QLineEdit*>();
        QTest::keyClicks(filter, QStringLiteral("rank 3 stream 7"));
        QCOMPARE(scene().layout.ranks.size(), std::size_t{1});
        QVERIFY(scene().rectOf(named("gemm_3", 2)).isEmpty());
        QVERIFY(!scene().rectOf(named("gemm_3", 3)).isEmpty());
        view_->reveal(named("gemm_3", 2)); // whoever asks for a slice sees it
        QVERIFY(!scene().rectOf(named("gemm_3", 2)).isEmpty());
        QVERIFY(filter->text().isEmpty());
        QTest::keyClicks(filter, QStringLiteral("pigs"));
        QVERIFY(scene().layout.ranks.empty());
        view_->grab();
        QTest::keyClick(filter, Qt::Key_Escape);
        QCOMPARE(scene().layout.ranks.size(), std::size_t{8});
    }
    void revealingShowsWhatWasHidden() {
        const EventRef gemm = named("gemm_3", 2);
        for (const LaneId& id : {LaneId::ofRank(2), LaneId::ofLane(2, LaneGroup::streams, 0)}) {
            view_->hideLane(id);
            QVERIFY(scene().rectOf(gemm).isEmpty());
            view_->reveal(gemm);
            QVERIFY(!scene().rectOf(gemm).isEmpty());
        }
    }
    void altArrowsMoveARankPastHiddenOnes() {
        view_->hideLane(LaneId::ofRank(1));
        view_->focusLanes(); // rank 0
        QTest::keyClick(headers(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(order(), (std::vector<int>{2, 0, 3, 4, 5, 6, 7}));
        QTest::keyClick(headers(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(order(), (std::vector<int>{0, 2, 3, 4, 5, 6, 7}));
        QTest::keyClick(headers(), Qt::Key_Up, Qt::AltModifier); // as far as it goes
        QCOMPARE(order(), (std::vector<int>{0, 2, 3, 4, 5, 6, 7}));
    }
    void draggingARankMovesItAndAClickFoldsIt() {
        const auto middle = [&](std::size_t number) {
            const RankBlock& block = scene().layout.ranks[number];
            return QPoint(12, scene().viewY(block.top) + block.height / 2 + 2);
        };
        QTest::mousePress(headers(), Qt::LeftButton, {}, middle(0));
        QTest::mouseMove(headers(), middle(0) + QPoint(0, 30));
        QTest::mouseMove(headers(), middle(2));
        headers()->grab();
        QTest::mouseRelease(headers(), Qt::LeftButton, {}, middle(2));
        QCOMPARE(order(), (std::vector<int>{1, 2, 0, 3, 4, 5, 6, 7}));
        QVERIFY(block(0).open);
        QTest::mouseClick(headers(), Qt::LeftButton, {}, middle(0));
        QVERIFY(!block(0).open); // rank 1 by now
    }
    void theMenuOffersItAll() {
        const LaneId id = LaneId::ofLane(2, LaneGroup::streams, 1);
        const auto menu = view_->laneMenu(id);
        const auto choose = [&](const QString& text) {
            for (QAction* action : menu->actions())
                if (action->text().remove(QLatin1Char('&')).startsWith(text))
                    return action->trigger();
            QFAIL(qPrintable(text));
        };
        choose(QStringLiteral("Pin"));
        QVERIFY(view_->arrangement().isPinned(id));
        choose(QStringLiteral("Move rank 2 up"));
        QCOMPARE(order()[1], 2);
        choose(QStringLiteral("Hide"));
        QVERIFY(view_->arrangement().hidden.contains(id));
        choose(QStringLiteral("Fold all"));
        QVERIFY(!block(5).open);
        QVERIFY(view_->laneMenu(LaneId::ofRank(99)) != nullptr); // of what is not there: harmless
    }
    void keysOfTheTimelinePinAndHideTheLaneUnderThePointer() {
        view_->setFocus();
        const auto pointAtLane = [&] {
            const QPoint at =
                view_->lanesRect().topLeft() + scene().rectOf(named("ncclDevKernel_AllReduce", 3)).center().toPoint();
            QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(view_.get(), &move);
        };
        pointAtLane();
        const auto lane = LaneId::ofLane(3, LaneGroup::streams, 1);
        QCOMPARE(view_->laneInFocus(), std::optional(lane));
        QTest::keyClick(view_.get(), Qt::Key_P);
        QVERIFY(view_->arrangement().isPinned(lane));
        pointAtLane(); // it is elsewhere now
        QTest::keyClick(view_.get(), Qt::Key_H);
        QCOMPARE(view_->arrangement().hidden, (std::set<LaneId>{lane}));
        QTest::keyClick(view_.get(), Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(view_->arrangement().hidden.empty());
    }
    void ctrlAltWheelChangesTheHeightOfLanesOnly() {
        const TimeRange before = state_->visibleRange();
        wheel(1);
        QCOMPARE(view_->arrangement().height, LaneHeight::tall);
        const int tall = scene().layout.strips[0].height;
        wheel(-1);
        wheel(-1);
        wheel(-1); // lower than compact there is nothing
        QCOMPARE(view_->arrangement().height, LaneHeight::compact);
        QVERIFY(scene().layout.strips[0].height < tall);
        QCOMPARE(state_->visibleRange(), before);
    }
    /// Lanes of 11 pixels had names without their underscores.
    void namesAreWholeInTheLowestLanes() {
        open(make_run({TraceBuilder(0).kernel("relu____relu", 7, 0, 1000)}));
        for (int i = 0; i < 3; ++i)
            wheel(-1);
        QCOMPARE(view_->arrangement().height, LaneHeight::compact);
        const QRect slice = scene().rectOf(named("relu____relu", 0)).toRect().translated(view_->lanesRect().topLeft());
        QVERIFY(slice.width() > 200);
        const QImage picture = view_->grab().toImage();
        const QRgb fill = pixelAt(picture, slice.topRight() + QPoint(-6, 2)).rgb();
        int longest = 0; // of what is drawn over the slice, in one row
        for (int y = slice.top(); y <= slice.bottom(); ++y) {
            if (pixelAt(picture, QPoint(slice.right() - 6, y)).rgb() != fill)
                continue; // the line below the slice
            for (int x = slice.left() + 3, length = 0; x < slice.left() + 120; ++x) {
                length = pixelAt(picture, QPoint(x, y)).rgb() != fill ? length + 1 : 0;
                longest = std::max(longest, length);
            }
        }
        QVERIFY2(longest >= 12 && longest < 60, qPrintable(QString::number(longest))); // four underscores
    }
    void anArrangementIsRestoredWhole() {
        LaneArrangement wanted;
        wanted.togglePin(LaneId::ofRank(4));
        wanted.hidden.insert(LaneId::ofRank(0));
        wanted.order = {7, 6};
        wanted.filter = "stream";
        wanted.height = LaneHeight::tall;
        wanted.names.hidden.insert("gemm_3");
        view_->setArrangement(laneArrangementFrom(toJson(wanted)));
        QCOMPARE(view_->arrangement(), wanted);
        QVERIFY(nameBar()->isVisible());
        QCOMPARE(order().front(), 7);
        QCOMPARE(view_->findChild<QLineEdit*>()->text(), QStringLiteral("stream"));
    }
    void oneNameAloneIsShownUntilEscape() {
        const QRgb before = colourOf("gemm_5", 2);
        state_->select(named("gemm_3", 1));
        QTest::keyClick(view_.get(), Qt::Key_O);
        takeNames();
        QCOMPARE(view_->arrangement().names.only, std::string("gemm_3"));
        QCOMPARE(colourOf("gemm_3", 2), before); // on all ranks as usual
        QVERIFY(isFaint("gemm_5", 2));
        QVERIFY(nameBar()->isVisible());
        QVERIFY2(nameBar()->text().contains(QStringLiteral("gemm_3")), qPrintable(nameBar()->text()));
        QTest::keyClick(view_.get(), Qt::Key_Escape); // the selection first
        QVERIFY(nameBar()->isVisible());
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(!view_->arrangement().names.isOn());
        QVERIFY(!nameBar()->isVisible());
        takeNames();
        QCOMPARE(colourOf("gemm_5", 2), before);
        state_->select(named("gemm_3", 1));
        for (const bool on : {true, false}) { // the same key takes it back
            QTest::keyClick(view_.get(), Qt::Key_O);
            QCOMPARE(view_->arrangement().names.isOn(), on);
        }
    }
    void hiddenNamesAreCountedAndComeBack() {
        const QRgb before = colourOf("gemm_5", 2);
        for (const char* name : {"gemm_3", "gemm_5"}) {
            state_->select(named(name, 0));
            QTest::keyClick(view_.get(), Qt::Key_X);
        }
        state_->select({});
        takeNames();
        QVERIFY(isFaint("gemm_3", 2) && isFaint("gemm_5", 2));
        QCOMPARE(colourOf("gemm_4", 2), before);
        QVERIFY2(nameBar()->text().contains(QStringLiteral("2")), qPrintable(nameBar()->text()));
        QVERIFY2(nameBar()->findChild<QLabel*>()->toolTip().contains(QStringLiteral("gemm_5")),
                 qPrintable(nameBar()->findChild<QLabel*>()->toolTip()));
        state_->select(named("gemm_5", 0));
        QTest::keyClick(view_.get(), Qt::Key_X);
        takeNames();
        QCOMPARE(colourOf("gemm_5", 2), before);
        QVERIFY(isFaint("gemm_3", 2));
        QTest::mouseClick(nameBar()->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(!nameBar()->isVisible());
        takeNames();
        QCOMPARE(colourOf("gemm_3", 2), before);
    }
    void whileRanksArriveTheirNamesAreFilteredToo() {
        const auto all = runOf(4);
        auto two = std::make_shared<Run>(*all);
        two->ranks.resize(2);
        open(two);
        state_->select(named("gemm_3", 1));
        QTest::keyClick(view_.get(), Qt::Key_O);
        state_->setRun(all);
        takeNames();
        state_->select({});
        takeNames();
        QCOMPARE(view_->arrangement().names.only, std::string("gemm_3"));
        QVERIFY(isFaint("gemm_5", 3));
        QVERIFY(!isFaint("gemm_3", 3));
        open(runOf(1)); // another run starts without
        QVERIFY(!nameBar()->isVisible());
    }
    void countersOpenAsLanesWithTheirValueAtThePointer() {
        view_->toggleFold(LaneId::ofGroup(0, LaneGroup::counters));
        QTRY_VERIFY(view_->isReady());
        const auto& strips = scene().layout.strips;
        const auto strip = std::find_if(strips.begin(), strips.end(), [&](const LaneStrip& s) {
            return s.isCounter() && scene().counterOf(s)->kind == CounterKind::recorded;
        });
        QVERIFY(strip != strips.end());
        const auto hoverAt = [&](double share) {
            const QPoint at = view_->lanesRect().topLeft() +
                              QPoint(static_cast<int>(share * scene().size.width()), scene().viewY(strip->top) + 5);
            QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(view_.get(), &move);
            return scene().hoverLines;
        };
        QCOMPARE(hoverAt(0.2).value(0), QStringLiteral("50"));
        QCOMPARE(hoverAt(0.8).value(0), QStringLiteral("90"));
        QVERIFY(hoverAt(0.8).join(QLatin1Char(' ')).contains(QStringLiteral("power: W")));
        view_->grab();
        view_->toggleFold(LaneId::ofGroup(0, LaneGroup::counters));
        QVERIFY(scene().counters.empty());
    }
    void aCrowdedColumnTellsWhatIsUnderIt() {
        TraceBuilder builder(0);
        builder.base(1'700'000'000'000'000'000);
        for (int i = 0; i < 1'000; ++i) {
            builder.kernel("gemm", 7, 10 * i, 6);
            builder.kernel("ncclDevKernel_AllReduce", 7, 10 * i + 6, 2);
        }
        open(make_run({builder}));
        const QRectF rect = scene().rectOf(named("gemm", 0));
        const QPoint at =
            view_->lanesRect().topLeft() + QPoint(scene().size.width() / 2, static_cast<int>(rect.center().y()));
        QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(view_.get(), &move);
        const QString text = scene().hoverLines.join(QLatin1Char('\n'));
        QVERIFY2(text.contains(QRegularExpression(QStringLiteral("^[0-9]+ slices in "))), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("compute")) && text.contains(QStringLiteral("communication")) &&
                     text.contains(QStringLiteral("idle")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("× gemm")), qPrintable(text));
    }
    void ranksAreClosedWhereMostOfThemWouldBeOutOfView() {
        std::vector<TraceBuilder> many;
        for (int rank = 0; rank < 10; ++rank) {
            many.emplace_back(rank);
            for (int stream = 7; stream < 14; ++stream)
                many.back().kernel("gemm", stream, stream * 10.0, 100);
        }
        open(make_run(many));
        QVERIFY(scene().layout.height > 2 * scene().size.height());
        view_->setAnalysis(std::make_shared<const RunAnalysis>(state_->run(), Selection{}));
        QVERIFY(scene().layout.height <= scene().size.height());
        // As many stay open as fit.
        const auto open_ranks = std::ranges::count_if(scene().layout.ranks, &RankBlock::open);
        QVERIFY(open_ranks < 10);
        LaneArrangement oneMore = scene().arrangement;
        QVERIFY(!oneMore.folded.empty());
        oneMore.folded.erase(LaneId::ofRank(static_cast<int>(open_ranks)));
        QVERIFY(layoutLanes(*state_->run(), oneMore, scene().metrics, scene().counterNames).height >
                scene().size.height());
        for (const RankBlock& rank : scene().layout.ranks)
            QCOMPARE(rank.open, rank.rankIndex < open_ranks);
        // Whoever opens them again keeps them open.
        view_->foldAllRanks(false);
        view_->setAnalysis(std::make_shared<const RunAnalysis>(state_->run(), Selection{}));
        QVERIFY(block(0).open);
        open(runOf(2)); // they fit
        view_->setAnalysis(std::make_shared<const RunAnalysis>(state_->run(), Selection{}));
        QVERIFY(block(0).open);
    }
    void aKernelOfAnyCollectiveIsLabelledByItsCall() {
        CollectiveCall call;
        call.collective = "allreduce";
        call.group = {"3", "undefined", {0, 1}, 2};
        const auto run =
            make_run({TraceBuilder(0)
                          .collective("ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", 9, 0, 50, call)
                          .collective("ncclDevKernel_AllGather_RING_LL", 9, 50, 50, call)});
        const RankTrace& trace = *run->ranks[0];
        QCOMPARE(run->names->view(labelOf(trace, 0)), std::string_view("allreduce"));
        QCOMPARE(labelOf(trace, 1), trace.events.name[1]);
        // A group that the program did not describe does not name the lane.
        open(run);
        QCOMPARE(scene().indexes[0]->roles[static_cast<std::size_t>(&trace.lane_of(0) - trace.lanes.data())],
                 sliceClassLabel(SliceClass::communication));
    }
    void manyRanksAreArrangedAndDrawnWithoutTrouble() {
        std::vector<TraceBuilder> all;
        for (int rank = 0; rank < 1'000; ++rank)
            all.push_back(TraceBuilder(rank).kernel("gemm", 7, rank, 50).cpu_op("aten::mm", 0, 10));
        open(make_run(all));
        QCOMPARE(scene().layout.ranks.size(), std::size_t{1'000});
        QVERIFY(scene().stripsInView().size() < 100);
        view_->scrollToLane(LaneId::ofRank(999));
        view_->foldAllRanks(true);
        view_->setLaneFilter(QStringLiteral("rank 77"));
        QCOMPARE(scene().layout.ranks.size(), std::size_t{11}); // 77 and 770 to 779
        view_->grab();
    }

private:
    void open(std::shared_ptr<const Run> run) {
        view_.reset();
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        view_->setPalette(QPalette(Qt::white));
        view_->resize(1000, 500);
        view_->show();
        QVERIFY(QTest::qWaitForWindowActive(view_.get()));
        state_->setRun(std::move(run));
        QTRY_VERIFY_WITH_TIMEOUT(view_->isReady(), 60'000); // sanitizers take long
        QCoreApplication::processEvents();
    }
    [[nodiscard]] const TimelineScene& scene() const { return view_->scene(); }
    [[nodiscard]] NameFilterBar* nameBar() const { return view_->findChild<NameFilterBar*>(); }
    /// What the filter of names leaves is found and drawn, and the bar has taken its room.
    void takeNames() const {
        QTRY_VERIFY_WITH_TIMEOUT(view_->isReady(), 60'000);
        QCoreApplication::processEvents();
    }
    /// Where the slice has neither its label nor the outline of the selection.
    [[nodiscard]] QRgb colourOf(std::string_view name, int rank) const {
        const QRectF rect = scene().rectOf(named(name, rank));
        return pixelAt(view_->grab().toImage(),
                       view_->lanesRect().topLeft() +
                           QPoint(static_cast<int>(rect.right()) - 6, static_cast<int>(rect.top()) + 2))
            .rgb();
    }
    [[nodiscard]] bool isFaint(std::string_view name, int rank) const {
        const QColor base = scene().palette.color(QPalette::Base);
        const QColor seen = QColor::fromRgb(colourOf(name, rank));
        return std::abs(seen.red() - base.red()) + std::abs(seen.green() - base.green()) +
                   std::abs(seen.blue() - base.blue()) <
               80;
    }
    /// Over the lanes, with the keys that change their height.
    void wheel(int notches) const {
        const QPoint at = view_->lanesRect().topLeft() + QPoint(100, 20);
        QWheelEvent event(at, view_->mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton,
                          Qt::ControlModifier | Qt::AltModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_.get(), &event);
    }
    [[nodiscard]] LaneHeaders* headers() const { return view_->findChild<LaneHeaders*>(); }
    [[nodiscard]] QScrollBar* scrollBar() const { return view_->findChild<QScrollBar*>(); }
    [[nodiscard]] const RankBlock& block(std::size_t number) const { return scene().layout.ranks.at(number); }
    [[nodiscard]] std::vector<int> order() const {
        std::vector<int> ranks;
        for (const RankBlock& block : scene().layout.ranks)
            if (block.top >= scene().layout.pinnedHeight)
                ranks.push_back(state_->run()->ranks[static_cast<std::size_t>(block.rankIndex)]->rank);
        return ranks;
    }
    void key(Qt::Key key) const { QTest::keyClick(headers(), key); }
    [[nodiscard]] EventRef named(std::string_view name, int rank) const {
        const RankTrace& trace = *state_->trace(rank);
        for (EventIndex i = 0; i < trace.events.size(); ++i)
            if (trace.event_name(i) == name)
                return {rank, i};
        return {};
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
};

RANKSCOPE_GUI_TEST(TestTimelineLanes)

} // namespace rankscope::timeline_lanes_test

#include "test_timeline_lanes.moc"
