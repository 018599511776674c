// SPDX-License-Identifier: GPL-3.0-or-later
// The details of the selected event: facts at once, arguments when read, all of it plain text.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QTableView>
#include <QtTest>

#include "tests/support/trace_builder.h"
#include "widgets/panels/details_model.h"
#include "widgets/panels/details_panel.h"

using namespace rankscope;

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
        tester_ = std::make_unique<QAbstractItemModelTester>(panel_->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        panel_->setTextReader(says("{}"));
        panel_->show();
        state_->setRun(run_);
    }
    void cleanup() {
        tester_.reset();
        panel_.reset();
        state_.reset();
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
        QVERIFY(valueOf(*panel_->model(), QStringLiteral("Bytes")).remove(QChar(0x202F)).startsWith(QStringLiteral("4096")));
        QCOMPARE(valueOf(*panel_->model(), QStringLiteral("Bandwidth")), QStringLiteral("12.5 GB/s"));
    }
    void allArgumentsAppearAsSoonAsTheyAreRead() {
        panel_->setTextReader(says(R"({"ph":"X","name":"gemm","cat":"kernel","ts":1,"dur":2,"args":{"grid":[8,1,1],"queued":0,"note":"a b","big":12345678901234567890}})"));
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
        QThread::msleep(5); // the first read has begun
        state_->select(eventNamed(*run_, QStringLiteral("Memcpy HtoD")));
        QTRY_COMPARE(valueOf(*panel_->model(), QStringLiteral("of")), QStringLiteral("Memcpy HtoD"));
        QTest::qWait(60);
        int rows = 0;
        for (const DetailRow& row : panel_->model()->rows())
            rows += row.key == QStringLiteral("of") ? 1 : 0;
        QCOMPARE(rows, 1);
    }
    void aFileThatCannotBeReadSaysWhy() {
        panel_->setTextReader([](const RankTrace&, EventIndex) -> Result<std::string> { return input_error("trace.json: gone"); });
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
    void selectedRowsCanBeCopied() {
        state_->select(eventNamed(*run_, QStringLiteral("gemm")));
        auto* table = panel_->findChild<QTableView*>();
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
        QVERIFY(!panel_->findChild<QTableView*>()->isVisible());
    }

private:
    std::shared_ptr<const Run> run_;
    std::unique_ptr<ViewState> state_;
    std::unique_ptr<DetailsPanel> panel_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

QTEST_MAIN(TestDetailsPanel)
#include "test_details_panel.moc"
