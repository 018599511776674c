// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline screen by mouse and keys.
#include <algorithm>
#include <memory>
#include <set>

#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QtTest>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"
#include "widgets/custom_plot.h"
#include "widgets/screens/pipeline_chart.h"
#include "widgets/screens/pipeline_screen.h"
#include "widgets/time_text.h"

namespace rankscope::pipeline_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

std::shared_ptr<AnalysedRun> analysedRun(const SimulatorOptions& options, const QString& folder) {
    if (!write_run(options, folder.toStdString()))
        return nullptr;
    const auto run = load_run(folder.toStdString());
    if (!run)
        return nullptr;
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->analysis = std::make_shared<RunAnalysis>(*run, Selection{});
    return analysed;
}

} // namespace

class TestPipelineScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.pp = 4;
        options.dp = 2;
        options.microbatches = 4;
        options.steps = 3;
        analysed_ = analysedRun(options, folder_.path());
        QVERIFY(analysed_);
    }
    void init() {
        screen_ = std::make_unique<PipelineScreen>();
        screen_->resize(1000, 700);
        screen_->takeRun(analysed_->analysis->run_pointer(), analysed_);
        screen_->show();
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        screen_->chart().findChild<QCustomPlot*>()->replot();
    }
    void cleanup() { screen_.reset(); }

    void everyStageHasALaneAndAnIdealBelowIt() {
        QCOMPARE(screen_->message(), QString());
        std::set<int> rows;
        int forwards = 0;
        for (const PipelineBar& bar : screen_->chart().bars()) {
            rows.insert(bar.row);
            forwards += bar.look == PipelineBar::Look::forward && !bar.ideal ? 1 : 0;
            QVERIFY(bar.ideal == (bar.row > 4));
        }
        QCOMPARE(rows, (std::set<int>{0, 1, 2, 3, 5, 6, 7, 8}));
        QCOMPARE(forwards, 16);
        QVERIFY2(screen_->headline().contains(u"warm-up"_s), qPrintable(screen_->headline()));
        QCOMPARE(screen_->table().model()->rowCount(), 4);
    }
    /// It was counted from the first kernel to the last one: 51.81 beside 52.03 ms.
    void theStepIsAsLongAsOnOtherScreens() {
        const StepAccount& steps = analysed_->analysis->steps();
        double sum = 0;
        for (int row = 0; row < 4; ++row) {
            const auto rank = std::ranges::find(analysed_->run().ranks, rankOf(row).toInt(),
                                                [](const auto& each) { return each->rank; });
            const auto index = static_cast<std::size_t>(rank - analysed_->run().ranks.begin());
            QCOMPARE(steps.numbers[index].front(), screen_->step().currentData().toLongLong());
            sum += static_cast<double>(steps.windows[index].front().length());
        }
        const QString told = u" of the "_s + timeTextOfNs(sum / 4) + u" step"_s;
        QVERIFY2(screen_->headline().contains(told), qPrintable(screen_->headline() + told));
    }
    /// The metric told 1F1B and its share beside "the ideal schedule is not known".
    void aScheduleThatCannotBeDrawnIsNamed() {
        PipelineAnalysis pipeline;
        pipeline.method = BubbleMethod::p2p;
        pipeline.schedule = ScheduleKind::one_f_one_b;
        pipeline.ideal = 3.0 / 11;
        const QString told = pipelineSubline({}, ideal_pipeline({}, ""), pipeline);
        QVERIFY2(told.contains(u"cannot be drawn"_s), qPrintable(told));
        QVERIFY2(told.contains(u"1F1B, which leaves 27 % of a step idle"_s), qPrintable(told));
        pipeline.ideal.reset();
        QVERIFY(!pipelineSubline({}, ideal_pipeline({}, ""), pipeline).contains(u"1F1B"_s));
    }
    void stepsAndPipelinesAreChosen() {
        QCOMPARE(screen_->step().count(), 3);
        QCOMPARE(screen_->replica().count(), 2);
        const QString before = rankOf(0);
        screen_->replica().setFocus();
        QTest::keyClick(&screen_->replica(), Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY(rankOf(0) != before);
        const auto first = screen_->chart().bars().front().range;
        screen_->step().setFocus();
        QTest::keyClick(&screen_->step(), Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(screen_->step().currentIndex(), 1);
        QVERIFY(screen_->chart().bars().front().range.length() > 0 && first.length() > 0);
    }
    void aClickOnAPassAsksForItInTheTimeline() {
        QSignalSpy asked(screen_.get(), &PipelineScreen::evidenceAsked);
        const auto& bars = screen_->chart().bars();
        const auto bar = std::ranges::find_if(
            bars, [](const PipelineBar& b) { return b.look == PipelineBar::Look::backward && b.row == 2 && !b.ideal; });
        QVERIFY(bar != bars.end());
        click(*bar);
        QCOMPARE(asked.size(), 1);
        const int rank = asked[0][0].toInt();
        const auto range = asked[0][2].value<TimeRange>();
        QCOMPARE(range.length(), bar->range.length());
        const RankTrace* trace = analysed_->run().rank(rank);
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->events.start[asked[0][1].value<EventIndex>()], range.begin);
        QCOMPARE(analysed_->analysis->pipeline().stages[static_cast<std::size_t>(rank)], 2);
    }
    void aClickOnABubbleAsksForItsRangeAndTheIdealForNothing() {
        QSignalSpy asked(screen_.get(), &PipelineScreen::evidenceAsked);
        const auto& bars = screen_->chart().bars();
        const auto bubble = std::ranges::max_element(
            bars, {}, [](const PipelineBar& b) { return b.look == PipelineBar::Look::bubble ? b.range.length() : -1; });
        QVERIFY2(screen_->chart().describe(*bubble).contains(u"% of the step"_s),
                 qPrintable(screen_->chart().describe(*bubble)));
        click(*bubble);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][1].value<EventIndex>(), kNoEvent);
        QCOMPARE(asked[0][2].value<TimeRange>().length(), bubble->range.length());
        const auto ideal = std::ranges::find_if(bars, &PipelineBar::ideal);
        click(*ideal);
        QCOMPARE(asked.size(), 1);
    }
    void keysGoFromPassToPass() {
        QSignalSpy asked(screen_.get(), &PipelineScreen::evidenceAsked);
        PipelineChart& chart = screen_->chart();
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_Right);
        const QString first = chart.accessibleDescription();
        QTest::keyClick(&chart, Qt::Key_Right);
        QVERIFY(!first.isEmpty() && chart.accessibleDescription() != first);
        QTest::keyClick(&chart, Qt::Key_Down);
        QVERIFY2(chart.accessibleDescription().startsWith(u"Stage 1"_s), qPrintable(chart.accessibleDescription()));
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
    }
    void wheelAndKeysZoomAndMove() {
        PipelineChart& chart = screen_->chart();
        const auto all = chart.shownTime();
        auto* plot = chart.findChild<QCustomPlot*>();
        const QPoint at = plot->rect().center();
        QWheelEvent zoom(at, plot->mapToGlobal(at), {}, {0, 240}, {}, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plot, &zoom);
        const auto closer = chart.shownTime();
        QVERIFY(closer.second - closer.first < all.second - all.first && closer.first > 0);
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_A);
        QVERIFY(chart.shownTime().first < closer.first);
        QTest::keyClick(&chart, Qt::Key_0);
        QCOMPARE(chart.shownTime(), all);
    }
    void aRunWithoutPipelineSaysWhatWouldBeNeeded() {
        SimulatorOptions options;
        options.dp = 2;
        const QTemporaryDir folder;
        const auto analysed = analysedRun(options, folder.path());
        QVERIFY(analysed);
        screen_->takeRun(analysed->analysis->run_pointer(), analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY2(screen_->message().startsWith(u"No pipeline in this run"_s), qPrintable(screen_->message()));
        QVERIFY(screen_->message().contains(u"workload card"_s));
    }
    void withoutAnnotationsTheIdealIsNotDrawnAndSaysSo() {
        SimulatorOptions options;
        options.pp = 2;
        options.annotate_microbatches = false;
        const QTemporaryDir folder;
        const auto analysed = analysedRun(options, folder.path());
        QVERIFY(analysed);
        screen_->takeRun(analysed->analysis->run_pointer(), analysed);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QVERIFY(!screen_->chart().bars().empty());
        QVERIFY(std::ranges::none_of(screen_->chart().bars(), &PipelineBar::ideal));
    }

private:
    void click(const PipelineBar& bar) {
        auto* plot = screen_->chart().findChild<QCustomPlot*>();
        QTest::mouseClick(plot, Qt::LeftButton, {},
                          plot->mapFrom(&screen_->chart(), screen_->chart().barRect(bar).center().toPoint()));
    }
    QString rankOf(int row) { return screen_->table().model()->index(row, 1).data().toString(); }

    QTemporaryDir folder_;
    std::shared_ptr<AnalysedRun> analysed_;
    std::unique_ptr<PipelineScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestPipelineScreen)

} // namespace rankscope::pipeline_screen_test

#include "test_pipeline_screen.moc"
