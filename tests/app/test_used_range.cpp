// SPDX-License-Identifier: GPL-3.0-or-later
// "Use in all screens": what is said of a range has its evidence in the range.
#include <algorithm>
#include <memory>

#include <QFile>
#include <QFileInfo>
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/export_controller.h"
#include "app/window/export_dialog.h"
#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "core/report/html_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/tile.h"
#include "widgets/time_text.h"

namespace rankscope::used_range_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

/// Three ranks. At the first call rank 1 arrives last, 40 us late; at the second rank 2, at 300 us, 200 us late.
std::shared_ptr<const Run> threeRanks() {
    const auto rank = [](int number, double first, double second) {
        return TraceBuilder(number)
            .step(1, 0, 1000)
            .kernel("ncclDevKernel_AllReduce_Sum", 20, first, 60 - first)
            .kernel("ncclDevKernel_AllReduce_Sum", 20, second, 310 - second);
    };
    return make_run({rank(0, 10, 100), rank(1, 50, 120), rank(2, 12, 300)});
}

StragglerAnalysis stragglersOf(std::optional<TimeRange> range) {
    Selection selection;
    selection.time = range;
    return RunAnalysis(threeRanks(), selection).stragglers();
}

} // namespace

class TestUsedRange : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path()); }

    void aCallThatTheRangeCutsIsNoEvidence() {
        const StragglerAnalysis whole = stragglersOf({});
        QCOMPARE(whole.calls.size(), std::size_t{2});
        QCOMPARE(whole.ranks[2].times_last, 1);
        // Rank 2 comes after the end: of those that are seen rank 1 is the last, and nobody waits for it.
        const StragglerAnalysis cut = stragglersOf(TimeRange{0, 200'000});
        QCOMPARE(cut.calls.size(), std::size_t{1});
        QCOMPARE(cut.calls[0].lag, 40'000);
        QCOMPARE(cut.ranks[1].times_last, 1);
        QCOMPARE(cut.ranks[1].calls, 1);
        // Cut at its start as well.
        QCOMPARE(stragglersOf(TimeRange{110'000, 400'000}).calls.size(), std::size_t{0});
        QCOMPARE(stragglersOf(TimeRange{90'000, 400'000}).calls.size(), std::size_t{1});
    }

    /// Rank 7 arrives last at the only long all-to-all, 0.11 ms after this range; it used to be rank 6.
    void onARealTraceNoRankIsNamedForACallThatGoesOn() {
        const QString path = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/dlrm_v100_8rank");
        if (!QFileInfo::exists(path))
            QSKIP("skipped: the shared traces are not there");
        const auto window = openedWindow(path);
        QVERIFY(window);
        ViewState& view = window->viewState();
        const TimeNs origin = view.run()->span.begin;
        const TimeRange range{origin + 4'060'000, origin + 10'760'000};
        view.setRange(range);
        view.useRange();
        QTRY_VERIFY_WITH_TIMEOUT(window->shownAnalysis() != nullptr, kPatience);
        const RunAnalysis& analysis = *window->shownAnalysis()->analysis;
        QVERIFY(analysis.selection().time.has_value());
        for (const CallLag& lag : analysis.stragglers().calls)
            for (const auto& member : analysis.collectives().matched[lag.call].members) {
                const TimeRange own = analysis.collectives().call(member).range;
                QVERIFY(own.begin >= range.begin && own.end <= range.end);
            }
        QVERIFY2(!window->overview().headline().contains(u"Rank 6 "_s), qPrintable(window->overview().headline()));
        // No tile shows an iteration that is longer than the range.
        for (const TileContent& tile : headlineTiles(*window->shownAnalysis()))
            if (tile.label == QString::fromStdString(find_metric("step_time")->title) && !tile.value.isEmpty())
                QVERIFY2(tile.unit == u"µs"_s || (tile.unit == u"ms"_s && tile.value.toDouble() <= 6.7),
                         qPrintable(tile.value + tile.unit));
    }

    void anIterationThatIsLongerThanTheRangeIsNotShown() {
        AnalysedRun run;
        Selection selection;
        selection.time = TimeRange{0, 200'000};
        run.analysis = std::make_shared<RunAnalysis>(threeRanks(), selection);
        run.metrics = compute_metrics(*run.analysis);
        const TileContent tile = headlineTiles(run).front();
        QCOMPARE(tile.value, QString());
        QVERIFY2(tile.note.contains(u"no whole step"_s), qPrintable(tile.note));
        selection.time = TimeRange{0, 2'000'000};
        run.analysis = std::make_shared<RunAnalysis>(threeRanks(), selection);
        run.metrics = compute_metrics(*run.analysis);
        QVERIFY(!headlineTiles(run).front().value.isEmpty());
    }

    /// It used to be of the whole run, and did not say so.
    void theSavedReportIsOfTheRange_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("web page") << u"report.html"_s;
        QTest::newRow("Markdown") << u"report.md"_s;
    }
    void theSavedReportIsOfTheRange() {
        QFETCH(const QString, name);
        const QTemporaryDir folder;
        const auto window = simulatedWindow(folder.filePath(u"run"_s));
        QVERIFY(window);
        QCOMPARE(window->shownAnalysis()->metrics.find("step_time")->details["num_iterations"], 4);
        const auto report = [&] {
            const QString file = folder.filePath(name);
            window->exports().saveReport(file);
            if (!QTest::qWaitFor([&] { return !window->exports().isBusy(); }, kPatience))
                return QString();
            QFile written(file);
            return written.open(QIODevice::ReadOnly) ? QString::fromUtf8(written.readAll()) : QString();
        };
        const QString whole = report();
        QVERIFY(whole.contains(u"4 steps"_s) || whole.contains(u"<td class=\"n\">4</td>"_s));
        QVERIFY(!window->notices().line().contains(u"only"_s));

        const TimeNs origin = window->viewState().run()->span.begin;
        const RankAnalysis& rank = window->shownAnalysis()->analysis->ranks().front();
        const TimeRange range{rank.steps[1].range.begin - 1'000, rank.steps[2].range.end + 1'000}; // two of four steps
        window->viewState().setRange(range);
        window->commands().action(u"use-range"_s)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->shownAnalysis() != nullptr, kPatience);
        const QString part = report();
        const std::string words = part_words(window->shownAnalysis()->analysis->selection());
        QVERIFY(words.ends_with(" ms"));
        QVERIFY2(part.contains(QString::fromStdString(words)), qPrintable(part.left(2000)));
        QVERIFY(part != whole);
        const QString line = window->notices().line();
        QVERIFY2(line.contains(u"only range "_s + timeRangeText({range.begin - origin, range.end - origin})),
                 qPrintable(line));

        window->commands().action(u"export"_s)->trigger();
        auto* dialog = window->findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY2(dialog->list().item(0)->text().startsWith(u"All metrics (range "_s),
                 qPrintable(dialog->list().item(0)->text()));
        dialog->reject();
    }

    void aReportOfAnotherEndingIsRefused() {
        const QTemporaryDir folder;
        const auto window = simulatedWindow(folder.filePath(u"run"_s));
        QVERIFY(window);
        window->exports().saveReport(folder.filePath(u"report.txt"_s));
        QVERIFY(!window->exports().isBusy());
        QVERIFY(!QFileInfo::exists(folder.filePath(u"report.txt"_s)));
        QVERIFY2(window->notices().line().contains(u"a report is written as"_s), qPrintable(window->notices().line()));
    }

    void aPartIsSaidInWords() {
        QCOMPARE(part_words({}), std::string());
        QCOMPARE(part_words({TimeRange{37'420'000, 98'270'000}, {}}), std::string("37.42 to 98.27 ms"));
        QCOMPARE(part_words({{}, {{5, 7}, {9, 9}}}), std::string("steps 5 to 7, 9"));
        QCOMPARE(part_words({{}, {{5, 5}}}), std::string("step 5"));
    }

private:
    static std::unique_ptr<MainWindow> simulatedWindow(const QString& path) {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 4;
        return write_run(options, path.toStdString()) ? openedWindow(path) : nullptr;
    }

    QTemporaryDir settings_;
};

RANKSCOPE_GUI_TEST(TestUsedRange)

} // namespace rankscope::used_range_test

#include "test_used_range.moc"
