// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's hands, with real wheel, mouse and key events: what must hold after each gesture.
#include <QAccessible>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include "tests/support/pixel_at.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/class_legend.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/lanes_plot.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::timeline_view_test {

namespace {

/// Kernels of 100 us every 200 us on stream 7, one collective on stream 20, a thread.
std::shared_ptr<const Run> runOf(int ranks) {
    std::vector<TraceBuilder> all;
    for (int rank = 0; rank < ranks; ++rank) {
        TraceBuilder builder(rank);
        builder.base(1'700'000'000'000'000'000).step(1, 0, 2'000);
        for (int i = 0; i < 10; ++i)
            builder.kernel("gemm_" + std::to_string(i), 7, i * 200.0, 100);
        builder.kernel("ncclDevKernel_AllReduce", 20, 400, 500);
        builder.cpu_op("aten::mm", 10, 50);
        all.push_back(builder);
    }
    return make_run(all);
}

/// 20 000 kernels of 0 to 30 us with gaps up to 20 us, on each of two ranks.
std::shared_ptr<const Run> busyRun() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> us(0, 30);
    std::vector<TraceBuilder> all;
    for (int rank = 0; rank < 2; ++rank) {
        TraceBuilder builder(rank);
        double now = 0;
        for (int i = 0; i < 20'000; ++i) {
            const double duration = us(random);
            builder.kernel(i % 3 == 0 ? "ncclDevKernel_AllReduce" : "gemm", 7, now, duration);
            now += duration + us(random) * 2 / 3;
        }
        all.push_back(builder);
    }
    return make_run(all);
}

} // namespace

