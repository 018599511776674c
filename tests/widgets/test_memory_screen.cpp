// SPDX-License-Identifier: GPL-3.0-or-later
// The Memory screen: curves, peaks, what was live at a clicked time.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "core/base/whole_file.h"
#include "core/input/load/load_run.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/charts/memory_plot.h"
#include "widgets/screens/memory_screen.h"

namespace rankscope::memory_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {
using Json = nlohmann::ordered_json;
constexpr int kPatience = 20'000;

MemorySample sample(std::int64_t bytes, std::int64_t allocated, std::uint64_t address) {
    return {0, bytes, allocated, allocated + 1'000'000, address, 1, 0};
}

/// In kB: 500 before; linear +100 at 3 us, relu +200 at 31 and 32, 100 freed at 60; from 90 us on nothing but the first
/// 500.
TraceBuilder allocating(int rank, std::int64_t unit) {
    return TraceBuilder(rank)
        .cpu_op("aten::linear", 0, 20)
        .memory_sample(3, sample(100 * unit, 600 * unit, 0xA))
        .cpu_op("aten::relu", 30, 20)
        .memory_sample(31, sample(200 * unit, 800 * unit, 0xB))
        .memory_sample(32, sample(200 * unit, 1000 * unit, 0xC))
        .memory_sample(60, sample(-100 * unit, 900 * unit, 0xA))
        .memory_sample(90, sample(-200 * unit, 700 * unit, 0xB))
        .memory_sample(91, sample(-200 * unit, 500 * unit, 0xC));
}

std::shared_ptr<const AnalysedRun> analysed(const std::vector<TraceBuilder>& ranks) {
    auto run = std::make_shared<AnalysedRun>();
    run->analysis = std::make_shared<RunAnalysis>(make_run(ranks), Selection{});
    return run;
}

} // namespace

class TestMemoryScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        screen_ = std::make_unique<MemoryScreen>();
        screen_->resize(1000, 650);
        screen_->show();
        QVERIFY(QTest::qWaitForWindowExposed(screen_.get()));
        take(analysed({allocating(0, 1000), allocating(3, 1500)}));
    }
    void cleanup() { screen_.reset(); }

    void theHighestPeakStandsThereAtFirst() {
        QCOMPARE(screen_->curveChoice().currentText(), u"Rank 3, GPU 0"_s);
        QCOMPARE(screen_->words(),
                 u"Rank 3, GPU 0, 32.0 µs (its peak): 1.5 MB allocated, 750 kB of it since before the recording"_s);
        QAbstractItemModel& model = *screen_->table().model();
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(0, 0), u"aten::relu"_s);
        QCOMPARE(cell(0, 2), u"600 kB"_s);
        QCOMPARE(cell(0, 3), u"40.0"_s);
        QCOMPARE(cell(0, 4), u"2"_s);
        QCOMPARE(cell(0, 5), u"300 kB"_s);
        QCOMPARE(cell(1, 0), u"aten::linear"_s);
    }
    /// 100 kB were there before; train.py:7 gets 200 kB, then 300 kB that it gives back.
    void aSnapshotIsACurveOfItsOwn() {
        constexpr int kB = 1000;
        const Json stack = Json::array({{{"name", "step"}, {"filename", "/job/train.py"}, {"line", 7}}});
        const auto event = [&](const char* action, int address, int bytes, std::int64_t at_us) {
            return Json{{"action", action},
                        {"addr", address},
                        {"size", bytes},
                        {"stream", 0},
                        {"time_us", 1'700'000'000'000'000 + at_us},
                        {"frames", stack}};
        };
        const auto block = [&](int bytes, const char* state, const Json& frames) {
            return Json{{"size", bytes}, {"requested_size", bytes}, {"state", state}, {"frames", frames}};
        };
        const Json blocks =
            Json::array({block(100 * kB, "active_allocated", Json::array()), block(200 * kB, "active_allocated", stack),
                         block(700 * kB, "inactive", Json::array())});
        const Json segment{{"device", 0}, {"address", 0}, {"total_size", 1000 * kB}, {"stream", 0}, {"blocks", blocks}};
        const Json snapshot{
            {"segments", Json::array({segment})},
            {"device_traces",
             Json::array({Json::array({event("alloc", 100 * kB, 200 * kB, 0), event("alloc", 300 * kB, 300 * kB, 10),
                                       event("free_completed", 300 * kB, 300 * kB, 20)})})}};
        QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "rank5.pickle";
        QVERIFY(write_whole_file(file, pickled(snapshot)));
        const auto run = load_run(file, {});
        QVERIFY(run.has_value());
        auto made = std::make_shared<AnalysedRun>();
        made->analysis = std::make_shared<RunAnalysis>(*run, Selection{});
        take(made);
        QCOMPARE(screen_->curveChoice().currentText(), u"Rank 5, GPU 0, snapshot"_s);
        QCOMPARE(screen_->words(), u"Rank 5, GPU 0, snapshot, 10.0 µs (its peak): 600 kB allocated, 100 kB of it since "
                                   u"before the recording. Fragmented: 400 kB"_s);
        QCOMPARE(screen_->table().model()->rowCount(), 2);
        QCOMPARE(cell(0, 0), u"train.py:7 step"_s);
        QCOMPARE(cell(0, 2), u"500 kB"_s);
        QCOMPARE(cell(1, 0), u"no stack recorded"_s);
    }
    void aClickInThePlotTellsWhatWasLiveThen() {
        const QPoint place = screen_->plot().pointOf(1, origin() + 70'000).toPoint();
        QWidget* inner = screen_->plot().childAt(place);
        QTest::mouseClick(inner, Qt::LeftButton, {}, inner->mapFrom(&screen_->plot(), place));
        QTRY_VERIFY_WITH_TIMEOUT(!screen_->isLooking(), kPatience);
        QCOMPARE(screen_->table().model()->rowCount(), 1); // relu's alone
        QVERIFY(std::abs(screen_->live()->time - origin() - 70'000) < 1'000);
        QTest::keyClick(&screen_->plot(), Qt::Key_Home);
        QTRY_VERIFY_WITH_TIMEOUT(!screen_->isLooking(), kPatience);
        QCOMPARE(screen_->live()->time, origin() + 32'000);
        QTest::keyClick(&screen_->plot(), Qt::Key_Right); // a hundredth of 3 to 91 us
        QTRY_VERIFY_WITH_TIMEOUT(!screen_->isLooking(), kPatience);
        QCOMPARE(screen_->live()->time, origin() + 32'880);
    }
    void anotherCurveIsChosenByClickOrByName() {
        const QPoint place = screen_->plot().pointOf(0, origin() + 50'000).toPoint();
        QWidget* inner = screen_->plot().childAt(place);
        QTest::mouseClick(inner, Qt::LeftButton, {}, inner->mapFrom(&screen_->plot(), place));
        QTRY_VERIFY_WITH_TIMEOUT(!screen_->isLooking(), kPatience);
        QCOMPARE(screen_->curveChoice().currentText(), u"Rank 0, GPU 0"_s);
        QCOMPARE(screen_->live()->allocated, std::int64_t{1'000'000});
        QTest::mouseClick(&screen_->peakButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!screen_->isLooking(), kPatience);
        QVERIFY(screen_->words().contains(u"its peak"_s));
    }
    void enterShowsTheLargestBlocksOperator() {
        const QSignalSpy shown(screen_.get(), &MemoryScreen::eventActivated);
        screen_->table().setFocus();
        screen_->table().setCurrentIndex(screen_->table().model()->index(0, 0));
        QTest::keyClick(&screen_->table(), Qt::Key_Return);
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown[0][0].toInt(), 3);
        QCOMPARE(screen_->analysed()->run().rank(3)->event_name(shown[0][1].value<EventIndex>()),
                 std::string_view("aten::relu"));
    }
    void withoutSamplesItSaysHowToRecordThem() {
        take(analysed({TraceBuilder(0).kernel("k", 7, 0, 1)}));
        QVERIFY(screen_->message().contains(u"profile_memory=True"_s));
    }
    void aThinnedCurveKeepsItsPeak() {
        MemoryCurve curve;
        for (int i = 0; i < 100'000; ++i)
            curve.points.push_back({i, i == 77'777 ? 5000 : i % 100, i == 0 ? kUnknown : 10'000});
        curve.peak = 77'777;
        const MemoryLine line = thinnedLine(curve, 0, 100);
        QVERIFY(line.time.size() <= 404);
        QCOMPARE(std::ranges::max(line.allocated), 5000.0);
        QVERIFY(std::ranges::is_sorted(line.time));
        QCOMPARE(line.reserved.size(), line.time.size());
    }
    void ofManyCurvesTheHighestAreDrawn() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 40; ++rank)
            ranks.push_back(allocating(rank, 1000 + rank));
        take(analysed(ranks));
        QCOMPARE(screen_->plot().drawn(), MemoryPlot::kMostLines);
        QCOMPARE(screen_->curveChoice().count(), 40);
    }

private:
    void take(const std::shared_ptr<const AnalysedRun>& run) {
        screen_->takeRun(run->analysis->run_pointer(), run);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady() && !screen_->isLooking(), kPatience);
        QTest::qWait(30); // the plot is laid out when it is drawn
    }
    TimeNs origin() const { return screen_->analysed()->run().span.begin; }
    QString cell(int row, int column) const { return screen_->table().model()->index(row, column).data().toString(); }
    std::unique_ptr<MemoryScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestMemoryScreen)

} // namespace rankscope::memory_screen_test

#include "test_memory_screen.moc"
