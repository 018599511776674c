// SPDX-License-Identifier: GPL-3.0-or-later
// The overview shows what RunAnalysis and the metrics say, and nothing else.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

#include "core/base/words.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/charts/stacked_rows.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/panels/efficiency_view.h"
#include "widgets/panels/elided_label.h"
#include "widgets/panels/evidence_place.h"
#include "widgets/panels/findings_table.h"
#include "widgets/panels/metric_tree.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/rank_table_model.h"
#include "widgets/panels/step_panel.h"
#include "widgets/panels/tile.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"

namespace rankscope::overview_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Rank 0: compute 0-40, all-reduce 30-90, copy 90-95, idle 95-99, compute 99-100 us. Rank 1: compute 0-80, all-reduce
/// 80-90.
std::shared_ptr<const AnalysedRun> twoRanks() {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 64;
    call.group = {"0", "default_pg", {0, 1}, 2};
    auto rank0 = TraceBuilder(0)
                     .world_size(2)
                     .step(1, 0, 100)
                     .kernel("gemm", 7, 0, 40)
                     .collective("ncclDevKernel_AllReduce", 20, 30, 60, call)
                     .memory_copy("Memcpy DtoH", 7, 90, 5)
                     .kernel("gemm", 7, 99, 1);
    auto rank1 = TraceBuilder(1)
                     .world_size(2)
                     .step(1, 0, 90)
                     .kernel("gemm", 7, 0, 80)
                     .collective("ncclDevKernel_AllReduce", 20, 80, 10, call);
    auto run = std::make_shared<AnalysedRun>();
    run->role = "run";
    run->analysis = std::make_shared<RunAnalysis>(make_run({rank0, rank1}), Selection{});
    run->metrics = compute_metrics(*run->analysis);
    return run;
}

QString cell(const RankTableModel& model, int row, int column) { return model.index(row, column).data().toString(); }

} // namespace

