// SPDX-License-Identifier: GPL-3.0-or-later
// A run of digests in the window: opening the threads of a rank fetches its full trace, and the rest stays as it is.
#include <filesystem>
#include <memory>

#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include "app/window/main_window.h"
#include "app/window/run_library.h"
#include "app/window/run_session.h"
#include "core/analysis/digest/digest.h"
#include "core/demo/run_simulator.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/digest/trace_file.h"
#include "core/input/load/load_run.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::fetch_test {
using namespace Qt::Literals::StringLiterals;

namespace fs = std::filesystem;

namespace {

constexpr int kPatience = 20'000;

} // namespace

class TestFetch : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
    std::shared_ptr<const Run> full_;

    [[nodiscard]] fs::path path(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
    [[nodiscard]] const RankTrace& shown(int rank) const { return *window_->viewState().run()->rank(rank); }
    [[nodiscard]] int lanesOf(int rank, LaneGroup group) const {
        int lanes = 0;
        for (const LaneHeader& header : window_->timeline().scene().layout.headers)
            lanes += header.lane >= 0 && header.group == group &&
                     window_->viewState().run()->ranks[static_cast<std::size_t>(header.rankIndex)]->rank == rank;
        return lanes;
    }
    [[nodiscard]] std::int64_t noticed(std::string_view code) const {
        std::int64_t count = 0;
        for (const Notice& notice : window_->viewState().run()->notices)
            count += notice.code == code ? notice.count : 0;
        return count;
    }

    void openThreads(int rank) {
        const LaneId threads = LaneId::ofGroup(rank, LaneGroup::threads);
        QCOMPARE(lanesOf(rank, LaneGroup::threads), 0);
        QVERIFY(shown(rank).digest);
        window_->timeline().toggleFold(threads);
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 4; // the threads of one or two ranks would be open from the start
        options.layers = 4;
        options.cpu_detail = 2;
        QVERIFY(write_run(options, path("run")));
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        QFile::remove(sessionFile(folder_.filePath(u"digests"_s)));
        const auto run = load_run(path("run"));
        QVERIFY(run);
        full_ = *run;
        fs::create_directories(path("digests"));
        for (const auto& rank : full_->ranks)
            QVERIFY(write_trace_file(path("digests") / ("rank" + std::to_string(rank->rank) + ".digest"),
                                     *digest_of(*rank, *stamp_of(rank->file), *full_), TraceFileKind::digest));
        window_ = openedWindow(folder_.filePath(u"digests"_s));
        QVERIFY(window_);
        window_->showScreen(MainWindow::timelineScreen);
        QTRY_VERIFY(window_->timeline().isReady());
    }
    void cleanup() { window_.reset(); }

    void openingTheThreadsOfARankFetchesItAndNoOther() {
        QVERIFY(shown(0).digest && shown(1).digest);
        QVERIFY(shown(1).events.size() < full_->rank(1)->events.size());
        QCOMPARE(noticed("digests"), 4);
        const EventIndex kernel = shown(1).events.gpu_count / 2;
        const std::string name(shown(1).event_name(kernel));
        window_->viewState().select(EventRef{1, kernel});
        const auto visible = window_->viewState().visibleRange();

        openThreads(1);
        QVERIFY(window_->isBusy()); // and says so
        QTRY_VERIFY_WITH_TIMEOUT(!shown(1).digest, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->timeline().isReady(), kPatience);
        QVERIFY(shown(1).events.start == full_->rank(1)->events.start &&
                shown(1).events.link == full_->rank(1)->events.link);
        QVERIFY(shown(0).digest);
        QCOMPARE(noticed("digests"), 3);
        QVERIFY2(window_->notices().line().contains(u"3 of 4 ranks are digests"),
                 qPrintable(window_->notices().line()));
        QVERIFY(lanesOf(1, LaneGroup::threads) > 0); // still open
        // What was looked at still is.
        QCOMPARE(window_->viewState().visibleRange(), visible);
        QVERIFY(window_->viewState().selection().has_value());
        QCOMPARE(shown(1).event_name(window_->viewState().selection()->event), std::string_view(name));
        // The numbers come from the run that is on screen now.
        QVERIFY(window_->shownAnalysis());
        QCOMPARE(window_->shownAnalysis()->analysis->run_pointer(), window_->viewState().run());
    }

    void openingTheSameThreadsAgainFetchesNothing() {
        const LaneId threads = LaneId::ofGroup(0, LaneGroup::threads);
        openThreads(0);
        QTRY_VERIFY_WITH_TIMEOUT(!shown(0).digest && !window_->isBusy(), kPatience);
        const auto run = window_->viewState().run();
        window_->timeline().toggleFold(threads);
        window_->timeline().toggleFold(threads);
        QTest::qWait(200);
        QCOMPARE(window_->viewState().run(), run);
    }

    void aRunThatWasClosedIsFetchedAgain() {
        openThreads(0);
        QTRY_VERIFY_WITH_TIMEOUT(!shown(0).digest && !window_->isBusy(), kPatience);
        const QString run = folder_.filePath(u"digests"_s);
        Q_EMIT window_->runsPanel().removeRequested(run);
        QVERIFY(!window_->viewState().run());
        window_->addPaths({run});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->shownAnalysis(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window_->timeline().isReady(), kPatience);
        // The session says that the threads are open, so they are fetched; or they are opened by hand.
        if (lanesOf(0, LaneGroup::threads) == 0)
            window_->timeline().toggleFold(LaneId::ofGroup(0, LaneGroup::threads));
        QTRY_VERIFY_WITH_TIMEOUT(!shown(0).digest, kPatience);
    }

    /// The comparison of a run is that of its full trace, once this is there, and does not wait for ever.
    void aComparisonGoesOnWhenATraceWasFetched() {
        window_->addPaths({folder_.filePath(u"digests"_s), folder_.filePath(u"run"_s)}, MainWindow::Opening::compare);
        QTRY_VERIFY_WITH_TIMEOUT(window_->comparePage().isReady() && !window_->isBusy(), kPatience);
        QVERIFY(window_->library().fetchFullTrace(folder_.filePath(u"digests"_s), 2));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->library().at(folder_.filePath(u"digests"_s)).run->rank(2)->digest,
                                 kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window_->comparePage().isReady() && !window_->isBusy(), kPatience);
    }

    /// An operator that the digest holds is at another place of the full trace: it is not taken for a neighbour.
    void aSelectedCallIsLetGoWhenItsPlaceMoves() {
        window_->viewState().select(EventRef{1, shown(1).events.gpu_count});
        openThreads(1);
        QTRY_VERIFY_WITH_TIMEOUT(!shown(1).digest, kPatience);
        QVERIFY(!window_->viewState().selection());
    }

    void aTraceThatHasChangedIsToldInOneLine() {
        const fs::path trace = full_->rank(1)->file;
        fs::last_write_time(trace, fs::last_write_time(trace) + std::chrono::seconds(3));
        openThreads(1);
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().line().contains(u"has changed since its digest was made"),
                                 kPatience);
        QVERIFY(!window_->notices().line().contains(u'\n'));
        QVERIFY(window_->notices().isVisible());
        QVERIFY(shown(1).digest);
        QVERIFY(lanesOf(1, LaneGroup::threads) > 0); // what the digest holds of them
    }

    void theWindowMayCloseMeanwhile() {
        openThreads(0);
        window_.reset();
    }
};

RANKSCOPE_GUI_TEST(TestFetch)

} // namespace rankscope::fetch_test

#include "test_fetch.moc"