class TestTimelineView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { open(runOf(4)); }
    void cleanup() {
        view_.reset();
        state_.reset();
    }

    void aLegendThatIsTooWideGoesOnInTheNextLine() {
        ClassLegend legend;
        legend.setClasses(std::bitset<kSliceClassCount>().set());
        const int line = legend.sizeHint().height();
        const auto lastEnd = [&](int width) { return legend.places(width).back().right(); };
        const int all = lastEnd(10'000) + 1 + 8; // with the margin
        QCOMPARE(legend.heightForWidth(all), line);
        QCOMPARE(legend.heightForWidth(all - 1), 2 * line);
        QCOMPARE(legend.places(all - 1).back().left(), 8);
        QCOMPARE(legend.places(all - 1).back().top(), line);
        for (const ColourBy by : {ColourBy::sliceClass, ColourBy::deviation}) { // with swatches side by side
            legend.setColourBy(by);
            for (int width = 420; width < 900; width += 31) {
                const std::vector<QRect> places = legend.places(width);
                for (std::size_t i = 0; i < places.size(); ++i) {
                    QVERIFY2(places[i].left() >= 8 && places[i].right() < width, qPrintable(QString::number(width)));
                    QVERIFY(i == 0 || places[i].top() > places[i - 1].top() ||
                            places[i].left() > places[i - 1].right());
                }
                QCOMPARE(legend.heightForWidth(width), places.back().bottom() + 1);
            }
        }
    }
    void ctrlWheelKeepsTheTimeUnderTheCursor() {
        for (const int x : {3, 200, 777}) {
            const TimeNs before = timeAt(x);
            const TimeNs length = state_->visibleRange().length();
            wheel({x, 20}, 120, Qt::ControlModifier);
            QVERIFY(state_->visibleRange().length() < length);
            QVERIFY(std::abs(timeAt(x) - before) <= state_->visibleRange().length() / lanes().width() + 1);
        }
    }
    void ctrlWheelBackShowsEverythingAgain() {
        wheel({300, 20}, 360, Qt::ControlModifier);
        wheel({300, 20}, -1200, Qt::ControlModifier);
        QCOMPARE(state_->visibleRange(), state_->fullRange());
    }
    void shiftWheelPansWithoutZooming() {
        zoomToMiddle();
        const TimeRange before = state_->visibleRange();
        wheel({300, 20}, -120, Qt::ShiftModifier);
        QCOMPARE(state_->visibleRange().length(), before.length());
        QVERIFY(state_->visibleRange().begin > before.begin);
        // As some platforms deliver Shift+wheel.
        wheel({300, 20}, 0, Qt::ShiftModifier, 120);
        QCOMPARE(state_->visibleRange(), before);
    }
    void theWheelScrollsLanesAndLeavesTheTime() {
        open(runOf(64));
        const TimeRange before = state_->visibleRange();
        wheel({300, 20}, -240);
        QVERIFY(view_->scene().scroll > 0);
        QCOMPARE(state_->visibleRange(), before);
        wheel({300, 20}, 480);
        QCOMPARE(view_->scene().scroll, 0);
    }
    /// Touchpads and fine wheels send a few units of angle or pixels at a time.
    void fineWheelEventsAddUpToTheSameAsANotch_data() {
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("unit");
        for (const int unit : {8, 15, 120}) {
            QTest::addRow("scroll by %d", unit) << int{Qt::NoModifier} << unit;
            QTest::addRow("pan by %d", unit) << int{Qt::ShiftModifier} << unit;
            QTest::addRow("zoom by %d", unit) << int{Qt::ControlModifier} << unit;
            QTest::addRow("lane height by %d", unit) << int{Qt::ControlModifier | Qt::AltModifier} << unit;
        }
    }
    void fineWheelEventsAddUpToTheSameAsANotch() {
        QFETCH(int, modifiers);
        QFETCH(int, unit);
        open(runOf(64));
        zoomToMiddle();
        wheel({300, 20}, -480, static_cast<Qt::KeyboardModifiers>(modifiers));
        const TimeRange visible = state_->visibleRange();
        const int scroll = view_->scene().scroll;
        const LaneHeight height = view_->arrangement().height;
        open(runOf(64));
        zoomToMiddle();
        for (int i = 0; i < 480 / unit; ++i)
            wheel({300, 20}, -unit, static_cast<Qt::KeyboardModifiers>(modifiers));
        QVERIFY(std::abs(view_->scene().scroll - scroll) <= 1);
        QCOMPARE(view_->arrangement().height, height);
        const TimeNs pixel = visible.length() / lanes().width() + 1;
        QVERIFY(std::abs(state_->visibleRange().begin - visible.begin) <= 2 * pixel);
        QVERIFY(std::abs(state_->visibleRange().end - visible.end) <= 2 * pixel);
    }
    void twoFingersMoveTheTimeSidewaysAndTheLanesUpAndDown() {
        open(runOf(64));
        zoomToMiddle();
        const TimeRange before = state_->visibleRange();
        fingers({-40, 3}); // a finger is never quite straight
        QCOMPARE(state_->visibleRange(), pannedByPixels(before, 40, lanes().width(), state_->fullRange()));
        QCOMPARE(view_->scene().scroll, 0);
        fingers({40, 0});
        QCOMPARE(state_->visibleRange(), before);
        fingers({2, -25});
        QCOMPARE(view_->scene().scroll, 25);
        QCOMPARE(state_->visibleRange(), before);
    }
    void pinchingZoomsAboutThePointer() {
        const TimeNs before = timeAt(200);
        const TimeNs length = state_->visibleRange().length();
        pinch(Qt::BeginNativeGesture, 200, 0);
        for (int i = 0; i < 10; ++i)
            pinch(Qt::ZoomNativeGesture, 200, 0.05);
        pinch(Qt::EndNativeGesture, 200, 0);
        QVERIFY(std::abs(static_cast<double>(state_->visibleRange().length()) -
                         static_cast<double>(length) / std::pow(1.05, 10)) < 20);
        QVERIFY(std::abs(timeAt(200) - before) <= state_->visibleRange().length() / lanes().width() + 1);
        for (int i = 0; i < 30; ++i)
            pinch(Qt::ZoomNativeGesture, 200, -0.05);
        QCOMPARE(state_->visibleRange(), state_->fullRange());
    }
    void draggingMovesTheTimeWithTheHand() {
        zoomToMiddle();
        const TimeNs under = timeAt(300);
        const TimeNs length = state_->visibleRange().length();
        QTest::mousePress(view_.get(), Qt::LeftButton, {}, at(300, 100));
        QTest::mouseMove(view_.get(), at(340, 100));
        QTest::mouseMove(view_.get(), at(420, 100));
        QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, at(420, 100));
        QCOMPARE(state_->visibleRange().length(), length);
        QVERIFY(std::abs(timeAt(420) - under) <= length / lanes().width() + 1);
        QVERIFY(!state_->selection()); // a drag is no click
    }
    /// What the drag kept of the picture before is what a view shows that was never anywhere else.
    void aViewThatWasDraggedLooksLikeOneThatOpensThere() {
        open(busyRun());
        const TimeRange full = state_->fullRange();
        const TimeNs length = TimeNs{40'000} * lanes().width();
        state_->setVisibleRange({full.begin + length, full.begin + 2 * length});
        QTest::mousePress(view_.get(), Qt::LeftButton, {}, at(400, 100));
        for (const int x : {391, 250, 610, 611, 333}) {
            QTest::mouseMove(view_.get(), at(x, 100));
            QVERIFY(!lanesPicture().isNull());
        }
        QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, at(333, 100));
        QTest::mouseMove(view_.get(), QPoint(2, 2));
        const QImage dragged = lanesPicture();
        const TimeRange visible = state_->visibleRange();
        open(busyRun());
        state_->setVisibleRange(visible);
        QCOMPARE(lanesPicture(), dragged);
        state_->setVisibleRange({visible.begin + length / 3, visible.end + length / 3});
        QVERIFY(lanesPicture() != dragged);
    }
    void aClickSelectsWhatItHitsAndNothingElse() {
        const EventRef gemm = named("gemm_3", 1);
        click(gemm);
        QCOMPARE(state_->selection(), std::optional(gemm));
        const QRectF rect = view_->scene().rectOf(gemm);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {},
                          at(static_cast<int>(rect.right()) + 30, static_cast<int>(rect.center().y())));
        QVERIFY(!state_->selection());
    }
    void aDoubleClickZoomsToTheSlice() {
        const EventRef gemm = named("gemm_3", 0);
        const QPoint point = centreOf(gemm);
        QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, point);
        const TimeRange slice = state_->trace(0)->events.range(gemm.event);
        QVERIFY(state_->visibleRange().begin <= slice.begin && state_->visibleRange().end >= slice.end);
        QVERIFY(state_->visibleRange().length() <= 2 * slice.length());
        QCOMPARE(state_->selection(), std::optional(gemm));
        QTest::keyClick(view_.get(), Qt::Key_Backspace);
        QCOMPARE(state_->visibleRange(), state_->fullRange());
    }
    void hoveringTellsTheViewStateAndLeavingTakesItBack() {
        const EventRef gemm = named("gemm_2", 0);
        const QPoint point = centreOf(gemm);
        QMouseEvent move(QEvent::MouseMove, point, view_->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(view_.get(), &move);
        QCOMPARE(state_->hover(), std::optional(gemm));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(view_.get(), &leave);
        QVERIFY(!state_->hover());
    }
    void tinySlicesCanBePointedAtFromBeside() {
        const EventRef tiny = named("gemm_0", 0);
        const QRectF rect = view_->scene().rectOf(tiny);
        const auto hit = view_->scene().hit({rect.right() + 1.5, rect.center().y()});
        QVERIFY(hit.has_value());
        QCOMPARE(hit->event, tiny);
    }

    void heldKeysGlideAndStopWhenReleased() {
        zoomToMiddle();
        const TimeNs length = state_->visibleRange().length();
        QTest::keyPress(view_.get(), Qt::Key_W);
        const TimeNs afterPress = state_->visibleRange().length();
        QVERIFY(afterPress < length);                                       // at once
        QTRY_VERIFY(state_->visibleRange().length() < afterPress * 8 / 10); // and on
        QTest::keyRelease(view_.get(), Qt::Key_W);
        const TimeRange stopped = state_->visibleRange();
        QTest::qWait(60);
        QCOMPARE(state_->visibleRange(), stopped);
    }
    void keysPanAndZoom_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("moves"); // sign of the change of the begin
        QTest::addColumn<int>("lengthens");
        QTest::newRow("W") << int{Qt::Key_W} << 1 << -1;
        QTest::newRow("S") << int{Qt::Key_S} << -1 << 1;
        QTest::newRow("A") << int{Qt::Key_A} << -1 << 0;
        QTest::newRow("D") << int{Qt::Key_D} << 1 << 0;
        QTest::newRow("Left") << int{Qt::Key_Left} << -1 << 0;
    }
    void keysPanAndZoom() {
        QFETCH(int, key);
        QFETCH(int, moves);
        QFETCH(int, lengthens);
        zoomToMiddle();
        const TimeRange before = state_->visibleRange();
        QTest::keyClick(view_.get(), static_cast<Qt::Key>(key));
        const auto sign = [](TimeNs n) { return n > 0 ? 1 : n < 0 ? -1 : 0; };
        QCOMPARE(sign(state_->visibleRange().begin - before.begin), moves);
        QCOMPARE(sign(state_->visibleRange().length() - before.length()), lengthens);
    }
    void withoutAnimationHeldKeysMoveInWholeSteps() {
        setGliding(Gliding::steps);
        Glide glide;
        QSignalSpy moved(&glide, &Glide::moved);
        glide.press(Motion::zoomIn);
        QTRY_VERIFY(moved.size() >= 3);
        glide.stop();
        setGliding(Gliding::smooth);
        for (const QList<QVariant>& step : moved)
            QCOMPARE(step, moved.front());
    }
    void losingTheFocusStopsGliding() {
        QTest::keyPress(view_.get(), Qt::Key_W);
        QFocusEvent out(QEvent::FocusOut, Qt::OtherFocusReason);
        QApplication::sendEvent(view_.get(), &out);
        const TimeRange stopped = state_->visibleRange();
        QTest::qWait(60);
        QCOMPARE(state_->visibleRange(), stopped);
    }
    void fFitsTheSelectionThenAll() {
        const EventRef gemm = named("gemm_5", 2);
        state_->select(gemm);
        QTest::keyClick(view_.get(), Qt::Key_F);
        QVERIFY(state_->visibleRange().length() < state_->fullRange().length() / 5);
        QTest::keyClick(view_.get(), Qt::Key_F);
        QCOMPARE(state_->visibleRange(), state_->fullRange());
    }
    void zeroShowsAll() {
        zoomToMiddle();
        QTest::keyClick(view_.get(), Qt::Key_0);
        QCOMPARE(state_->visibleRange(), state_->fullRange());
    }
    void commaAndPeriodWalkAlongTheLane() {
        state_->select(named("gemm_4", 0));
        QTest::keyClick(view_.get(), Qt::Key_Period);
        QCOMPARE(state_->selection(), std::optional(named("gemm_5", 0)));
        QTest::keyClick(view_.get(), Qt::Key_Comma);
        QTest::keyClick(view_.get(), Qt::Key_Comma);
        QCOMPARE(state_->selection(), std::optional(named("gemm_3", 0)));
        state_->select(named("gemm_9", 0));
        QTest::keyClick(view_.get(), Qt::Key_Period); // the last one stays
        QCOMPARE(state_->selection(), std::optional(named("gemm_9", 0)));
    }
    void periodWithoutSelectionTakesTheFirstSliceInView() {
        QTest::keyClick(view_.get(), Qt::Key_Period);
        QCOMPARE(state_->selection(), std::optional(named("gemm_0", 0)));
    }
    void walkingBringsTheSliceIntoView() {
        state_->select(named("gemm_0", 0));
        const TimeRange slice = state_->trace(0)->events.range(named("gemm_0", 0).event);
        state_->setVisibleRange(slice);
        QTest::keyClick(view_.get(), Qt::Key_Period);
        const TimeRange next = state_->trace(0)->events.range(named("gemm_1", 0).event);
        QVERIFY(!state_->visibleRange().clipped_to(next).empty());
        QCOMPARE(state_->visibleRange().length(), slice.length());
    }
    void escapeClearsTheSelection() {
        state_->select(named("gemm_4", 0));
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(!state_->selection());
    }
    void rFoldsTheRankAndRevealingUnfoldsIt() {
        const EventRef gemm = named("gemm_4", 2);
        state_->select(gemm);
        QTest::keyClick(view_.get(), Qt::Key_R);
        QVERIFY(view_->scene().rectOf(gemm).isEmpty());
        view_->reveal(gemm);
        QVERIFY(!view_->scene().rectOf(gemm).isEmpty());
    }
    void revealingOpensFoldedThreads() {
        const EventRef op = named("aten::mm", 3);
        QVERIFY(view_->scene().rectOf(op).isEmpty());
        view_->reveal(op);
        QVERIFY(!view_->scene().rectOf(op).isEmpty());
    }
    void ranksArrivingWhileLoadingKeepFoldingAndView() {
        const auto whole = runOf(3);
        auto part = std::make_shared<Run>(*whole);
        part->ranks.resize(1);
        open(part);
        QTest::keyClick(view_.get(), Qt::Key_R);
        zoomToMiddle();
        const TimeRange before = state_->visibleRange();
        state_->setRun(whole);
        QTRY_VERIFY(view_->isReady());
        QCOMPARE(view_->scene().layout.ranks.size(), std::size_t{3});
        QVERIFY(!view_->scene().layout.ranks[0].open);
        QCOMPARE(state_->visibleRange(), before);
    }
    void slicesAreDrawnInTheColourOfTheirClass() {
        const QRectF compute = view_->scene().rectOf(named("gemm_3", 1));
        const QRectF communication = view_->scene().rectOf(named("ncclDevKernel_AllReduce", 1));
        const QImage image = view_->grab().toImage();
        const auto colourAt = [&](const QRectF& rect) { // above the label
            return pixelAt(image, at(static_cast<int>(rect.left()) + 2, static_cast<int>(rect.top()) + 1));
        };
        QCOMPARE(colourAt(compute), hueOf(SliceClass::compute, false));
        QCOMPARE(colourAt(communication), hueOf(SliceClass::communication, false));
    }
    void aViewWithoutRunTakesEveryGestureCalmly() {
        open(nullptr);
        wheel({10, 10}, 120, Qt::ControlModifier);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at(50, 50));
        QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, at(50, 50));
        for (const Qt::Key key : {Qt::Key_F, Qt::Key_0, Qt::Key_W, Qt::Key_Period, Qt::Key_R, Qt::Key_Backspace})
            QTest::keyClick(view_.get(), key);
        view_->grab();
        QVERIFY(!state_->selection());
    }
    void itHasANameForAssistiveTechnology() {
        QVERIFY(!view_->accessibleName().isEmpty());
        QCOMPARE(view_->focusPolicy(), Qt::StrongFocus);
    }
    void assistiveTechnologyIsToldTheRangeAndTheSelectedSlice() {
        const QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(view_.get());
        QVERIFY(whole != nullptr);
        const QString all = whole->text(QAccessible::Value);
        QVERIFY(whole->text(QAccessible::Description).endsWith(all));
        zoomToMiddle();
        QVERIFY(whole->text(QAccessible::Value) != all);
        const int widgets = whole->childCount();
        state_->select(named("gemm_2", 1));
        QCOMPARE(whole->childCount(), widgets + 1);
        const QAccessibleInterface* slice = whole->child(widgets);
        QCOMPARE(slice->parent(), whole);
        QCOMPARE(whole->indexOfChild(slice), widgets);
        for (const char* word : {"gemm_2", "100.0 µs", "rank 1"})
            QVERIFY2(slice->text(QAccessible::Name).contains(QString::fromUtf8(word)),
                     qPrintable(slice->text(QAccessible::Name)));
        QVERIFY(slice->state().selected);
        state_->setVisibleRange(state_->fullRange());
        QCOMPARE(slice->rect().topLeft(),
                 view_->mapToGlobal(lanes().topLeft() +
                                    view_->scene().rectOf(named("gemm_2", 1)).toAlignedRect().topLeft()));
        state_->select({});
        QCOMPARE(whole->childCount(), widgets);
        QVERIFY(!slice->isValid());
    }
    void everyLineOfTheHeadersIsAChildForAssistiveTechnology() {
        auto* headers = view_->findChild<LaneHeaders*>();
        const QAccessibleInterface* list = QAccessible::queryAccessibleInterface(headers);
        const auto items = headers->items();
        QCOMPARE(list->childCount(), static_cast<int>(items.size()));
        QCOMPARE(list->child(0)->text(QAccessible::Name), QStringLiteral("rank 0"));
        QVERIFY(list->child(0)->state().expanded);
        view_->toggleFold(LaneId::ofRank(0));
        QVERIFY(list->child(0)->state().collapsed);
        QVERIFY(list->childCount() < static_cast<int>(items.size()));
        view_->focusLanes();
        QTRY_VERIFY(headers->hasFocus());
        QTest::keyClick(headers, Qt::Key_Down);
        QCOMPARE(list->focusChild()->text(QAccessible::Name), headers->nameOf(*headers->current()));
        QVERIFY(list->child(1)->state().focused);
        const QPoint inside = list->child(1)->rect().center();
        QCOMPARE(list->childAt(inside.x(), inside.y()), list->child(1));
    }

