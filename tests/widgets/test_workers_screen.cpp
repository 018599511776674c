// SPDX-License-Identifier: GPL-3.0-or-later
// The Workers screen: the heat map, its colours and words, and the way from a cell to the rank.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "tests/support/operation_jobs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/screens/worker_map_view.h"
#include "widgets/screens/workers_screen.h"

namespace rankscope::workers_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 20'000;

/// Relative luminance, as WCAG has it.
double luminance(const QColor& colour) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}
} // namespace

class TestWorkersScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        screen_ = std::make_unique<WorkersScreen>();
        screen_->resize(1200, 700);
        screen_->show();
        QVERIFY(QTest::qWaitForWindowExposed(screen_.get()));
    }
    void cleanup() { screen_.reset(); }

    void coloursRiseEvenly() {
        double before = -1;
        for (int i = 0; i <= 20; ++i) {
            const double now = luminance(workerColour(i / 20.0));
            QVERIFY2(now > before, qPrintable(QString::number(i)));
            before = now;
        }
        QCOMPARE(workerColour(-1), workerColour(0));
        QCOMPARE(workerColour(2), workerColour(1));
    }

    void oneSlowWorkerStandsOut() {
        take(slowJob());
        QVERIFY2(screen_->words().contains(u"One worker explains"_s), qPrintable(screen_->words()));
        QVERIFY2(screen_->words().contains(u"rank 7 (data-parallel rank 1, stage 2)"_s), qPrintable(screen_->words()));
        QAbstractItemModel& model = *screen_->table().model();
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 12);
        // Stages down, data-parallel ranks across: rank 2 * 3 + 1.
        const QString words = screen_->map().describe(2, 1);
        QVERIFY2(words.startsWith(u"Rank 7: data-parallel rank 1, stage 2"_s), qPrintable(words));
        QVERIFY2(words.contains(u"Slowdown: "_s), qPrintable(words));
        QVERIFY(screen_->map().legendText().startsWith(u"Slowdown: colours from 1.000 × to "_s));
    }
    void theLegendsWordsFitBesideTheTable() {
        take(slowJob());
        const WorkerMapView& map = screen_->map();
        const QRectF room = map.legendRect();
        const QString german = u"Unverdeckte Kommunikation: Farben von 0.0 % bis 100.0 %"_s; // the longest
        for (const QString& words : {map.legendText(), german}) {
            const QRectF needed = QFontMetricsF(map.font()).boundingRect(room, Qt::TextWordWrap, words);
            QVERIFY2(needed.height() <= room.height() && needed.width() <= room.width(), qPrintable(words));
        }
        QVERIFY(room.bottom() <= map.height());
    }

    /// Tensor parallelism divides a worker among ranks 2 and 3. Rank 3 is slow; the replay tells workers apart, no
    /// more.
    void allRanksOfAWorkerHaveItsSlowdown() {
        SimulatorOptions options;
        options.dp = 2;
        options.tp = 2;
        options.steps = 2;
        options.slow = {3, 1.4, SlowCause::slower_kernels};
        const QTemporaryDir folder;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, Selection{});
        const auto slowdown = [&](std::uint32_t rank) { return worker_value(analysis, WorkerValue::slowdown, rank); };
        QVERIFY(slowdown(3).has_value());
        QCOMPARE(slowdown(3), slowdown(2));
        QCOMPARE(slowdown(1), slowdown(0));
        QVERIFY(*slowdown(3) > *slowdown(0));
        const std::vector<std::string> sentences = english(slowdown_sentences(analysis));
        QVERIFY(std::ranges::any_of(sentences, [](const std::string& sentence) {
            return sentence.ends_with(": ranks 2 and 3 (data-parallel rank 1).");
        }));
    }

    void aClickLeadsToTheRank() {
        take(slowJob());
        const QSignalSpy asked(screen_.get(), &WorkersScreen::evidenceAsked);
        QTest::mouseClick(&screen_->map(), Qt::LeftButton, {}, screen_->map().cellCentre(2, 1));
        QCOMPARE(screen_->table().currentIndex().siblingAtColumn(0).data().toString(), u"7"_s);
        screen_->map().setFocus();
        QTest::keyClick(&screen_->map(), Qt::Key_Right);
        QCOMPARE(screen_->table().currentIndex().siblingAtColumn(0).data().toString(), u"8"_s);
        QTest::keyClick(&screen_->map(), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toInt(), 8);
    }

    /// 100 ranks in no known mesh: rows of 16, so that each has a cell in the window.
    void aLongRowIsFolded() {
        std::vector<TraceBuilder> ranks;
        for (int number = 0; number < 100; ++number) {
            TraceBuilder rank(number);
            for (int i = 0; i < 3; ++i)
                rank.kernel("gemm", 7, 100.0 * i, number == 77 ? 90 : 50);
            ranks.push_back(rank);
        }
        take(make_run(ranks));
        const WorkerMapView& map = screen_->map();
        for (const int column : {0, 50, 99})
            QVERIFY(map.rect().contains(map.cellCentre(0, column)));
        QVERIFY(map.cellCentre(0, 16).y() > map.cellCentre(0, 15).y());
        QTest::mouseClick(&screen_->map(), Qt::LeftButton, {}, map.cellCentre(0, 77));
        QCOMPARE(screen_->table().currentIndex().siblingAtColumn(0).data().toString(), u"77"_s);
        QTest::keyClick(&screen_->map(), Qt::Key_Up);
        QCOMPARE(screen_->table().currentIndex().siblingAtColumn(0).data().toString(), u"61"_s);
    }

    /// No mesh is known, and the ranks of this run are 4 and 6.
    void ranksInARowHaveTheirNumbers() {
        std::vector<TraceBuilder> ranks;
        for (const int number : {4, 6}) {
            TraceBuilder rank(number);
            for (int i = 0; i < 5; ++i)
                rank.kernel("gemm", 7, 100.0 * i, 50);
            ranks.push_back(rank);
        }
        take(make_run(ranks));
        QVERIFY2(screen_->map().describe(0, 1).startsWith(u"Rank 6\n"_s), qPrintable(screen_->map().describe(0, 1)));
    }
    void otherValuesAndDimensions() {
        take(slowJob());
        screen_->valueChoice().setCurrentIndex(screen_->valueChoice().count() - 1);
        Q_EMIT screen_->valueChoice().activated(screen_->valueChoice().currentIndex());
        QVERIFY2(!screen_->map().legendText().startsWith(u"Slowdown"_s), qPrintable(screen_->map().legendText()));
        screen_->rowChoice().setCurrentIndex(1); // both are data-parallel ranks now: one row
        Q_EMIT screen_->rowChoice().activated(1);
        QVERIFY(!screen_->map().describe(0, 2).isEmpty());
        QVERIFY(screen_->map().describe(1, 0).isEmpty());
        QVERIFY(!screen_->grab().isNull());
    }

    void aRunOfOneRankIsNoMesh() {
        auto analysed = std::make_shared<AnalysedRun>();
        analysed->analysis = std::make_shared<RunAnalysis>(
            make_run({TraceBuilder(0).step(1, 0, 30).launch(0, 2).kernel("gemm", 7, 5, 10)}), Selection{});
        screen_->takeRun(analysed->analysis->run_pointer(), analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY2(screen_->message().startsWith(u"There is one rank: nothing to compare it with\n"_s) &&
                     screen_->message().contains(u"export_chrome_trace("_s),
                 qPrintable(screen_->message()));
    }

private:
    static OperationJob slowJob() {
        OperationJob job;
        job.dp = 3;
        job.microbatches = 8;
        job.factor = [](bool, int dp, int stage, int, int) { return dp == 1 && stage == 2 ? 1.6 : 1.0; };
        return job;
    }
    void take(const OperationJob& job) {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(u"timeline.json"_s).toStdString();
        std::ofstream(path, std::ios::binary) << operation_timeline(job);
        const auto run = load_run(path);
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        take(*run);
    }
    void take(const std::shared_ptr<const Run>& run) {
        auto analysed = std::make_shared<AnalysedRun>();
        analysed->analysis = std::make_shared<RunAnalysis>(run, Selection{});
        screen_->takeRun(run, analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(screen_->message(), QString());
    }
    std::unique_ptr<WorkersScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestWorkersScreen)

} // namespace rankscope::workers_screen_test

#include "test_workers_screen.moc"
