// SPDX-License-Identifier: GPL-3.0-or-later
// The Study screen: its runs as rows in the order asked for, changes of level, scaling, plots of any metric against any
// key, and runs read from folders.
#include <QComboBox>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/screens/study_screen.h"

namespace rankscope::study_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr TimeNs kDay = TimeNs{86'400} * 1'000'000'000;

StudyRun made(int number, double iter_ms, int ranks = 8, const std::string& batch = "16") {
    StudyRun run;
    run.label = "night_" + std::to_string(100 + number);
    run.path = "/runs/" + run.label;
    run.world_size = run.traced = ranks;
    run.first = TimeNs{1'700'000'000} * 1'000'000'000 + number * kDay;
    run.config["data.batch_size"] = batch;
    run.values = {{find_metric("iter_time"), iter_ms, 0.3}, {find_metric("coll_call_num"), 40, {}}};
    return run;
}

QString cell(const StudyScreen& screen, int row, const QString& title) {
    const QAbstractItemModel& model = *screen.table().model();
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == title)
            return model.index(row, column).data().toString();
    return u"no such column"_s;
}

} // namespace

class TestStudyScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        screen_ = std::make_unique<StudyScreen>();
        screen_->resize(1240, 640);
        screen_->show();
    }
    void cleanup() { screen_.reset(); }

    void sayWhatToDoWhileItIsEmpty() {
        QVERIFY(screen_->hint().contains(u"Drop folders"_s));
        QVERIFY(!screen_->keys().isVisible()); // there is nothing to order
        QCOMPARE(screen_->table().model()->rowCount(), 0);
        QVERIFY(screen_->isReady());
    }

    void runsAreRowsInTheOrderAskedFor() {
        screen_->addRuns({made(2, 90, 16, "8"), made(0, 100, 8, "32"), made(1, 95, 32, "16")});
        QCOMPARE(screen_->table().model()->rowCount(), 3);
        QCOMPARE(cell(*screen_, 0, u"Run"_s), u"night_100"_s); // by date
        screen_->orderBy(u"world_size"_s);
        QCOMPARE(cell(*screen_, 1, u"Run"_s), u"night_102"_s);
        QCOMPARE(cell(*screen_, 1, u"Ranks"_s), u"16"_s);
        screen_->orderBy(u"data.batch_size"_s);
        QCOMPARE(cell(*screen_, 0, u"Run"_s), u"night_102"_s);
        QCOMPARE(cell(*screen_, 0, u"data.batch_size"_s), u"8"_s);
        QCOMPARE(cell(*screen_, 0, u"Iteration time (ms)"_s), u"90.0 ± 0.3"_s);
    }

    void scalingHasItsEfficiency() {
        screen_->addRuns({made(0, 100, 8), made(1, 60, 16)});
        QCOMPARE(cell(*screen_, 0, u"Strong"_s), u"1.000"_s);
        QCOMPARE(cell(*screen_, 1, u"Strong"_s), u"0.833"_s);
        QCOMPARE(cell(*screen_, 1, u"Weak"_s), u"1.667"_s);
        screen_->showMetric(u"strong"_s);
        screen_->plotAgainst(u"world_size"_s);
        const StudySeries& series = screen_->plot().series();
        QVERIFY(series.ideal);
        QCOMPARE(series.points.size(), std::size_t{2});
        QCOMPARE(series.points[1].x, 16.0);
        QVERIFY(std::abs(series.points[1].value - 5.0 / 6) < 1e-12);
    }

    void aChangeOfLevelIsMarkedAndLeadsToItsRun() {
        std::vector<StudyRun> runs;
        for (int i = 0; i < 16; ++i)
            runs.push_back(made(i, (i < 9 ? 100 : 103) + 0.1 * (i % 3)));
        screen_->addRuns(std::move(runs));
        QCOMPARE(screen_->changes().count(), 1);
        const QString change = screen_->changes().item(0)->text();
        QVERIFY2(change.startsWith(u"Iteration time: "_s) && change.contains(u" from night_109 on, "_s),
                 qPrintable(change));
        QVERIFY2(cell(*screen_, 9, u"Iteration time (ms)"_s).startsWith(u"▲ +3"_s),
                 qPrintable(cell(*screen_, 9, u"Iteration time (ms)"_s)));
        QVERIFY(!cell(*screen_, 8, u"Iteration time (ms)"_s).contains(u"▲"_s));
        screen_->showMetric(u"coll_call_num"_s);
        screen_->changes().setCurrentRow(0);
        QCOMPARE(screen_->metrics().currentData().toString(), u"iter_time"_s);
        QCOMPARE(screen_->table().currentIndex().row(), 9);
        const auto& points = screen_->plot().series().points;
        QCOMPARE(std::ranges::count_if(points, &StudyPoint::changed), 1);
        QVERIFY(points[9].changed);
    }

    void aClickOnAPlotChooses() {
        screen_->addRuns({made(0, 100), made(1, 90), made(2, 80)});
        QVERIFY(QTest::qWaitForWindowExposed(screen_.get()));
        QTest::qWait(50); // plots lay themselves out as they are painted
        const StudyPoint point = screen_->plot().series().points[1];
        QTest::mouseClick(screen_->plot().childAt(screen_->plot().positionOf(point)), Qt::LeftButton, {},
                          screen_->plot()
                              .childAt(screen_->plot().positionOf(point))
                              ->mapFrom(&screen_->plot(), screen_->plot().positionOf(point)));
        QCOMPARE(screen_->table().currentIndex().row(), 1);
        QCOMPARE(screen_->multiples().count(), std::size_t{2});
        const QPoint second = screen_->multiples().positionOf(1);
        QWidget* plot = screen_->multiples().childAt(second);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(&screen_->multiples(), second));
        QCOMPARE(screen_->metrics().currentData().toString(), u"coll_call_num"_s);
        const QSignalSpy opened(screen_.get(), &StudyScreen::runActivated);
        Q_EMIT screen_->table().activated(screen_->table().currentIndex());
        QCOMPARE(opened.value(0).value(0).toString(), u"/runs/night_101"_s);
    }

    void aFolderOfRunsIsRead() {
        const QTemporaryDir folder;
        SimulatorOptions options;
        for (const int ranks : {1, 2, 4}) {
            options.dp = ranks;
            QVERIFY(write_run(options, folder.filePath(u"dp%1"_s.arg(ranks)).toStdString()));
        }
        QVERIFY(QDir(folder.path()).mkdir(u"nothing"_s));
        screen_->addPaths({folder.path()});
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady() && screen_->table().model()->rowCount() == 3, 60'000);
        screen_->orderBy(u"world_size"_s);
        QCOMPARE(cell(*screen_, 2, u"Ranks"_s), u"4"_s);
        QVERIFY(cell(*screen_, 2, u"Iteration time (ms)"_s).contains(u"±"_s));
        screen_->addPaths({folder.path()}); // the same again
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), 60'000);
        QCOMPARE(screen_->table().model()->rowCount(), 3);
        screen_->addPaths({folder.filePath(u"nothing"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady() && screen_->status().contains(u"left out"_s), 60'000);
        screen_->clear();
        QCOMPARE(screen_->table().model()->rowCount(), 0);
        QVERIFY(!screen_->status().contains(u"left out"_s));
    }

    /// Its runs are read when the screen is shown, not before, and what was chosen is chosen again.
    void whatWasLeftIsTakenUp() {
        const QTemporaryDir folder;
        SimulatorOptions options;
        for (const int ranks : {1, 2}) {
            options.dp = ranks;
            QVERIFY(write_run(options, folder.filePath(u"dp%1"_s.arg(ranks)).toStdString()));
        }
        screen_->addPaths({folder.path()});
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady() && screen_->table().model()->rowCount() == 2, 60'000);
        screen_->orderBy(u"world_size"_s);
        screen_->showMetric(u"comm_comp_overlap"_s);
        screen_->plotAgainst(u"world_size"_s);
        const StudyLeft left = screen_->left();
        QCOMPARE(left.runs.size(), 2);

        StudyScreen next;
        next.resume(left);
        QVERIFY(next.isReady());
        QCOMPARE(next.left().runs, left.runs); // kept also by a window that never showed it
        next.show();
        QTRY_VERIFY_WITH_TIMEOUT(next.isReady() && next.table().model()->rowCount() == 2, 60'000);
        QCOMPARE(next.keys().currentText(), u"world_size"_s);
        QCOMPARE(next.metrics().currentData(), screen_->metrics().currentData());
        QCOMPARE(next.against().currentData(), screen_->against().currentData());
        QCOMPARE(next.left().runs, left.runs);
        next.clear();
        QVERIFY(next.left().runs.isEmpty());

        StudyScreen gone; // runs that are no longer there are left out, and said so
        gone.resume({{left.runs.front(), u"/no/such/run"_s}, u"date"_s, {}, {}});
        gone.show();
        QTRY_VERIFY_WITH_TIMEOUT(gone.isReady() && gone.table().model()->rowCount() == 1, 60'000);
        QVERIFY2(gone.status().contains(u"left out"_s), qPrintable(gone.status()));
    }

    /// A study never mixes runs that were measured by different rules.
    void otherRulesMeasureTheRunsAgain() {
        const QTemporaryDir folder;
        SimulatorOptions options;
        options.dp = 2;
        QVERIFY(write_run(options, folder.filePath(u"run"_s).toStdString()));
        screen_->show();
        screen_->addPaths({folder.filePath(u"run"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady() && screen_->table().model()->rowCount() == 1, 60'000);
        screen_->showMetric(u"coll_call_num"_s);
        const QString before = cell(*screen_, 0, u"Communication hidden by computation (%)"_s);
        screen_->setRules({*KernelClassRules::of({{"gemm", KernelClass::communication}}), {}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady() && screen_->table().model()->rowCount() == 1, 60'000);
        QCOMPARE(screen_->metrics().currentData().toString(), u"coll_call_num"_s);
        QVERIFY2(cell(*screen_, 0, u"Communication hidden by computation (%)"_s) != before, qPrintable(before));
    }

private:
    std::unique_ptr<StudyScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestStudyScreen)

} // namespace rankscope::study_screen_test

#include "test_study_screen.moc"