private:
    void open(std::shared_ptr<const Run> run) {
        view_.reset();
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        view_->setPalette(QPalette(Qt::white));
        view_->resize(1000, 500);
        view_->show();
        view_->setFocus();
        state_->setRun(std::move(run));
        QTRY_VERIFY(view_->isReady());
        QCoreApplication::processEvents();
    }
    [[nodiscard]] QRect lanes() const { return view_->lanesRect(); }
    [[nodiscard]] QPoint at(int x, int y) const { return lanes().topLeft() + QPoint(x, y); }
    [[nodiscard]] TimeNs timeAt(int x) const {
        return TimeAxis{state_->visibleRange(), static_cast<double>(lanes().width())}.timeAt(x);
    }
    QImage lanesPicture() { return view_->findChild<LanesPlot*>()->grab().toImage(); }
    void zoomToMiddle() {
        const TimeRange full = state_->fullRange();
        state_->setVisibleRange({full.begin + full.length() / 3, full.begin + full.length() / 2});
    }
    void wheel(QPoint point, int vertical, Qt::KeyboardModifiers modifiers = Qt::NoModifier, int horizontal = 0) {
        const QPoint position = at(point.x(), point.y());
        QWheelEvent event(position, view_->mapToGlobal(position), {}, {horizontal, vertical}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_.get(), &event);
        QCoreApplication::processEvents();
    }
    void fingers(QPoint pixels) {
        const QPoint position = at(300, 20);
        QWheelEvent event(position, view_->mapToGlobal(position), pixels, pixels * 2, Qt::NoButton, Qt::NoModifier,
                          Qt::ScrollUpdate, false);
        QApplication::sendEvent(view_.get(), &event);
        QCoreApplication::processEvents();
    }
    void pinch(Qt::NativeGestureType type, int x, double value) {
        const QPointF position = at(x, 20);
        const QPointF global = view_->mapToGlobal(position);
        QNativeGestureEvent event(type, QPointingDevice::primaryPointingDevice(), 2, position, position, global, value,
                                  {});
        QApplication::sendEvent(view_.get(), &event);
        QCoreApplication::processEvents();
    }
    [[nodiscard]] EventRef named(std::string_view name, int rank) const {
        const RankTrace& trace = *state_->trace(rank);
        for (EventIndex i = 0; i < trace.events.size(); ++i)
            if (trace.event_name(i) == name)
                return {rank, i};
        return {};
    }
    [[nodiscard]] QPoint centreOf(const EventRef& event) const {
        const QPointF centre = view_->scene().rectOf(event).center();
        return at(static_cast<int>(centre.x()), static_cast<int>(centre.y()));
    }
    void click(const EventRef& event) { QTest::mouseClick(view_.get(), Qt::LeftButton, {}, centreOf(event)); }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
};

RANKSCOPE_GUI_TEST(TestTimelineView)

} // namespace rankscope::timeline_view_test

#include "test_timeline_view.moc"
