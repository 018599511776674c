// SPDX-License-Identifier: GPL-3.0-or-later
// The Collectives screen by mouse and keys: map, charts and table show the same calls and mark the same one.
#include <algorithm>
#include <memory>
#include <optional>

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QtTest>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/custom_plot.h"
#include "widgets/number_text.h"
#include "widgets/screens/bandwidth_plot.h"
#include "widgets/screens/call_filter_bar.h"
#include "widgets/screens/collective_call_model.h"
#include "widgets/screens/collectives_screen.h"
#include "widgets/screens/delay_plot.h"
#include "widgets/screens/lag_cells.h"
#include "widgets/screens/lag_map_view.h"
#include "widgets/time_text.h"

namespace rankscope::collectives_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 30'000;
}

class TestCollectivesScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        options.tp = 2;
        options.pp = 2;
        options.steps = 2;
        QVERIFY(write_run(options, folder_.path().toStdString()).has_value());
        auto run = load_run(folder_.path().toStdString());
        QVERIFY(run.has_value());
        run_ = *run;
        analysed_ = std::make_shared<AnalysedRun>();
        analysed_->analysis = std::make_shared<RunAnalysis>(run_, Selection{});
    }
    void init() {
        screen_ = std::make_unique<CollectivesScreen>();
        screen_->resize(1000, 700);
        screen_->takeRun(run_, analysed_);
        QVERIFY(!screen_->isReady()); // nobody looks
        screen_->show();
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCoreApplication::processEvents();
    }
    void cleanup() { screen_.reset(); }

    void whoWasLateIsInViewAndNamesAreReadable() {
        const QHeaderView& header = *screen_->table().horizontalHeader();
        const int cause = static_cast<int>(CallColumn::origin);
        QVERIFY(header.sectionViewportPosition(cause) + header.sectionSize(cause) <=
                screen_->table().viewport()->width());
        const int name = static_cast<int>(CallColumn::word);
        QVERIFY(header.sectionSize(name) > screen_->table().fontMetrics().horizontalAdvance(u"allreduce"_s));
    }

    void messagesAreLeftOutUntilAskedFor() {
        const auto calls = analysed_->analysis->call_table().whole_calls();
        int messages = 0;
        for (const CollectiveTiming& call : calls)
            messages += call.kind == CollectiveKind::send_recv ? 1 : 0;
        QVERIFY(messages > 0);
        QCOMPARE(screen_->model().rowCount(), static_cast<int>(calls.size()) - messages);
        choose(screen_->filterBar().kind(), u"Collectives and messages"_s);
        QCOMPARE(screen_->model().rowCount(), static_cast<int>(calls.size()));
        choose(screen_->filterBar().kind(), u"SendRecv"_s);
        QCOMPARE(screen_->model().rowCount(), messages);
    }
    void kernelsOfUnknownKindAreLeftOutUntilAskedFor() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            TraceBuilder builder(rank);
            if (rank == 0)
                builder.kernel("ncclDevKernel_Generic", 20, 5, 10);
            builder.collective("ncclDevKernel_AllReduce", 20, 100, 50,
                               {"allreduce", "Float", 10, 10, {"1", "dp", {0, 1}, 0}, 1});
            ranks.push_back(builder);
        }
        auto other = std::make_shared<AnalysedRun>();
        other->analysis = std::make_shared<RunAnalysis>(make_run(ranks), Selection{});
        screen_->takeRun(other->analysis->run_pointer(), other);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(screen_->model().rowCount(), 1);
        QCOMPARE(cell(0, CallColumn::word), u"allreduce"_s);
        QVERIFY2(screen_->filterBar().count().startsWith(u"1 of 2 calls"_s), qPrintable(screen_->filterBar().count()));
        choose(screen_->filterBar().kind(), u"All calls, also of unknown kind"_s);
        QCOMPARE(screen_->model().rowCount(), 2);
    }
    /// Text at the left, numbers at the right: a cause is text.
    void textIsAtTheLeft() {
        const auto of = [&](CallColumn column) {
            return screen_->model().index(0, static_cast<int>(column)).data(Qt::TextAlignmentRole).toInt();
        };
        QVERIFY((of(CallColumn::origin) & Qt::AlignLeft) != 0);
        QVERIFY((of(CallColumn::lag) & Qt::AlignRight) != 0);
    }
    void oneFilterHoldsForAllParts() {
        const int all = screen_->model().rowCount();
        choose(screen_->filterBar().dimension(), u"tp"_s);
        const int some = screen_->model().rowCount();
        QVERIFY(some > 0 && some < all);
        for (int row = 0; row < some; ++row)
            QCOMPARE(cell(row, CallColumn::dimension), u"tp"_s);
        QCOMPARE(screen_->delays().chart().calls, std::int64_t{some});
        std::int64_t points = 0;
        for (const BandwidthPoint& point : screen_->bandwidth().points())
            points += point.count;
        QCOMPARE(points, std::int64_t{some});
        QVERIFY(screen_->filterBar().count().contains(QString::number(some)));
        QTest::keyClicks(&screen_->filterBar().text(), u"no such name"_s);
        QTRY_COMPARE_WITH_TIMEOUT(screen_->model().rowCount(), 0, kPatience);
        QVERIFY(!screen_->map().isVisible());
    }
    void callsHaveOneNumberInTableAndMap() {
        QCOMPARE(screen_->map().titleOf(0), cell(0, CallColumn::number)); // the first one shown in both
        const std::uint32_t call = screen_->model().call(3);
        screen_->map().setCurrentCall(call);
        QCOMPARE(cell(3, CallColumn::number), QString::number(call + 1));
        QVERIFY(screen_->map().titleOf(1'000'000).isEmpty());
    }
    /// "2784 collective calls" of the overview beside "1 392 calls" here: kernels of all ranks, and calls.
    void theCountSaysHowManyKernelsTheCallsAre() {
        const auto shownKernels = [&] {
            std::size_t kernels = 0;
            for (int row = 0; row < screen_->model().rowCount(); ++row)
                kernels += timing(screen_->model().call(row)).members.size();
            return kernels;
        };
        const std::size_t before = shownKernels();
        choose(screen_->filterBar().dimension(), u"tp"_s); // the kernels are those of the calls shown, too
        const std::size_t kernels = shownKernels();
        QVERIFY(kernels < before && kernels > static_cast<std::size_t>(screen_->model().rowCount()));
        const QString count = screen_->filterBar().count();
        QVERIFY2(count.contains(u"calls ("_s + groupedNumber(static_cast<qint64>(kernels)) + u" kernels"_s),
                 qPrintable(count));
    }
    /// The duration of the shortest kernel is named as what it is, with what the kernels of the call last.
    void theTransferIsNotTakenForTheDurationOfTheKernels() {
        const auto column = static_cast<int>(CallColumn::duration);
        QVERIFY(screen_->model().headerData(column, Qt::Horizontal).toString().startsWith(u"Transfer"_s));
        const CollectiveTiming& first = timing(screen_->model().call(0));
        TimeNs longest = 0;
        for (const auto& member : first.members)
            longest = std::max(longest, analysed_->analysis->collectives().call(member).range.length());
        const QString tip = screen_->model().index(0, column).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(timeText(first.latency)) && tip.contains(timeText(longest)), qPrintable(tip));
    }
    void aHeaderSortsTheTable() {
        auto* header = screen_->table().horizontalHeader();
        const int lag = static_cast<int>(CallColumn::lag);
        for (int click = 0; click < 2; ++click) {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              QPoint(header->sectionViewportPosition(lag) + 5, header->height() / 2));
            QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        }
        QCOMPARE(header->sortIndicatorSection(), lag);
        const bool descending = header->sortIndicatorOrder() == Qt::DescendingOrder;
        for (int row = 1; row < screen_->model().rowCount(); ++row) {
            const TimeNs before = timing(screen_->model().call(row - 1)).start_skew;
            const TimeNs here = timing(screen_->model().call(row)).start_skew;
            QVERIFY(descending ? before >= here : before <= here);
        }
    }
    void aChosenRowIsMarkedEverywhere() {
        screen_->table().setFocus();
        screen_->table().setCurrentIndex(screen_->model().index(0, 0));
        QTest::keyClick(&screen_->table(), Qt::Key_Down);
        const std::uint32_t call = screen_->model().call(1);
        QCOMPARE(screen_->currentCall(), std::optional(call));
        QCOMPARE(screen_->map().currentCall(), std::optional(call));
        QVERIFY(!screen_->map().accessibleDescription().isEmpty());
        const auto point = screen_->bandwidth().markedPoint();
        QVERIFY(point.has_value());
        QCOMPARE(point->x(), static_cast<double>(timing(call).bytes));
        QCOMPARE(point->y(), timing(call).busbw);
    }
    void aPointOfTheScatterMarksItsCall() {
        const BandwidthPoint& point = screen_->bandwidth().points().front();
        auto* plot = screen_->bandwidth().findChild<QCustomPlot*>();
        plot->replot();
        QTest::mouseClick(plot, Qt::LeftButton, {},
                          plot->mapFrom(&screen_->bandwidth(), screen_->bandwidth().pointPosition(point)));
        QCOMPARE(screen_->currentCall(), std::optional(point.call));
        QCOMPARE(screen_->model().call(screen_->table().currentIndex().row()), point.call);
    }
    void aClickOnTheMapAsksForTheCallOfThatRank() {
        QSignalSpy asked(screen_.get(), &CollectivesScreen::eventActivated);
        auto* plot = screen_->map().findChild<QCustomPlot*>();
        plot->replot();
        const std::size_t rank = 3;
        const std::size_t column = 2;
        QVERIFY(!screen_->map().describe(rank, column).isEmpty());
        QTest::mouseClick(plot, Qt::LeftButton, {},
                          plot->mapFrom(&screen_->map(), screen_->map().cellCentre(rank, column)));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toInt(), run_->ranks[rank]->rank);
        const auto call = screen_->currentCall();
        QVERIFY(call.has_value());
        const auto& matching = analysed_->analysis->collectives();
        const auto member =
            std::ranges::find(timing(*call).members, std::uint32_t{3}, [](const auto& m) { return m.rank; });
        QVERIFY(member != timing(*call).members.end());
        QCOMPARE(asked[0][1].value<EventIndex>(), matching.call(*member).event);
    }
    void theMapSaysWhoIsLastAndByHowMuch() {
        const std::uint32_t call = screen_->model().call(4);
        const LagMap map =
            build_lag_map(std::make_shared<const CollectiveCalls>(list_collective_calls(analysed_->analysis)),
                          filter_calls(list_collective_calls(analysed_->analysis), {{}, {}, {}, false, {}}));
        const std::size_t column = map.column_of(call).value();
        for (const auto& member : timing(call).members) {
            const QString words = screen_->map().describe(member.rank, column);
            QVERIFY2(words.startsWith(u"Rank %1 arrives "_s.arg(run_->ranks[member.rank]->rank)), qPrintable(words));
            QVERIFY2(words.contains(u"Last of %1: rank %2, "_s.arg(timing(call).members.size())
                                        .arg(run_->ranks[timing(call).last_rank]->rank)),
                     qPrintable(words));
        }
    }
    void wheelAndKeysZoomAndMoveTheMap() {
        LagMapView& map = screen_->map();
        const auto all = map.shownColumns();
        auto* plot = map.findChild<QCustomPlot*>();
        plot->replot();
        const QPoint at = plot->mapFrom(&map, map.cellCentre(0, 10));
        QWheelEvent zoom(at, plot->mapToGlobal(at), {}, {0, 120}, {}, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plot, &zoom);
        const auto closer = map.shownColumns();
        QVERIFY(closer.second - closer.first < all.second - all.first);
        QVERIFY(closer.first <= 10.5 && 10.5 <= closer.second);
        map.setFocus();
        QTest::keyClick(&map, Qt::Key_D);
        QVERIFY(map.shownColumns().first > closer.first);
        QTest::keyClick(&map, Qt::Key_0);
        QCOMPARE(map.shownColumns(), all);
        // Arrows go from call to call; Enter asks for it.
        QSignalSpy asked(screen_.get(), &CollectivesScreen::eventActivated);
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
    }
    void draggingMovesTheMapAndAsksForNothing() {
        LagMapView& map = screen_->map();
        map.showColumns(0, 8);
        auto* plot = map.findChild<QCustomPlot*>();
        plot->replot();
        QSignalSpy asked(screen_.get(), &CollectivesScreen::eventActivated);
        const QPoint from = plot->mapFrom(&map, map.cellCentre(0, 6));
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        for (const int x : {-20, -60, -100}) {
            QMouseEvent move(QEvent::MouseMove, from + QPoint(x, 0), plot->mapToGlobal(from + QPoint(x, 0)),
                             Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(plot, &move);
        }
        QTest::mouseRelease(plot, Qt::LeftButton, {}, from + QPoint(-100, 0));
        QVERIFY(map.shownColumns().first > 0);
        QCOMPARE(asked.size(), 0);
    }
    void coloursGoFromTheBackgroundAwayInBothThemes() {
        for (const bool dark : {false, true}) {
            int before = dark ? -1 : 256;
            for (int code = 1; code <= 255; code += 2) {
                const int lightness = qGray(lagColour(static_cast<std::uint8_t>(code), dark));
                QVERIFY2(dark ? lightness >= before : lightness <= before, qPrintable(QString::number(code)));
                before = lightness;
            }
            QCOMPARE(qAlpha(lagColour(0, dark)), 0);
        }
    }
    /// Between the axes the sample of the legend looked like one more call.
    void theLegendIsOutsideOfTheAxes() {
        auto* plot = screen_->bandwidth().findChild<QCustomPlot*>();
        plot->replot();
        QVERIFY(plot->legend->itemCount() > 0 && plot->legend->visible());
        QVERIFY(!plot->axisRect()->outerRect().intersects(plot->legend->outerRect()));
    }
    /// All ranks came at the same time: none is the last. Of a single call the texts have no plural.
    void ofACallWithoutLagNoRankIsLast() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            TraceBuilder builder(rank);
            builder.collective("ncclDevKernel_AllReduce", 20, 100, 50,
                               {"allreduce", "Float", 10, 10, {"1", "dp", {0, 1}, 0}, 1});
            ranks.push_back(builder);
        }
        auto other = std::make_shared<AnalysedRun>();
        other->analysis = std::make_shared<RunAnalysis>(make_run(ranks), Selection{});
        screen_->takeRun(other->analysis->run_pointer(), other);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(screen_->model().rowCount(), 1);
        QCOMPARE(other->analysis->call_table().whole_calls()[0].start_skew, TimeNs{0});
        QCOMPARE(cell(0, CallColumn::last_rank), u"–"_s);
        QCOMPARE(screen_->filterBar().count(), u"1 call (2 kernels on all ranks)"_s);
        QVERIFY2(screen_->delays().summary().startsWith(u"1 call · "_s), qPrintable(screen_->delays().summary()));
    }
    void theCardsLimitsStandInTheScatter() { QCOMPARE(screen_->bandwidth().limitLabels().size(), 2); }
    void aRunWithoutCollectivesSaysSo() {
        SimulatorOptions alone;
        alone.dp = alone.tp = alone.pp = 1;
        const QTemporaryDir folder;
        QVERIFY(write_run(alone, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        auto analysed = std::make_shared<AnalysedRun>();
        analysed->analysis = std::make_shared<RunAnalysis>(*run, Selection{});
        screen_->takeRun(*run, analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY2(screen_->message().startsWith(u"No collective calls"_s), qPrintable(screen_->message()));
        screen_->takeRun(nullptr, nullptr);
        QCOMPARE(screen_->message(), QString());
    }
    void everyControlHasAName() {
        for (const QWidget* widget : screen_->findChildren<QWidget*>())
            if ((qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
                 qobject_cast<const QTableView*>(widget)) &&
                widget->parent() != nullptr &&
                qobject_cast<const QAbstractItemView*>(widget->parentWidget()) == nullptr && widget->isVisible())
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
        const QAbstractItemModelTester tester(&screen_->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        choose(screen_->filterBar().dimension(), u"tp"_s);
    }

private:
    void choose(QComboBox& box, const QString& text) {
        QVERIFY2(box.findText(text) >= 0, qPrintable(text));
        box.setFocus();
        box.setCurrentIndex(box.findText(text));
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
    }
    QString cell(int row, CallColumn column) {
        return screen_->model().index(row, static_cast<int>(column)).data().toString();
    }
    const CollectiveTiming& timing(std::uint32_t call) { return analysed_->analysis->call_table().whole_calls()[call]; }

    QTemporaryDir folder_;
    std::shared_ptr<const Run> run_;
    std::shared_ptr<AnalysedRun> analysed_;
    std::unique_ptr<CollectivesScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestCollectivesScreen)

} // namespace rankscope::collectives_screen_test

#include "test_collectives_screen.moc"
