// SPDX-License-Identifier: GPL-3.0-or-later
// The details of the selected event: facts at once, arguments when read, all of it plain text.
#include <algorithm>
#include <cmath>
#include <memory>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/charts/duration_histogram_view.h"
#include "widgets/panels/details_model.h"
#include "widgets/panels/details_panel.h"
#include "widgets/panels/name_statistics_pane.h"
#include "widgets/panels/peers_model.h"
#include "widgets/panels/peers_pane.h"

namespace rankscope::details_panel_test {

namespace {

const QString kHostile = QStringLiteral("<b>bold</b><img src=x>");

std::shared_ptr<const Run> run() {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 1'048'576;
    call.group = ProcessGroup{"0", "default_pg", {0, 1}, 2};
    return make_run({TraceBuilder(0)
                         .cpu_op("aten::mm", 0, 20)
                         .launch(2, 3)
                         .kernel("gemm", 7, 10.5, 100.25)
                         .collective("ncclDevKernel_AllReduce", 20, 120, 30, call)
                         .memory_copy("Memcpy HtoD", 7, 200, 5, 4096, 12.5)
                         .kernel(kHostile.toStdString(), 7, 300, 1)});
}

EventRef eventNamed(const Run& run, const QString& name) {
    const RankTrace& trace = *run.ranks[0];
    for (EventIndex i = 0; i < trace.events.size(); ++i)
        if (trace.event_name(i) == name.toStdString())
            return {trace.rank, i};
    return {};
}

QString valueOf(const DetailsModel& model, const QString& key) {
    for (const DetailRow& row : model.rows())
        if (row.key == key)
            return row.value;
    return QStringLiteral("(no such row)");
}

DetailsPanel::TextReader says(std::string text) {
    return [text = std::move(text)](const RankTrace&, EventIndex) -> Result<std::string> { return text; };
}

} // namespace

class TestDetailsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        run_ = run();
        state_ = std::make_unique<ViewState>();
        panel_ = std::make_unique<DetailsPanel>(state_.get());
        tester_ = std::make_unique<QAbstractItemModelTester>(panel_->model(),
                                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
        panel_->setTextReader(says("{}"));
        panel_->show();
        state_->setRun(run_);
    }
    void cleanup() {
        tester_.reset();
        panel_.reset();
        state_.reset();
    }