class TestOverview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partsOfARankAreItsGpuTimeline() {
        const auto run = twoRanks();
        const RankShare share = rankShare(run->analysis->ranks()[0]);
        QCOMPARE(share.part(RankPart::compute), TimeNs{31'000});       // 0-30 and 99-100
        QCOMPARE(share.part(RankPart::overlap), TimeNs{10'000});       // 30-40
        QCOMPARE(share.part(RankPart::communication), TimeNs{50'000}); // 40-90
        QCOMPARE(share.part(RankPart::memoryCopy), TimeNs{5'000});
        QCOMPARE(share.part(RankPart::idle), TimeNs{4'000});
        QCOMPARE(share.total, TimeNs{100'000});
    }

    void tableShowsTheSameNumbers() {
        RankTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAnalysis(twoRanks()->analysis);
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.unit() == TimeUnit::microseconds);
        QCOMPARE(cell(model, 0, RankTableModel::iterationColumn), u"100.0"_s);
        QCOMPARE(cell(model, 0, RankTableModel::firstPartColumn), u"31.0"_s);
        QCOMPARE(cell(model, 1, RankTableModel::firstPartColumn), u"80.0"_s);
        QCOMPARE(cell(model, 0, RankTableModel::kernelsColumn), u"3"_s); // a copy is no kernel
        QCOMPARE(cell(model, 0, RankTableModel::communicationKernelsColumn), u"1"_s);
        model.setPercent(true);
        QCOMPARE(cell(model, 1, RankTableModel::firstPartColumn), u"88.89"_s); // 80 of 90
        model.setAnalysis(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void numbersHaveUnitsThatFitAndNoMoreDigitsThanTheyAreWorth() {
        QCOMPARE(timeText(0), u"0 µs"_s);
        QCOMPARE(timeText(53), u"53 ns"_s);
        QCOMPARE(timeText(18'940), u"18.9 µs"_s);
        for (const TimeNs time : {TimeNs{999'500}, TimeNs{63'618'000}, TimeNs{293'512'000}, TimeNs{2'214'000'000}})
            QCOMPARE(timeText(time), QString::fromStdString(time_words(static_cast<double>(time)))); // as findings do
        QCOMPARE(withSpread(19.02, 0.236), u"19.0 ± 0.2"_s);
        QCOMPARE(withSpread(90.0, 0.01), u"90.0 ± 0.01"_s);
        QCOMPARE(withSpread(84.1, 0.0483), u"84.1 ± 0.05"_s);
        QCOMPARE(withSpread(90.0, 0), u"90.0 ± 0.0"_s);
        QCOMPARE(shortNumber(3214.4), u"3214"_s);
        QCOMPARE(shortNumber(691'187), QString(groupedNumber(691'200)));
        QCOMPARE(withSpread(194'941, 183), QString(groupedNumber(194'900) + u" ± "_s + groupedNumber(200)));
        QCOMPARE(signedPercentText(-0.04), u"0.0 %"_s);
        QCOMPARE(signedPercentText(13.3), u"+13.3 %"_s);
        QCOMPARE(signedPercentText(41'204.8), u"413 ×"_s);
    }

    void tablesHaveAtMostFourSignificantDigits() {
        QCOMPARE(timeNumber(575'998'000, TimeUnit::milliseconds), u"576.0"_s);
        QCOMPARE(timeNumber(1'370'389'000, TimeUnit::milliseconds), u"1370"_s);
        QCOMPARE(timeNumber(494'321, TimeUnit::milliseconds), u"0.494"_s);
        QCOMPARE(timeNumber(9'999'600, TimeUnit::milliseconds), u"10.00"_s); // rounding adds a digit
        QCOMPARE(timeNumber(-66'947'300, TimeUnit::milliseconds), u"-66.95"_s);
        QCOMPARE(wholeTimeNumber(1'370'389'000, TimeUnit::milliseconds), u"1370.389"_s);
        QCOMPARE(timeNumber(10'871'300, TimeUnit::microseconds), groupedNumber(10'870));
        QCOMPARE(timeUnitForEach({4'000, 3'000, 679'800'000}), TimeUnit::microseconds); // one long collective
        QCOMPARE(timeUnitForEach({2'000'000, 3'000, 679'800'000}), TimeUnit::milliseconds);
        // The same in files as before: a table shows fewer digits than it copies.
        RankTableModel model;
        auto run = make_run({TraceBuilder(0).kernel("a", 7, 0, 123'456)});
        model.setAnalysis(std::make_shared<RunAnalysis>(run, Selection{}));
        const QModelIndex total = model.index(0, RankTableModel::totalColumn);
        QCOMPARE(total.data().toString(), u"123.5"_s);
        QCOMPARE(total.data(kWholeTextRole).toString(), u"123.456"_s);
    }

    void whatCouldNotBeJudgedIsSaidOnce() {
        Findings findings;
        findings.judged.not_judged = {std::string("There is one rank: nothing to compare it with."),
                                      std::string("Nobody tells how fast the link could be.")};
        QCOMPARE(notJudgedText(findings, u"There is one rank: nothing to compare it with."_s),
                 u"Nobody tells how fast the link could be."_s);
    }

    /// It had three lines and eight numbers, a smaller cost first.
    void theHeadlineIsTheLargestCostInOneLine() {
        const auto run = make_run({TraceBuilder(0).kernel("a", 7, 0, 1), TraceBuilder(1).kernel("a", 7, 0, 1)});
        Findings findings;
        findings.step_time = 50e6;
        findings.list.resize(1);
        findings.head = 0;
        Finding& finding = findings.list.front();
        finding.code = FindingCode::exposed_copies;
        finding.inherent = true;
        finding.cost = finding.cost_of_affected = 10e6;
        finding.cost_words = "10.00 ms of a 50.00 ms step"_text();
        findings.headline =
            "Rank 0 comes last. Exposed copies. Cost: 10.00 ms of a 50.00 ms step. Not judged: links."_text();
        findings.beside_head = "Rank 0 comes last. Not judged: links."_text();
        const auto line = [&] { return headlineText(*run, findings); };
        QCOMPARE(line(), u"Exposed copies: cost 10.00 ms a step (20 %)."_s);
        QCOMPARE(besideHeadline(findings), u"Rank 0 comes last. Not judged: links."_s);
        finding.at_most = true;
        finding.once_mended = true;
        QCOMPARE(line(), u"Exposed copies: cost ≤ 10.00 ms a step (20 %) once the others are dealt with."_s);
        finding.at_most = finding.once_mended = false;
        finding.ranks = {1};
        QCOMPARE(line(), u"Rank 1: 10.00 ms a step (20 %); exposed copies."_s);
        finding.iterations = {4};
        finding.cost = 2e6;
        finding.when = " in step 4"_text();
        QCOMPARE(line(), u"Rank 1: 10.00 ms in step 4 (20 %); exposed copies."_s);
        finding.iterations = {4, 5};
        finding.when = " from step 4 on"_text();
        QCOMPARE(line(), u"Rank 1: 10.00 ms a step from step 4 on (20 %); exposed copies."_s);
        finding.cost = finding.cost_of_affected = 0;
        finding.iterations.clear();
        finding.cost_words = Message();
        QCOMPARE(line(), u"Rank 1: exposed copies."_s);
        findings.head.reset();
        QCOMPARE(line(), u"Rank 0 comes last."_s);
        QCOMPARE(besideHeadline(findings), u"Exposed copies. Cost: 10.00 ms of a 50.00 ms step. Not judged: links."_s);
    }

    void theHeadlineIsTheFindingsSummary() {
        CollectiveCall call;
        call.collective = "allreduce";
        call.in_elements = 64;
        call.group = {"0", "default_pg", {0, 1}, 2};
        const auto rank = [&](int number, double work) {
            TraceBuilder trace(number);
            trace.world_size(2);
            for (int step = 0; step < 6; ++step) { // of two ranks one is always last: once is chance
                const double start = 90.0 * step;
                trace.step(step + 1, start, 10)
                    .launch(start, 1)
                    .kernel("gemm", 7, start + 2, work - 2)
                    .launch(start + 1, 1)
                    .collective("ncclDevKernel_AllReduce", 20, start + work, 90 - work, call);
            }
            return trace;
        };
        auto run = std::make_shared<AnalysedRun>();
        // Rank 0 is in the call for 60 us, rank 1 for 10 us: rank 0 waits 50 us of the 90 us that the step takes.
        // Nothing follows the call.
        run->analysis = std::make_shared<RunAnalysis>(make_run({rank(0, 30), rank(1, 80)}), Selection{});
        Overview overview;
        overview.setRun(run);
        const Findings& findings = run->analysis->findings();
        QCOMPARE(overview.headline(), headlineText(run->analysis->run(), findings));
        const auto labels = overview.findChildren<QLabel*>();
        const auto facts = std::ranges::find(labels, u"What was counted"_s, &QWidget::accessibleName);
        QVERIFY(facts != labels.end());
        const QString beside = besideHeadline(findings);
        QVERIFY2((*facts)->text().startsWith(beside), qPrintable((*facts)->text()));
        const Finding* finding = findingOfHeadline(*run->analysis);
        QVERIFY(finding != nullptr);
        QCOMPARE(finding, &run->analysis->findings().list.front());
        const auto notes = rankNotes(*run->analysis);
        QVERIFY(notes.at(1).strong);
        QVERIFY2(notes.at(1).text.startsWith(u"the others wait 50 µs a step for it"_s), qPrintable(notes.at(1).text));
        QVERIFY(notes.at(0).text.contains(u"waits most"_s));
    }

    /// Rank 0 computes 31 and copies 5 us outside of its call, waits 40 us for rank 1 (40 to 80; before, it computes
    /// beside it) and communicates 10; rank 1 computes 80 and communicates 10.
    void aStepIsOneBarWhosePartsAddUp() {
        const auto summary = summarise_steps(*twoRanks()->analysis);
        QVERIFY(summary.has_value());
        QCOMPARE(summary->steps.size(), std::size_t{1});
        QCOMPARE(summary->fill[StepShare::exposed_communication], 10'000.0);
        QCOMPARE(summary->fill[StepShare::waiting], 20'000.0); // 40 and 0 us
        QCOMPARE(summary->fill[StepShare::copies], 2'500.0);
        QCOMPARE(std::reduce(summary->fill.part_ns.begin(), summary->fill.part_ns.end()), summary->fill.step_ns);
        QVERIFY(stepSentence(*summary).startsWith(u"A step takes "_s));
        QVERIFY(stepSentence(*summary).endsWith(u"one is recorded."_s));

        StepPanel panel;
        panel.setSummary(summary);
        panel.resize(1000, panel.sizeHint().height());
        QSignalSpy chosen(&panel, &StepPanel::shareChosen);
        QTest::mouseClick(&panel, Qt::LeftButton, {}, panel.shareRect(StepShare::waiting).center());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<StepShare>(), StepShare::waiting);
        panel.setSummary({});
        QVERIFY(panel.isHidden());
    }

    void stepsThatDifferSayBetweenWhat() {
        StepSummary summary;
        summary.unit = StepAccount::Unit::profiler_steps;
        summary.fill.step_ns = 10e6;
        summary.fill[StepShare::computation] = 10e6;
        for (const double time : {9e6, 9e6, 12e6})
            summary.steps.push_back({summary.steps.size() + 1, time, {TimeNs{0}, TimeNs{1'000}}});
        QCOMPARE(stepSentence(summary), u"A step takes 10.00 ms; the 3 take 9.00 ms to 12.00 ms."_s);
        StepPanel panel;
        panel.setSummary(summary);
        panel.resize(1000, panel.sizeHint().height());
        QSignalSpy chosen(&panel, &StepPanel::stepChosen);
        QTest::mouseClick(&panel, Qt::LeftButton, {}, panel.plotRect().center());
        QCOMPARE(chosen.size(), 1);
        for (StepPoint& step : summary.steps)
            step.mean = 10e6;
        QCOMPARE(stepSentence(summary), u"A step takes 10.00 ms; all 3 take as long, within 0.0 %."_s);
        summary.unit = StepAccount::Unit::window;
        QCOMPARE(stepSentence(summary),
                 u"No steps are known: from its first to its last GPU work a rank takes 10.00 ms."_s);
        summary.served = true;
        QVERIFY(stepSentence(summary).contains(u"Serving screen"_s));
    }

    void anIterationOnTheHostIsNotTakenForAStepOnTheGpu() {
        AnalysedRun run;
        run.analysis = std::make_shared<RunAnalysis>(make_run({TraceBuilder(0)
                                                                   .launch(0, 1)
                                                                   .kernel("gemm", 7, 5, 45) // of the step before
                                                                   .step(1, 20, 80)
                                                                   .launch(25, 1)
                                                                   .kernel("gemm", 7, 60, 30)}),
                                                     Selection{});
        run.metrics = compute_metrics(*run.analysis);
        const TileContent tile = headlineTiles(run).front();
        QCOMPARE(tile.value, u"50.0"_s);
        QCOMPARE(tile.note, u"one step; 80.0 µs on the host"_s);
        QVERIFY(stepSentence(*summarise_steps(*run.analysis)).contains(u"50.0 µs"_s));
    }

    void tilesComeFromTheMetricsAndSayWhyANumberIsMissing() {
        const auto tiles = headlineTiles(*twoRanks());
        QCOMPARE(tiles[0].label, u"Step time"_s);
        QCOMPARE(tiles[0].value, u"95.0"_s); // mean of 100 and 90 us
        QCOMPARE(tiles[0].unit, u"µs"_s);
        QCOMPARE(tiles[1].label, u"Overlap"_s); // 10 of 60 us, and 0 of 10
        QCOMPARE(tiles[1].unit, u"%"_s);
        QCOMPARE(tiles[0].note, u"one step"_s); // as long on the GPU

        AnalysedRun bare;
        bare.analysis =
            std::make_shared<RunAnalysis>(make_run({TraceBuilder(0).cpu_op("aten::add", 0, 1)}), Selection{});
        bare.metrics = compute_metrics(*bare.analysis);
        for (const TileContent& tile : headlineTiles(bare)) {
            QVERIFY2(tile.value.isEmpty(), qPrintable(tile.label));
            QVERIFY2(!tile.note.isEmpty(), qPrintable(tile.label));
        }
        Overview overview;
        overview.setRun(std::make_shared<AnalysedRun>(bare));
        QVERIFY2(overview.headline().startsWith(u"No GPU work is recorded"_s), qPrintable(overview.headline()));
    }

    /// A dump of a hang: a plot from 0 to 10^-10 us and changes that cannot be replayed were offered.
    void withoutGpuWorkThereAreNoBarsAndNoWhatIf() {
        Overview overview;
        overview.resize(1000, 800);
        overview.show();
        overview.setRun(twoRanks());
        QVERIFY(overview.chart().isVisible() && !overview.whatIf().isHidden());
        auto bare = std::make_shared<AnalysedRun>();
        bare->analysis = std::make_shared<RunAnalysis>(
            make_run({TraceBuilder(0).step(1, 0, 100), TraceBuilder(1).step(1, 0, 100)}), Selection{});
        bare->metrics = compute_metrics(*bare->analysis);
        overview.setRun(bare);
        QVERIFY(overview.chart().isHidden() && overview.whatIf().isHidden() && overview.table().isHidden());
        overview.setRun(twoRanks());
        QVERIFY(overview.chart().isVisible() && !overview.whatIf().isHidden());
    }

    /// They used to be the last, below the table of all metrics, and the page itself took a key that showed nothing.
    void tabGoesFromTheTilesToTheBars() {
        Overview overview;
        overview.resize(1000, 800);
        overview.setRun(twoRanks());
        overview.show();
        overview.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&overview));
        const std::vector<Tile*>& tiles = overview.tiles().tiles();
        const auto first =
            std::ranges::find_if(tiles, [](const Tile* tile) { return tile->focusPolicy() == Qt::StrongFocus; });
        QVERIFY(first != tiles.end());
        (*first)->setFocus();
        QWidget* at = *first;
        int stops = 0;
        while (at != &overview.bars() && ++stops < 20) {
            QTest::keyClick(at, Qt::Key_Tab);
            at = QApplication::focusWidget();
            QVERIFY(at != &overview.table() && at != &overview.metrics());
            QVERIFY(qobject_cast<QScrollArea*>(at) == nullptr);
        }
        QCOMPARE(at, static_cast<QWidget*>(&overview.bars()));
    }

    void theNoteBesideABarIsWholeInItsTooltip() {
        Overview overview;
        overview.setRun(twoRanks());
        overview.bars().setShares({{0, {}, 100}, {1, {}, 100}},
                                  {{1, {u"computes 1.25× as long as its peers"_s, true}}});
        QVERIFY2(overview.bars().describe(1).endsWith(u"computes 1.25× as long as its peers"_s),
                 qPrintable(overview.bars().describe(1)));
    }

    /// In a narrow window the plot of the steps covered the end of the sentence.
    void theSentenceOfTheStepComesBeforeThePlot() {
        StepSummary summary;
        summary.unit = StepAccount::Unit::profiler_steps;
        summary.fill.step_ns = 10e6;
        summary.fill[StepShare::computation] = 10e6;
        for (const double time : {9e6, 9e6, 12e6})
            summary.steps.push_back({summary.steps.size() + 1, time, {TimeNs{0}, TimeNs{1'000}}});
        StepPanel panel;
        panel.setSummary(summary);
        panel.resize(1400, 100);
        QVERIFY(panel.plotRect().width() >= 240);
        for (int width = 1400; width > 200; width -= 100) {
            panel.resize(width, 100);
            QVERIFY(panel.plotRect().isNull() || panel.plotRect().left() >= panel.sentenceRect().right());
        }
    }

    void aCutSummaryLosesWholeParts() {
        ElidedLabel label;
        label.setText(u"8 of 8 ranks · kineto · 7 704 of 12 248 events"_s);
        label.setSeparator(u" · "_s);
        const auto width = [&](const QString& text) { return label.fontMetrics().horizontalAdvance(text); };
        QCOMPARE(label.shownText(width(label.text())), label.text());
        QCOMPARE(label.shownText(width(label.text()) - 1), u"8 of 8 ranks · kineto · …"_s);
        QCOMPARE(label.shownText(width(u"8 of 8 ranks · …"_s)), u"8 of 8 ranks · …"_s);
    }

    /// "inherent" kept the grey of the theme before.
    void noRowHasAColourThatDoesNotFollowTheTheme() {
        Overview overview;
        overview.setRun(twoRanks());
        int rows = 0;
        const std::function<void(const QAbstractItemModel&, const QModelIndex&)> check =
            [&](const QAbstractItemModel& model, const QModelIndex& parent) {
                for (int row = 0; row < model.rowCount(parent); ++row, ++rows) {
                    for (int column = 0; column < model.columnCount(parent); ++column)
                        QVERIFY(!model.index(row, column, parent).data(Qt::ForegroundRole).isValid());
                    check(model, model.index(row, 0, parent));
                }
            };
        check(*overview.findings().model(), {});
        check(*overview.metrics().model(), {});
        QVERIFY(rows > 10);
    }

    void numbersOfCoreHaveAMinusSign() {
        const Message change = "Computation %1 (%2)"_text("-0.788 ms", "25.93 ms -> 25.14 ms");
        QCOMPARE(messageText(change), u"Computation −0.788 ms (25.93 ms → 25.14 ms)"_s);
        QCOMPARE(messageText("%1 is slow"_text("gemm-128 -1")), u"gemm-128 -1 is slow"_s);
        const SourceLanguage ofFiles;
        QVERIFY(messageText(change).contains(u"-0.788 ms"_s));
    }

    void theWheelOverTheBarsScrollsThePage() {
        Overview overview;
        overview.setRun(twoRanks());
        overview.resize(900, 300);
        overview.show();
        QVERIFY(QTest::qWaitForWindowExposed(&overview));
        auto* const area = overview.findChild<QScrollArea*>();
        auto* const plot = overview.bars().findChild<QCustomPlot*>();
        area->ensureWidgetVisible(&overview.bars());
        const int before = area->verticalScrollBar()->value();
        QVERIFY(before > 0);
        const QPointF at = plot->rect().center();
        QWheelEvent up(at, plot->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plot, &up);
        QVERIFY(area->verticalScrollBar()->value() < before);
    }

    void rowsAndBarsAreOneSelectionAndActivateTheTimeline() {
        Overview overview;
        overview.setRun(twoRanks());
        overview.resize(1000, 800);
        overview.show();
        overview.bars().setCurrentRank(1);
        QCOMPARE(overview.table().currentIndex().data(RankTableModel::kRankRole).toInt(), 1);
        overview.table().setCurrentIndex(overview.table().model()->index(0, 0));
        QCOMPARE(overview.bars().currentRank(), std::optional(0));
        QSignalSpy activated(&overview, &Overview::rankActivated);
        QTest::keyClick(&overview.table(), Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toInt(), 0);
    }

    void everyMetricOfTheCatalogueHasAPlaceOrNone() {
        const QStringList places{u"kernels"_s, u"collectives"_s, u"pipeline"_s, u"memory"_s, u"workers"_s,
                                 u"serving"_s, u"stretch"_s,     u"idle"_s,     u"factors"_s};
        int with = 0;
        for (const MetricPointer& metric : all_metrics({}))
            if (const QString place = placeOfMetric(metric->id); !place.isEmpty()) {
                QVERIFY2(places.contains(place), qPrintable(place));
                ++with;
            }
        QVERIFY(with > 20);
        QCOMPARE(placeOfMetric("of_the_user"), QString());
    }

    void tilesLeadToTheirEvidenceByClickAndByEnter() {
        Overview overview;
        overview.setRun(twoRanks());
        overview.resize(1000, 800);
        overview.show();
        QSignalSpy stretches(&overview, &Overview::findingActivated);
        const auto tile = [&](const QString& metric) {
            const auto& tiles = overview.tiles().tiles();
            return *std::ranges::find(tiles, metric, [](const Tile* each) { return each->content().metric; });
        };
        QCOMPARE(tile(u"straggler_lag"_s)->focusPolicy(), Qt::StrongFocus);
        QTest::keyClick(tile(u"straggler_lag"_s), Qt::Key_Return);
        QCOMPARE(stretches.takeFirst()[0].toInt(), 1); // the late rank
        QTest::mouseClick(tile(u"step_time"_s), Qt::LeftButton);
        QCOMPARE(stretches.size(), 1);
        QCOMPARE(stretches[0][0].toInt(), 0); // the longest iteration is of rank 0
        QCOMPARE(stretches[0][2].value<TimeRange>().length(), TimeNs{100'000});
    }

    void aTileWithoutANumberIsText() {
        Tile tile;
        tile.setContent({u"Idle"_s, {}, {}, u"no GPU work in the trace"_s, {}, false, u"idle"_s});
        QSignalSpy followed(&tile, &Tile::followed);
        QTest::mouseClick(&tile, Qt::LeftButton);
        QVERIFY(followed.isEmpty());
        QCOMPARE(tile.focusPolicy(), Qt::NoFocus);
    }

    void metricsAndFactorsAreLinks() {
        Overview overview;
        overview.setRun(twoRanks());
        overview.resize(1000, 800);
        overview.show();
        QSignalSpy screens(&overview, &Overview::screenChosen);
        QSignalSpy ranks(&overview, &Overview::rankActivated);
        const auto rowOf = [](const QTreeView& tree, const QString& name) {
            return tree.model()
                ->match(tree.model()->index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchExactly | Qt::MatchRecursive)
                .value(0);
        };
        const MetricTree& metrics = overview.metrics();
        const QModelIndex calls = rowOf(metrics, u"Collective calls"_s);
        QVERIFY(calls.isValid());
        QTest::mouseClick(metrics.viewport(), Qt::LeftButton, {}, metrics.visualRect(calls).center());
        QCOMPARE(screens.takeFirst()[0].toString(), u"collectives"_s);
        // What has no value has no evidence.
        const QModelIndex missing = rowOf(metrics, u"Throughput"_s);
        QTest::mouseClick(metrics.viewport(), Qt::LeftButton, {}, metrics.visualRect(missing).center());
        QVERIFY(screens.isEmpty());
        const EfficiencyView& factors = overview.efficiency();
        QVERIFY(!factors.isHidden());
        const QModelIndex balance = rowOf(factors, u"Load balance"_s);
        QTest::mouseClick(factors.viewport(), Qt::LeftButton, {}, factors.visualRect(balance).center());
        QCOMPARE(ranks.takeFirst()[0].toInt(), 1); // it computes most
    }

    void thePartsOfAStepAreReachedByKeys() {
        StepSummary summary;
        summary.unit = StepAccount::Unit::profiler_steps;
        summary.fill.step_ns = 10e6;
        summary.fill[StepShare::computation] = 8e6;
        summary.fill[StepShare::exposed_communication] = 2e6;
        for (const double time : {9e6, 12e6, 9e6})
            summary.steps.push_back({summary.steps.size() + 1, time, {TimeNs{0}, static_cast<TimeNs>(time)}});
        StepPanel panel;
        panel.setSummary(summary);
        panel.resize(1000, panel.sizeHint().height());
        panel.show();
        QSignalSpy steps(&panel, &StepPanel::stepChosen);
        QSignalSpy shares(&panel, &StepPanel::shareChosen);
        QTest::keyClick(&panel, Qt::Key_Return); // the sentence: the longest step
        QCOMPARE(steps.takeFirst()[0].value<TimeRange>().end, TimeNs{12'000'000});
        QTest::keyClick(&panel, Qt::Key_Right);
        QTest::keyClick(&panel, Qt::Key_Right);
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(shares.takeFirst()[0].value<StepShare>(), StepShare::exposed_communication);
        QTest::keyClick(&panel, Qt::Key_Right);
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(steps.takeFirst()[0].value<TimeRange>().end, TimeNs{9'000'000}); // the first of the plot
        QTest::keyClick(&panel, Qt::Key_Left);
        QTest::keyClick(&panel, Qt::Key_Return);
        QCOMPARE(shares.size(), 1);
    }

    void columnsOfZerosAreHiddenWhereTheyAreNoise() {
        const auto column = [](RankPart part) { return RankTableModel::firstPartColumn + static_cast<int>(part); };
        Overview overview;
        overview.setRun(twoRanks());
        for (int of = 0; of < RankTableModel::columnEnd; ++of)
            QVERIFY(!overview.table().isColumnHidden(of));
        auto alone = std::make_shared<AnalysedRun>();
        alone->analysis =
            std::make_shared<RunAnalysis>(make_run({TraceBuilder(0).kernel("gemm", 7, 0, 40)}), Selection{});
        alone->metrics = compute_metrics(*alone->analysis);
        overview.setRun(alone);
        for (const RankPart part : {RankPart::overlap, RankPart::communication, RankPart::memoryCopy})
            QVERIFY(overview.table().isColumnHidden(column(part)));
        QVERIFY(overview.table().isColumnHidden(RankTableModel::communicationKernelsColumn));
        QVERIFY(!overview.table().isColumnHidden(column(RankPart::idle))); // no idle time is an answer
    }

    void tableIsCopiedAsTabSeparatedText() {
        Overview overview;
        overview.setRun(twoRanks());
        overview.copyTable();
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 4); // header, two ranks, the end
        QVERIFY(lines[0].startsWith(u"Rank\tDevice\tHost step (µs)\tGPU time (µs)\t"_s));
        QCOMPARE(lines[2], u"1\tGPU 0\t90.0\t90.0\t80.0\t0.0\t10.0\t0.0\t0.0\t2\t1"_s);
        overview.table().selectRow(1);
        overview.copyTable();
        QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 2);
    }

    void realRunsBarsAddUpToTheGpuTime() {
        const QString folder = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/dlrm_v100_8rank");
        if (!QFile::exists(folder))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(folder.toStdString());
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const auto shares = rankShares(analysis);
        QCOMPARE(shares.size(), std::size_t{8});
        for (std::size_t i = 0; i < shares.size(); ++i) {
            TimeNs sum = 0;
            for (const RankPart part : kRankParts)
                sum += shares[i].part(part);
            QCOMPARE(sum, analysis.ranks()[i].timeline.total);
            QCOMPARE(shares[i].part(RankPart::compute) + shares[i].part(RankPart::overlap),
                     analysis.ranks()[i].timeline.computation);
        }
    }
};

RANKSCOPE_GUI_TEST(TestOverview)

} // namespace rankscope::overview_test

#include "test_overview.moc"
