// SPDX-License-Identifier: GPL-3.0-or-later
// "Use in all screens": what is said of a range has its evidence in the range.
#include <algorithm>
#include <memory>

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "core/run/run_analysis.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/tile.h"

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

private:
    QTemporaryDir settings_;
};

RANKSCOPE_GUI_TEST(TestUsedRange)

} // namespace rankscope::used_range_test

#include "test_used_range.moc"