    /// The table gets its width only after the selection has filled it.
    void noRowIsCutWhenThePanelIsLaidOutLater() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        panel_->resize(1000, 300);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
        QCoreApplication::processEvents();
        auto* table = panel_->findChild<QTableView*>();
        std::vector<int> heights;
        for (int row = 0; row < panel_->model()->rowCount(); ++row)
            heights.push_back(table->rowHeight(row));
        table->resizeRowsToContents(); // what they need
        const QFontMetrics metrics(table->font());
        for (int row = 0; row < panel_->model()->rowCount(); ++row) {
            const DetailRow& shown = panel_->model()->rows()[static_cast<std::size_t>(row)];
            QVERIFY2(heights[static_cast<std::size_t>(row)] >= table->rowHeight(row), qPrintable(shown.key));
            QVERIFY2(shown.heading || table->columnWidth(0) >= metrics.horizontalAdvance(shown.key),
                     qPrintable(shown.key));
        }
    }

    void aKernelShowsItsTimesAndItsLaunch() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        const DetailsModel& model = *panel_->model();
        QCOMPARE(valueOf(model, QStringLiteral("Rank")), QStringLiteral("0"));
        QCOMPARE(valueOf(model, QStringLiteral("Lane")), QStringLiteral("stream 7"));
        QCOMPARE(valueOf(model, QStringLiteral("Start")), QStringLiteral("10.500 µs"));
        QCOMPARE(valueOf(model, QStringLiteral("Duration")), QStringLiteral("100.250 µs"));
        QCOMPARE(valueOf(model, QStringLiteral("Launched by")), QStringLiteral("cudaLaunchKernel at 2 µs"));
        QCOMPARE(valueOf(model, QStringLiteral("Launch to start")), QStringLiteral("8.500 µs"));
        QCOMPARE(valueOf(model, QStringLiteral("Operator")), QStringLiteral("aten::mm"));
    }
    void aLaunchShowsWhatItLaunched() {
        state_->select(eventNamed(*run_, QStringLiteral("cudaLaunchKernel")));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("Launches")), QStringLiteral("gemm at 10.500 µs"));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("Inside")), QStringLiteral("aten::mm"));
    }
    void aKernelWithoutLaunchSaysSo() {
        state_->select(eventNamed(*run_, kHostile));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("Launched by")), QStringLiteral("no call in the trace"));
    }
    void aCollectiveShowsItsArguments() {
        state_->select(eventNamed(*run_, QStringLiteral("ncclDevKernel_AllReduce")));
        const DetailsModel& model = *panel_->model();
        QCOMPARE(valueOf(model, QStringLiteral("Operation")), QStringLiteral("allreduce"));
        QCOMPARE(valueOf(model, QStringLiteral("Elements in")).remove(QChar(0x202F)), QStringLiteral("1048576"));
        QCOMPARE(valueOf(model, QStringLiteral("Group description")), QStringLiteral("default_pg"));
        QCOMPARE(valueOf(model, QStringLiteral("Group ranks")), QStringLiteral("0, 1"));
    }
    void aCopyShowsItsBytes() {
        state_->select(eventNamed(*run_, QStringLiteral("Memcpy HtoD")));
        QVERIFY(valueOf(*panel_->model(), QStringLiteral("Bytes"))
                    .remove(QChar(0x202F))
                    .startsWith(QStringLiteral("4096")));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("Bandwidth")), QStringLiteral("12.5 GB/s"));
    }
    void allArgumentsAppearAsSoonAsTheyAreRead() {
        panel_->setTextReader(says(
            R"({"ph":"X","name":"gemm","cat":"kernel","ts":1,"dur":2,"args":{"grid":[8,1,1],"queued":0,"note":"a b","big":12345678901234567890}})"));
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        QTRY_COMPARE(valueOf(*panel_->model(), QStringLiteral("grid")), QStringLiteral("[8,1,1]"));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("note")), QStringLiteral("a b"));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("big")), QStringLiteral("12345678901234567890"));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("cat")), QStringLiteral("kernel"));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("ts")), QStringLiteral("(no such row)"));
    }
    void argumentsOfAnEarlierSelectionAreDropped() {
        panel_->setTextReader([](const RankTrace& trace, EventIndex event) -> Result<std::string> {
            QThread::msleep(30);
            return "{\"args\":{\"of\":\"" + std::string(trace.event_name(event)) + "\"}}";
        });
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        QThread::msleep(5); // the first read has started
        state_->select(eventNamed(*run_, QStringLiteral("Memcpy HtoD")));
        QTRY_COMPARE(valueOf(*panel_->model(), QStringLiteral("of")), QStringLiteral("Memcpy HtoD"));
        QTest::qWait(60);
        int rows = 0;
        for (const DetailRow& row : panel_->model()->rows())
            rows += row.key == QStringLiteral("of") ? 1 : 0;
        QCOMPARE(rows, 1);
    }
    void aFileThatCannotBeReadSaysWhy() {
        panel_->setTextReader([](const RankTrace&, EventIndex) -> Result<std::string> {
            return input_error(std::string("trace.json: gone"));
        });
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        QTRY_COMPARE(valueOf(*panel_->model(), QStringLiteral("Not read")), QStringLiteral("trace.json: gone"));
    }
    void textThatIsNoJsonIsShownAsItIs() {
        panel_->setTextReader(says("{\"args\": {cut"));
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        QTRY_COMPARE(valueOf(*panel_->model(), QStringLiteral("Text")), QStringLiteral("{\"args\": {cut"));
    }
    void namesAreNeverReadAsHtml() {
        state_->select(eventNamed(*run_, kHostile));
        QCOMPARE(panel_->findChild<QPlainTextEdit*>()->toPlainText(), kHostile);
    }
    void theCallersStandInnermostFirst() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        const auto& rows = panel_->model()->rows();
        const auto heading = std::find_if(
            rows.begin(), rows.end(), [](const DetailRow& row) { return row.key == QStringLiteral("Called from"); });
        QVERIFY(heading != rows.end() && heading + 1 != rows.end());
        QCOMPARE((heading + 1)->value, QStringLiteral("aten::mm"));
    }
    void theFilterKeepsMatchingRowsWithTheirHeading() {
        panel_->setTextReader(says(R"({"args":{"grid":[8,1,1],"block":[128,1,1]}})"));
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        QTRY_COMPARE(valueOf(*panel_->model(), QStringLiteral("grid")), QStringLiteral("[8,1,1]"));
        panel_->filter().setText(QStringLiteral("GRID"));
        QCOMPARE(panel_->allText(), QStringLiteral("Arguments\ngrid\t[8,1,1]"));
        panel_->filter().clear();
        QVERIFY(panel_->model()->rows().size() > 5);
    }
    void theStatisticsOfTheNameComeFromTheBackground() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        QTRY_COMPARE(panel_->statistics().model()->index(0, 1).data().toString(), QStringLiteral("1"));
        QCOMPARE(panel_->statistics().model()->index(1, 0).data().toString(), QStringLiteral("100.3 µs"));
        QCOMPARE(panel_->statistics().histogram().summary(), QStringLiteral("The only one of its name"));
        QVERIFY(!panel_->peers().isVisible());
    }
    void theHistogramMarksThisOne() {
        DurationHistogramView view;
        view.resize(300, 120);
        NameStatistics s;
        s.in_run.count = 4;
        s.shorter = 1;
        s.duration = 20;
        s.histogram = {false, 10, 40, std::vector<std::int64_t>(kHistogramBars, 0)};
        s.histogram.counts[0] = 3;
        s.histogram.counts[kHistogramBars - 1] = 1;
        view.setStatistics(s);
        const auto bars = view.bars();
        QCOMPARE(bars.size(), kHistogramBars);
        QVERIFY(std::abs(bars[0].height() - 3 * bars.back().height()) < 0.01);
        const double left = bars.front().left();
        const double right = bars.back().left() + (bars[1].left() - left);    // the end of the axis
        QVERIFY(std::abs(*view.markX() - (left + (right - left) / 3)) < 0.5); // 20 of 10 to 40
        QCOMPARE(view.summary(), QStringLiteral("Longer than 25 % of 4"));
        view.setStatistics({});
        QVERIFY(!view.markX());
    }
    void aCollectivesPeersStandSideBySideAndAClickGoesThere() {
        CollectiveCall call;
        call.collective = "allreduce";
        call.in_elements = 8;
        call.group = ProcessGroup{"0", "default_pg", {0, 1}, 2};
        const auto two = make_run({TraceBuilder(0).collective("ncclDevKernel_AllReduce", 20, 0, 50, call),
                                   TraceBuilder(1).collective("ncclDevKernel_AllReduce", 20, 30, 20, call)});
        state_->setRun(two);
        state_->select(EventRef{0, 0});
        QVERIFY(panel_->peers().isVisible());
        QVERIFY(!panel_->peers().headline().isEmpty()); // says that they come later
        panel_->setAnalysis(std::make_shared<RunAnalysis>(two, Selection(), Align::none));
        QTRY_COMPARE(panel_->peers().model()->rowCount(), 2);
        QCOMPARE(panel_->peers().headline(), QStringLiteral("Rank 1 is last, 30.00 µs after the first"));
        QCOMPARE(panel_->peers().model()->index(1, PeersModel::lagColumn).data().toString(),
                 QStringLiteral("+30.00 µs"));
        const QAbstractItemModelTester tester(panel_->peers().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy chosen(panel_.get(), &DetailsPanel::eventChosen);
        panel_->peers().choose(1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(state_->selection(), (EventRef{1, 0}));
    }
    /// Three tables had a scroll bar each.
    void whatIsKnownScrollsAsOne() {
        CollectiveCall call;
        call.collective = "allreduce";
        call.group = ProcessGroup{"0", "default_pg", {0, 1, 2, 3, 4, 5, 6, 7}, 8};
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 8; ++rank)
            ranks.push_back(TraceBuilder(rank).collective("ncclDevKernel_AllReduce", 20, rank, 50 - rank, call));
        const auto eight = make_run(ranks);
        state_->setRun(eight);
        panel_->setAnalysis(std::make_shared<RunAnalysis>(eight, Selection(), Align::none));
        panel_->resize(1000, 160);
        state_->select(EventRef{0, 0});
        QTRY_COMPARE(panel_->peers().model()->rowCount(), 8);
        QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
        QScrollBar* const bar = panel_->findChild<QScrollArea*>()->verticalScrollBar();
        QTRY_VERIFY(bar->isVisible() && bar->maximum() > 0);
        for (QTableView* table : panel_->findChildren<QTableView*>()) {
            QVERIFY2(!table->verticalScrollBar()->isVisible() && table->verticalScrollBar()->maximum() == 0,
                     qPrintable(table->accessibleName()));
            QWheelEvent wheel(QPointF(5, 5), table->viewport()->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(table->viewport(), &wheel);
            QVERIFY(!wheel.isAccepted()); // it is the area's
        }
        auto* const facts = panel_->findChild<QTableView*>(QStringLiteral("facts"));
        QTest::mouseClick(facts->viewport(), Qt::LeftButton, Qt::NoModifier,
                          facts->visualRect(facts->indexAt({5, 5})).center());
        QTest::keyClick(facts, Qt::Key_End, Qt::ControlModifier);
        QVERIFY(bar->value() > 0);
        state_->select({});
        state_->select(EventRef{1, 0}); // another one is shown from its top
        QCOMPARE(bar->value(), 0);
    }
    void selectedRowsCanBeCopied() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        auto* table = panel_->findChild<QTableView*>(QStringLiteral("facts"));
        table->selectRow(1);
        QCOMPARE(panel_->selectedText(), QStringLiteral("Rank\t0"));
        panel_->activateWindow();
        table->setFocus();
        QTRY_VERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("Rank\t0"));
    }
    void withoutASelectionThereIsAHint() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        state_->select({});
        QCOMPARE(panel_->model()->rowCount(), 0);
        for (const auto* table : panel_->findChildren<QTableView*>())
            QVERIFY(!table->isVisible());
    }

private:
    std::shared_ptr<const Run> run_;
    std::unique_ptr<ViewState> state_;
    std::unique_ptr<DetailsPanel> panel_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

RANKSCOPE_GUI_TEST(TestDetailsPanel)

} // namespace rankscope::details_panel_test

#include "test_details_panel.moc"
