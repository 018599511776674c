// SPDX-License-Identifier: GPL-3.0-or-later
// The Serving screen: what its tables and plot tell, by mouse and keys.
#include <memory>

#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include "core/metrics/catalogue.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/custom_plot.h"
#include "widgets/screens/serving_screen.h"

namespace rankscope::serving_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

/// A prompt of 700 us (one product), then three decode steps of five layers: attention 60 us, product 40 us.
std::shared_ptr<AnalysedRun> engine() {
    TraceBuilder rank(0);
    double host = 1'000;
    for (int step = 0; step < 4; ++step) {
        const bool prefill = step == 0;
        rank.annotation(prefill ? "execute_context_1(512)_generation_0(0)" : "execute_context_0(0)_generation_8(8)",
                        host, 790);
        double gpu = host + 20;
        double launch = host + 1;
        const auto add = [&](const char* name, double time) {
            rank.launch(launch, 0.5).kernel(name, 7, gpu, time);
            launch += 0.5;
            gpu += time;
        };
        if (prefill)
            add("ampere_sgemm_128x128_nn", 700);
        for (int layer = 0; layer < 5 && !prefill; ++layer) {
            add("paged_attention_v2_kernel", 60);
            add("ampere_sgemm_32x128_nn", 40);
        }
        rank.runtime("cudaStreamSynchronize", launch + 1, gpu - launch);
        host += 800;
    }
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->analysis = std::make_shared<RunAnalysis>(make_run({rank}), Selection{});
    return analysed;
}

QString cell(const QTableView& table, int row, int column) {
    return table.model()->index(row, column).data().toString();
}

} // namespace

class TestServingScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        analysed_ = engine();
        screen_ = std::make_unique<ServingScreen>();
        screen_->resize(1000, 700);
        screen_->takeRun(analysed_->analysis->run_pointer(), analysed_);
        screen_->show();
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
    }
    void cleanup() { screen_.reset(); }

    /// Decoding takes most of the time.
    void aKindOfStepsIsMadeOfItsWork() {
        QCOMPARE(screen_->message(), QString());
        QCOMPARE(screen_->kinds().model()->rowCount(), 2);
        QVERIFY2(screen_->workTitle().contains(u"decode"_s) &&
                     screen_->workTitle().contains(u"5 times the same 2 kernels, 100 µs each"_s),
                 qPrintable(screen_->workTitle()));
        const QTableView& work = screen_->work();
        QCOMPARE(cell(work, 0, 0), u"attention"_s);
        QCOMPARE(cell(work, 0, 1), u"300"_s);
        QCOMPARE(cell(work, 0, 3), u"5"_s);
        QCOMPARE(cell(work, 0, 4), u"60"_s); // of a layer
        QCOMPARE(cell(work, 1, 0), u"gemm"_s);
        QCOMPARE(cell(work, 1, 1), u"200"_s);
    }

    void aClickOnAKindShowsItsWork() {
        QTableView& kinds = screen_->kinds();
        const int prefill = cell(kinds, 0, 0) == u"prefill"_s ? 0 : 1;
        QCOMPARE(cell(kinds, prefill, 0), u"prefill"_s);
        QTest::mouseClick(kinds.viewport(), Qt::LeftButton, {},
                          kinds.visualRect(kinds.model()->index(prefill, 0)).center());
        QCOMPARE(cell(screen_->work(), 0, 0), u"gemm"_s);
        QCOMPARE(cell(screen_->work(), 0, 1), u"700"_s);
        QCOMPARE(screen_->work().model()->columnCount(), 4); // nothing repeats
    }

    /// A line a kind through the medians that by_batch of the metric has: here a prompt of 512 tokens, and three decode
    /// steps of 8 requests. The choice stays for the next run.
    void stepsAreDrawnOverTheirBatch() {
        ServingPlot& plot = screen_->plot();
        QCOMPARE(plot.order().currentText(), u"Over time"_s);
        QCOMPARE(plot.plot().graphCount(), 2);
        plot.order().setFocus();
        QTest::keyClick(&plot.order(), Qt::Key_Down);
        QCOMPARE(plot.order().currentText(), u"Over batch size"_s);
        QVERIFY(!plot.order().accessibleName().isEmpty());
        const Json by_batch = find_metric("serving_throughput")->compute(*analysed_->analysis).details["by_batch"];
        QCOMPARE(plot.medians().size(), std::size_t{2});
        for (const ServingMedian& median : plot.medians()) {
            const bool prefill = median.phase == EnginePhase::prefill;
            QCOMPARE(median.size, std::int64_t{prefill ? 512 : 8});
            const Json& of_gates = by_batch[prefill ? "prefill" : "decode"][prefill ? "512" : "8"];
            if (prefill) // the first step: what passed before its own work is not recorded, so that no gate holds it
                QVERIFY(!of_gates.contains("median_ms"));
            else
                QCOMPARE(median.time_ms, of_gates["median_ms"].get<double>());
        }
        // Steps and line of each kind; prompts by the axis of tokens.
        QCOMPARE(plot.plot().graphCount(), 4);
        QCOMPARE(plot.plot().graph(1)->lineStyle(), QCPGraph::lsLine);
        QCOMPARE(plot.plot().graph(1)->keyAxis(), plot.plot().xAxis2);
        QCOMPARE(plot.plot().graph(1)->dataMainKey(0), 512.0);
        QCOMPARE(plot.plot().graph(3)->keyAxis(), plot.plot().xAxis);
        QCOMPARE(plot.plot().graph(3)->dataMainKey(0), 8.0);
        QCOMPARE(plot.plot().graph(2)->dataCount(), 3);
        QVERIFY(plot.plot().xAxis->label().contains(u"requests"_s) &&
                plot.plot().xAxis2->label().contains(u"tokens"_s));
        QVERIFY(plot.plot().xAxis->visible() && plot.plot().xAxis2->visible());
        QSignalSpy marked(&plot, &ServingPlot::stepMarked);
        plot.plot().replot();
        QTest::mouseClick(&plot.plot(), Qt::LeftButton, {},
                          plot.plot().mapFrom(&plot, plot.positionOf(plot.points()[0])));
        QCOMPARE(marked.count(), 1);
        const auto next = engine();
        screen_->takeRun(next->analysis->run_pointer(), next);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(plot.order().currentText(), u"Over batch size"_s);
        QCOMPARE(plot.plot().graphCount(), 4);
    }

    void enterShowsAStepInTheTimeline() {
        QSignalSpy asked(screen_.get(), &AnalysisScreen::evidenceAsked);
        QTableView& steps = screen_->steps();
        steps.setFocus();
        steps.setCurrentIndex(steps.model()->index(0, 0));
        QTest::keyClick(&steps, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
    }

private:
    std::shared_ptr<AnalysedRun> analysed_;
    std::unique_ptr<ServingScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestServingScreen)

} // namespace rankscope::serving_screen_test

#include "test_serving_screen.moc"
