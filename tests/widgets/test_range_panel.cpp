// SPDX-License-Identifier: GPL-3.0-or-later
// Marking a range with mouse and keys, and its statistics: the table, what is copied, what a click does.
#include <algorithm>
#include <memory>
#include <optional>

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/panels/range_comparison_model.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/range_table_model.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::range_panel_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr TimeNs kUs = 1'000;

/// Each rank: kernels of 100 us every 200 us from 0 to 2000 us on stream 7, one collective of 500 us at 400.
std::shared_ptr<const Run> runOf(int ranks) {
    std::vector<TraceBuilder> all;
    for (int rank = 0; rank < ranks; ++rank) {
        TraceBuilder builder(rank);
        builder.base(1'700'000'000'000'000'000).step(1, 0, 2'000);
        for (int i = 0; i < 10; ++i)
            builder.kernel("gemm", 7, i * 200.0, 100);
        builder.kernel("=ncclDevKernel_AllReduce\t", 20, 400, 500);
        all.push_back(builder);
    }
    return make_run(all);
}

} // namespace

class TestRangePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        panel_ = std::make_unique<RangePanel>(state_.get());
        view_->resize(1000, 400);
        view_->show();
        panel_->resize(900, 300);
        panel_->show();
        view_->setFocus();
        state_->setRun(runOf(2));
        QTRY_VERIFY(view_->isReady());
        QCoreApplication::processEvents();
    }
    void cleanup() {
        panel_.reset();
        view_.reset();
        state_.reset();
    }

    void draggingOnTheRulerMarksWhatWasDraggedOver_data() {
        QTest::addColumn<bool>("ruler");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::newRow("ruler, to the right") << true << 100 << 400;
        QTest::newRow("ruler, to the left") << true << 400 << 100;
        QTest::newRow("lanes with Shift") << false << 270 << 310; // not at the edge of a slice
    }
    void draggingOnTheRulerMarksWhatWasDraggedOver() {
        QFETCH(bool, ruler);
        QFETCH(int, from);
        QFETCH(int, to);
        const TimeRange view = state_->visibleRange();
        drag(ruler, from, to);
        QCOMPARE(state_->range(), std::optional(TimeRange{timeAt(std::min(from, to)), timeAt(std::max(from, to))}));
        QCOMPARE(state_->visibleRange(), view); // nothing was panned
        QVERIFY(!state_->selection());
    }
    void draggingFromSliceToSliceMeasuresFromEdgeToEdge() {
        const EventRef first = kernelFrom(0);
        const EventRef next{1, kernelFrom(200).event}; // on the other rank
        const auto place = [&](const EventRef& slice, double share, double pixels) {
            const QRectF rect = view_->scene().rectOf(slice);
            return view_->lanesRect().topLeft() +
                   QPoint(static_cast<int>(rect.left() + share * rect.width() + pixels), int(rect.center().y()));
        };
        QTest::mousePress(view_.get(), Qt::LeftButton, Qt::ShiftModifier, place(first, 1, -3));
        QTest::mouseMove(view_.get(), place(first, 1, 12));
        QTest::mouseMove(view_.get(), place(next, 0, 3));
        QCOMPARE(state_->range(), std::optional(absolute(100, 200)));
        QCOMPARE(view_->scene().hoverLines,
                 (QStringList{u"100.0 µs"_s, u"from the end of gemm (rank 0)"_s, u"to the start of gemm (rank 1)"_s}));
        QTest::mouseMove(view_.get(), place(next, 0.5, 0)); // far from its edges: where the pointer is
        QCOMPARE(state_->range()->begin, absolute(100, 200).begin);
        QVERIFY(std::abs(state_->range()->end - absolute(0, 250).end) <= 3 * kUs);
        QCOMPARE(view_->scene().hoverLines.size(), 2);
        QTest::mouseMove(view_.get(), place(next, 1, -3));
        QTest::mouseRelease(view_.get(), Qt::LeftButton, Qt::ShiftModifier, place(next, 1, -3));
        QCOMPARE(state_->range(), std::optional(absolute(100, 300)));
        QVERIFY(!view_->scene().hoverLines.contains(u"from the end of gemm (rank 0)"_s));
    }
    void aDraggedEdgeMovesAndTheOtherStays() {
        drag(true, 100, 400);
        const TimeNs begin = state_->range()->begin;
        drag(true, 402, 500); // within the grasp of the end
        QCOMPARE(state_->range(), std::optional(TimeRange{begin, timeAt(500)}));
        drag(false, 100, 50, Qt::NoModifier);
        QCOMPARE(state_->range(), std::optional(TimeRange{timeAt(50), timeAt(500)}));
        drag(true, 50, 700); // past the other edge
        QCOMPARE(state_->range(), std::optional(TimeRange{timeAt(500), timeAt(700)}));
    }
    void aClickOnTheRulerBesideTheRangeClearsItAndOneInsideDoesNot() {
        drag(true, 100, 400);
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at(true, 200));
        QVERIFY(state_->range());
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at(true, 600));
        QVERIFY(!state_->range());
    }
    void aDoubleClickOnTheRulerZoomsToTheRange() {
        drag(true, 100, 400);
        QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, at(true, 200));
        QVERIFY(state_->range());
        QVERIFY(state_->visibleRange().begin <= state_->range()->begin &&
                state_->visibleRange().end >= state_->range()->end);
        QVERIFY(state_->visibleRange().length() < 2 * state_->range()->length());
    }
    void keysMarkAndMoveTheEdges() {
        const EventRef gemm = kernelFrom(300);
        state_->select(gemm);
        QTest::keyClick(view_.get(), Qt::Key_E);
        const TimeRange slice = state_->trace(0)->events.range(gemm.event);
        QCOMPARE(state_->range(), std::optional(slice));
        QTest::keyClick(view_.get(), Qt::Key_D, Qt::ShiftModifier);
        QCOMPARE(state_->range()->begin, slice.begin);
        QCOMPARE(state_->range()->end, slice.end + state_->visibleRange().length() / 50);
        QTest::keyClick(view_.get(), Qt::Key_A, Qt::ShiftModifier);
        QCOMPARE(state_->range(), std::optional(slice));
        QTest::keyClick(view_.get(), Qt::Key_A, Qt::AltModifier);
        QCOMPARE(state_->range()->begin, slice.begin - state_->visibleRange().length() / 50);
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(view_.get(), Qt::Key_A, Qt::ShiftModifier);
        QCOMPARE(state_->range()->length(), 1);       // the end stops at the start
        QTest::keyClick(view_.get(), Qt::Key_Escape); // first the selection
        QVERIFY(state_->range() && !state_->selection());
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(!state_->range());
    }
    void markingWithoutSelectionTakesWhatIsInView() {
        const TimeRange full = state_->fullRange();
        state_->setVisibleRange({full.begin + full.length() / 4, full.begin + full.length() / 2});
        QTest::keyClick(view_.get(), Qt::Key_E);
        QCOMPARE(state_->range(), std::optional(state_->visibleRange()));
    }
    void aRangeOfAnotherRunIsForgottenAndOneOfTheSameRunKept() {
        mark(0, 500);
        state_->useRange();
        auto more = std::make_shared<Run>(*state_->run());
        state_->setRun(more);
        QVERIFY(state_->range());
        QCOMPARE(state_->usedRanges().size(), std::size_t{1});
        state_->setRun(runOf(1));
        QVERIFY(!state_->range());
        QVERIFY(state_->usedRanges().empty());
    }

    void theTableHoldsTheStatisticsOfTheRange() {
        // [350, 1000) us on two ranks: gemm 400-500, 600-700, 800-900, nccl 400-900.
        mark(350, 1'000);
        QCOMPARE(panel_->model().rowCount(), 2);
        QCOMPARE(cell(0, RangeTableModel::nameColumn), u"=ncclDevKernel_AllReduce"_s);
        QCOMPARE(cell(0, RangeTableModel::countColumn), u"2"_s);
        QCOMPARE(cell(0, RangeTableModel::totalColumn), u"1.000"_s); // ms
        QCOMPARE(cell(0, RangeTableModel::shareColumn), u"62.5"_s);
        QCOMPARE(cell(1, RangeTableModel::countColumn), u"6"_s);
        QCOMPARE(cell(1, RangeTableModel::meanColumn), u"100.0"_s); // us
        QVERIFY(panel_->summary().contains(u"650.0 µs"_s));
    }
    void theTableGroupsAsAsked() {
        mark(350, 1'000);
        auto* byRank = panel_->findChildren<QToolButton*>()[2];
        QTest::mouseClick(byRank, Qt::LeftButton);
        QCOMPARE(panel_->model().grouping(), RangeGrouping::rank);
        QCOMPARE(panel_->model().rowCount(), 2);
        QCOMPARE(cell(0, RangeTableModel::shareColumn), u"50.0"_s);
    }
    void aModelTesterFindsNothing() {
        RangeTableModel model;
        const QAbstractItemModelTester tester(panel_->findChild<RangeComparisonModel*>(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto run = runOf(1);
        auto statistics = std::make_shared<const RangeStatistics>(*range_statistics(RunClasses(run), run->span));
        model.setStatistics(run, statistics);
        for (const auto grouping :
             {RangeGrouping::kernel_class, RangeGrouping::op, RangeGrouping::rank, RangeGrouping::kernel}) {
            model.setGrouping(grouping);
            QVERIFY(model.rowCount() > 0);
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY(!model.index(0, column).data().toString().isEmpty());
        }
        model.setStatistics(nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void copiedNamesAreHarmless() {
        mark(350, 1'000);
        panel_->activateWindow();
        panel_->table().setFocus();
        QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
        QTest::keyClick(&panel_->table(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 4); // header, two rows, the end
        QCOMPARE(lines[0].section(u'\t', 0, 1), u"Kernel\tCount"_s);
        QCOMPARE(lines[1].section(u'\t', 0, 1), u"'=ncclDevKernel_AllReduce \t2"_s);
        QCOMPARE(lines[1].count(u'\t'), RangeTableModel::columnEnd - 1);
    }
    void numbersAreNoFormulas() {
        QCOMPARE(tsvCell(u"-1.5"_s), u"-1.5"_s);
        QCOMPARE(tsvCell(groupedNumber(1'234'567)), u"1234567"_s);
        QCOMPARE(tsvCell(u"-cmd"_s), u"'-cmd"_s);
        QCOMPARE(tsvCell(u"a\nb\tc"_s), u"a b c"_s);
    }
    void aClickOnARowSelectsItsLongestEvent() {
        mark(350, 850); // gemm 800-900 is cut to 50 us
        const QSignalSpy chosen(panel_.get(), &RangePanel::eventChosen);
        const QModelIndex gemm = panel_->table().model()->index(1, 0);
        QTest::mouseClick(panel_->table().viewport(), Qt::LeftButton, {}, panel_->table().visualRect(gemm).center());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][1].toBool(), false);
        QCOMPARE(state_->selection(), std::optional(kernelFrom(400)));
    }
    void rangesStandBesideEachOther() {
        panel_->setGrouping(RangeGrouping::kernel_class);
        mark(0, 400);
        state_->compareRange(*state_->range());
        mark(400, 1'000);
        QVERIFY(panel_->isComparing());
        const RangeComparisonModel& model = panel_->comparison();
        const QAbstractItemModelTester tester(panel_->findChild<RangeComparisonModel*>(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.columnCount(), 4); // name, A, B, B - A
        QVERIFY(model.headerData(3, Qt::Horizontal).toString().startsWith(u"B − A"_s));
        // Both ranks together.
        QCOMPARE(times(u"Duration"_s), (QList<TimeNs>{400 * kUs, 600 * kUs, 200 * kUs}));
        QCOMPARE(times(u"GPU idle"_s), (QList<TimeNs>{400 * kUs, 200 * kUs, -200 * kUs}));
        QVERIFY(model.index(rowOf(u"GPU idle"_s), 3).data().toString().startsWith(u'−'));
        QCOMPARE(times(u"compute"_s), (QList<TimeNs>{400 * kUs, 600 * kUs, 200 * kUs}));
        QCOMPARE(times(u"communication"_s), (QList<TimeNs>{0, 1'000 * kUs, 1'000 * kUs}));
        QVERIFY2(panel_->summary().startsWith(u"A: 400.0 µs"_s) && panel_->summary().contains(u"B: 600.0 µs"_s),
                 qPrintable(panel_->summary()));
        panel_->setGrouping(RangeGrouping::kernel);
        QCOMPARE(times(u"gemm"_s), (QList<TimeNs>{400 * kUs, 600 * kUs, 200 * kUs}));
        const QModelIndex gemm = model.index(rowOf(u"gemm"_s), 2);
        QCOMPARE(model.longest(gemm), (EventPlace{0, kernelFrom(400).event})); // of the range of the column
        mark(1'000, 1'200);
        QCOMPARE(model.columnCount(), 4); // one range is marked at a time: another takes its place
        auto* end = buttonOf(u"End comparison"_s);
        QVERIFY(end->isVisible());
        QTest::mouseClick(end, Qt::LeftButton);
        QTRY_VERIFY(!panel_->isBusy());
        QVERIFY(!panel_->isComparing() && !end->isVisible());
        QCOMPARE(panel_->model().rowCount(), 1);
    }
    void draggingWithCtrlKeepsTheRangeBefore() {
        drag(true, 100, 200);
        const TimeRange first = *state_->range();
        drag(false, 300, 500, Qt::ControlModifier);
        QCOMPARE(state_->comparedRanges(), std::vector<TimeRange>{first});
        const TimeRange second = *state_->range();
        QVERIFY(second.begin > first.end); // not what the edge of the first one would make of it
        drag(false, 600, 650, Qt::ControlModifier);
        QCOMPARE(state_->comparedRanges(), (std::vector{first, second}));
        QTRY_COMPARE(panel_->comparison().columnCount(), 6);
        const QImage before = view_->grab().toImage();
        state_->forgetComparedRanges();
        QVERIFY(view_->grab().toImage() != before); // the ruler marks them
        state_->setRun(runOf(1));                   // another run
        QVERIFY(state_->comparedRanges().empty());
    }
    void slicesAreComparedByTheirTimes() {
        for (const TimeNs us : {0, 400}) {
            state_->select(kernelFrom(us));
            QTest::keyClick(view_.get(), Qt::Key_E, Qt::ShiftModifier);
        }
        QCOMPARE(state_->comparedRanges(), (std::vector{absolute(0, 100), absolute(400, 500)}));
        QVERIFY(!state_->range());
        QTRY_VERIFY(panel_->isComparing()); // without a marked range, too
    }
    void noMoreRangesAreComparedThanThereIsRoomFor() {
        for (TimeNs i = 0; i < 6; ++i)
            state_->compareRange(absolute(100 * i, 100 * i + 50));
        state_->compareRange(absolute(500, 550)); // it is there already
        QCOMPARE(state_->comparedRanges().size(), ViewState::kMostCompared);
        QCOMPARE(state_->comparedRanges().front(), absolute(200, 250));
    }
    void theRangeGoesOnTheStackOnceAndComesOff() {
        mark(0, 1'000);
        state_->useRange();
        state_->useRange();
        QCOMPARE(state_->usedRanges().size(), std::size_t{1});
        mark(500, 1'500); // what lies outside of the range in force does not count
        state_->useRange();
        QCOMPARE(state_->usedRanges().back(), absolute(500, 1'000));
        state_->stepOutOfRange();
        QCOMPARE(state_->usedRanges().back(), absolute(0, 1'000));
        state_->useWholeRun();
        QVERIFY(state_->usedRanges().empty());
    }

private:
    [[nodiscard]] QPoint at(bool ruler, int x) const {
        return view_->lanesRect().topLeft() + QPoint(x, ruler ? -8 : 60);
    }
    /// The first event of rank 0's GPU that starts there.
    [[nodiscard]] EventRef kernelFrom(TimeNs us) const {
        const EventTable& events = state_->trace(0)->events;
        for (EventIndex i = 0; i < events.gpu_count; ++i)
            if (events.start[i] - state_->run()->span.begin >= us * kUs)
                return {0, i};
        return {};
    }
    [[nodiscard]] TimeNs timeAt(int x) const {
        return TimeAxis{state_->visibleRange(), static_cast<double>(view_->lanesRect().width())}.timeAt(x);
    }
    [[nodiscard]] TimeRange absolute(TimeNs from_us, TimeNs to_us) const {
        const TimeNs begin = state_->run()->span.begin;
        return {begin + from_us * kUs, begin + to_us * kUs};
    }
    void drag(bool ruler, int from, int to, Qt::KeyboardModifiers lanes = Qt::ShiftModifier) {
        const Qt::KeyboardModifiers modifiers = ruler ? Qt::NoModifier : lanes;
        QTest::mousePress(view_.get(), Qt::LeftButton, modifiers, at(ruler, from));
        QTest::mouseMove(view_.get(), at(ruler, (from + to) / 2));
        QTest::mouseMove(view_.get(), at(ruler, to));
        QTest::mouseRelease(view_.get(), Qt::LeftButton, modifiers, at(ruler, to));
    }
    [[nodiscard]] int rowOf(const QString& name) const {
        const RangeComparisonModel& model = panel_->comparison();
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data().toString() == name)
                return row;
        return -1;
    }
    /// All columns after the name.
    [[nodiscard]] QList<TimeNs> times(const QString& name) const {
        const RangeComparisonModel& model = panel_->comparison();
        QList<TimeNs> times;
        for (int column = 1; column < model.columnCount(); ++column)
            times << model.index(rowOf(name), column).data(RangeTableModel::kSortRole).toLongLong();
        return times;
    }
    [[nodiscard]] QPushButton* buttonOf(const QString& words) const {
        for (QPushButton* button : panel_->findChildren<QPushButton*>())
            if (button->text() == words)
                return button;
        return nullptr;
    }
    void mark(TimeNs from_us, TimeNs to_us) {
        state_->setRange(absolute(from_us, to_us));
        QTRY_VERIFY(!panel_->isBusy());
    }
    [[nodiscard]] QString cell(int row, int column) const {
        return panel_->table().model()->index(row, column).data().toString();
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
    std::unique_ptr<RangePanel> panel_;
};

RANKSCOPE_GUI_TEST(TestRangePanel)

} // namespace rankscope::range_panel_test

#include "test_range_panel.moc"
