// SPDX-License-Identifier: GPL-3.0-or-later
// The Hang screen: headline, ranks with culprits first, who waits for whom, mismatches, what a rank called.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include "core/input/load/load_run.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/screens/hang_screen.h"
#include "widgets/screens/hang_waits_view.h"

namespace rankscope::hang_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 20'000;

DumpCall call(const char* kind, std::int64_t seq, double at) {
    return {.kind = kind, .group = "0", .seq = seq, .state = "scheduled", .created_ms = at};
}
} // namespace

class TestHangScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        screen_ = std::make_unique<HangScreen>();
        screen_->resize(1200, 700);
        screen_->show();
        QVERIFY(QTest::qWaitForWindowExposed(screen_.get()));
    }
    void cleanup() { screen_.reset(); }

    void theCulpritComesFirst() {
        DumpedJob job(4);
        job.calls({0, 1, 2, 3}, {.kind = "all_reduce",
                                 .group = "0",
                                 .seq = 1,
                                 .created_ms = 1,
                                 .completed_ms = 2,
                                 .frames = {"all_reduce", "step"}});
        job.calls({0, 1, 3}, call("all_reduce", 2, 3));
        take(job);
        QCOMPARE(screen_->headline(), u"The job hangs because of rank 2; 3 others wait."_s);
        QAbstractItemModel& model = *screen_->table().model();
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(cell(0, 0), u"2"_s);
        QCOMPARE(cell(0, 1), u"culprit"_s);
        QCOMPARE(cell(1, 0), u"0"_s);
        QCOMPARE(cell(1, 2), u"rank 2"_s);
        QCOMPARE(cell(1, 3), u"all_reduce 2"_s);
        QCOMPARE(cell(1, 4), u"default_pg"_s);
        QCOMPARE(cell(1, 5), u"22:13:20.003"_s);
        QCOMPARE(cell(1, 6), u"1, group 0"_s);
        QVERIFY(!screen_->mismatchTable().isVisible());
        QVERIFY2(screen_->details().contains(u"step at train.py:17"_s), qPrintable(screen_->details()));
        QVERIFY(screen_->details().startsWith(u"Rank 2: culprit"_s));
    }

    void whoWaitsForWhomIsAMatrix() {
        DumpedJob job(4);
        job.calls({0, 1, 2, 3}, {.kind = "all_reduce", .group = "0", .seq = 1, .created_ms = 1, .completed_ms = 2});
        job.calls({0, 1, 3}, call("all_reduce", 2, 3));
        take(job);
        const HangWaitsView& waits = screen_->waits();
        QCOMPARE(waits.columns(), std::vector<int>{2});
        QCOMPARE(waits.rows().size(), std::size_t{1}); // 0, 1 and 3 wait for the same
        QCOMPARE(waits.rows()[0].ranks, (std::vector<int>{0, 1, 3}));
        QCOMPARE(waits.describe(0, 0), u"Ranks 0, 1 and 3 wait for rank 2 in default_pg"_s);
        // A click on the row selects its first rank, one on the cell the rank that is waited for.
        QTest::mouseClick(&screen_->waits(), Qt::LeftButton, {}, QPoint(4, waits.cellCentre(0, 0).y()));
        QVERIFY(screen_->details().startsWith(u"Rank 0: waits"_s));
        QTest::mouseClick(&screen_->waits(), Qt::LeftButton, {}, waits.cellCentre(0, 0));
        QVERIFY(screen_->details().startsWith(u"Rank 2: culprit"_s));
    }

    void mismatchesStandSideBySide() {
        DumpedJob job(4);
        job.calls({0, 1, 3}, call("all_reduce", 1, 1)).call(2, call("broadcast", 1, 1));
        take(job);
        QVERIFY(screen_->mismatchTable().isVisible());
        const QAbstractItemModel& model = *screen_->mismatchTable().model();
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data().toString(), u"all_reduce [[1024]] BFloat16"_s);
        QCOMPARE(model.index(1, 1).data().toString(), u"rank 2"_s);
    }

    void theLastCallsAreShownInTheTimeline() {
        DumpedJob job(2);
        job.calls({0, 1}, {.kind = "all_reduce", .group = "0", .seq = 1, .created_ms = 1, .completed_ms = 2});
        job.call(0, call("all_reduce", 2, 3));
        take(job);
        const QSignalSpy asked(screen_.get(), &HangScreen::evidenceAsked);
        screen_->selectRank(0);
        screen_->table().setFocus();
        QTest::keyClick(&screen_->table(), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toInt(), 0);
    }

    void aProfileWithDumpsBesideItLeadsToThem() {
        auto made = make_run({TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 5, 10)});
        auto run = std::make_shared<Run>(*made);
        run->notices.push_back(
            {"several_sources",
             "the folder also holds dumps of the Flight Recorder, which are not shown beside it"_text,
             {},
             1});
        auto analysed = std::make_shared<AnalysedRun>();
        analysed->analysis = std::make_shared<RunAnalysis>(run, Selection{});
        screen_->takeRun(run, analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY2(screen_->message().contains(u"The button beside the run's name opens the dumps"_s),
                 qPrintable(screen_->message()));
    }

    void anotherRunSaysWhatWouldBeNeeded() {
        auto run = std::make_shared<AnalysedRun>();
        run->analysis = std::make_shared<RunAnalysis>(make_run({TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 5, 10)}),
                                                      Selection{});
        screen_->takeRun(run->analysis->run_pointer(), run);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY(screen_->message().contains(u"TORCH_NCCL_TRACE_BUFFER_SIZE"_s));
    }

private:
    void take(const DumpedJob& job) {
        const QTemporaryDir folder;
        job.write(folder.path().toStdString());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        auto analysed = std::make_shared<AnalysedRun>();
        analysed->analysis = std::make_shared<RunAnalysis>(*run, Selection{});
        screen_->takeRun(*run, analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(screen_->message(), QString());
    }
    [[nodiscard]] QString cell(int row, int column) const {
        return screen_->table().model()->index(row, column).data().toString();
    }
    std::unique_ptr<HangScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestHangScreen)

} // namespace rankscope::hang_screen_test

#include "test_hang_screen.moc"
