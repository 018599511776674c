// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a user meets it: opening, dropping, errors, cancelling, closing, what it remembers.
#include <algorithm>
#include <memory>

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include "app/window/export_controller.h"
#include "app/window/load_job.h"
#include "app/window/main_window.h"
#include "app/window/recent_runs.h"
#include "app/window/run_library.h"
#include "app/window/settings_controller.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "tests/support/user_input.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/focus_frame.h"
#include "widgets/palette.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/start_page.h"
#include "widgets/scrolled_page.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::main_window_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

SimulatorOptions smallRun() {
    SimulatorOptions options;
    options.dp = 2;
    options.steps = 2;
    return options;
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void takeUrl(const QUrl& url) { opened_ << url; }

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        QVERIFY(write_run(smallRun(), path("first").toStdString()).has_value());
        QVERIFY(write_run(smallRun(), path("second").toStdString()).has_value());
        SimulatorOptions large = smallRun();
        large.dp = 4;
        large.steps = 150;
        large.cpu_detail = 4;
        QVERIFY(write_run(large, path("large").toStdString()).has_value());
    }
    void init() { QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear(); }

    void startsEmptyWithTheWaysToOpen() {
        MainWindow window(GuiOptions{});
        window.show();
        QVERIFY(window.startPage().isVisible());
        QVERIFY(window.openPath().isEmpty());
        QVERIFY(!window.commands().action(u"export-metrics"_s)->isEnabled());
    }

    void theHelpMenuOpensTheDocumentationThatIsInstalled() {
        const QTemporaryDir share;
        const QByteArray before = qgetenv("XDG_DATA_DIRS");
        qputenv("XDG_DATA_DIRS", share.path().toUtf8());
        QVERIFY(MainWindow(GuiOptions{}).commands().command(u"documentation"_s) == nullptr);
        const QString page = share.filePath(u"doc/rankscope/docs/README.md"_s);
        QVERIFY(QDir().mkpath(QFileInfo(page).absolutePath()));
        QFile file(page);
        QVERIFY(file.open(QIODevice::WriteOnly));
        {
            MainWindow window(GuiOptions{});
            window.show();
            QVERIFY(QTest::qWaitForWindowActive(&window));
            QAction* entry = window.commands().action(u"documentation"_s);
            QVERIFY(entry != nullptr);
            QDesktopServices::setUrlHandler(u"file"_s, this, "takeUrl");
            const auto menus = window.findChildren<QMenu*>();
            const auto found =
                std::ranges::find_if(menus, [&](const QMenu* m) { return m->actions().contains(entry); });
            QVERIFY(found != menus.end());
            QMenu* menu = *found;
            menu->popup(window.mapToGlobal(QPoint(40, 40)));
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
            QDesktopServices::unsetUrlHandler(u"file"_s);
        }
        QCOMPARE(opened_, QList{QUrl::fromLocalFile(page)});
        qputenv("XDG_DATA_DIRS", before);
    }

    void opensARunAndFillsTheOverview() {
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path("first")});
        QVERIFY(analysed.wait(kPatience));
        QCOMPARE(window.openPath(), path("first"));
        QVERIFY(window.overview().isVisible());
        QCOMPARE(window.overview().bars().shownRanks(), (std::vector<int>{0, 1}));
        QCOMPARE(window.viewState().run()->ranks.size(), std::size_t{2});
        QCOMPARE(window.recentRuns().paths(), QStringList{path("first")});
        const RunEntry* entry = window.runs().entry(window.runs().indexOf(path("first")));
        QVERIFY(entry != nullptr && entry->state == RunState::loaded && entry->iterationMs.has_value());
        QCOMPARE(entry->worldSize, 2);
    }

    void droppingTwoFoldersListsBothAndOpensTheFirst() {
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy opened(&window, &MainWindow::runOpened);
        QVERIFY(dropOn(window, {path("second"), path("first")}));
        QVERIFY(opened.wait(kPatience));
        QCOMPARE(window.runs().runPaths(), (QStringList{path("second"), path("first")}));
        QCOMPARE(window.openPath(), path("second"));
        window.openRun(path("first"));
        QVERIFY(opened.wait(kPatience));
        QCOMPARE(window.openPath(), path("first"));
        window.openRun(path("second")); // read before: there at once
        QCOMPARE(window.openPath(), path("second"));
    }

    void aFolderOfRunsIsListedRunByRun() {
        MainWindow window(GuiOptions{});
        QSignalSpy opened(&window, &MainWindow::runOpened);
        window.addPaths({runs_.path()});
        QVERIFY(opened.wait(kPatience));
        QCOMPARE(window.openPath(), path("first"));
        QCOMPARE(window.runs().runPaths(), (QStringList{path("first"), path("large"), path("second")}));
    }

    void whatCannotBeOpenedIsOneLineInTheNoticesBar_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content"); // null: a folder
        QTest::newRow("garbage") << u"garbage.json"_s << QByteArray("\x7f garbage");
        QTest::newRow("empty file") << u"empty.json"_s << QByteArray("");
        QTest::newRow("no events") << u"none.json"_s << QByteArray("{\"traceEvents\":[]}");
        QTest::newRow("empty folder") << u"folder"_s << QByteArray();
        QTest::newRow("missing") << u"missing"_s << QByteArray();
    }
    void whatCannotBeOpenedIsOneLineInTheNoticesBar() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const QString target = folder.filePath(name);
        if (name == "folder"_L1)
            QVERIFY(QDir().mkpath(target));
        else if (name != "missing"_L1) {
            QFile file(target);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        MainWindow window(GuiOptions{});
        window.show();
        window.addPaths({target});
        QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), kPatience);
        QVERIFY(window.notices().isVisible());
        QVERIFY(!window.notices().line().isEmpty());
        QVERIFY2(!window.notices().line().contains(u'\n'), qPrintable(window.notices().line()));
        QVERIFY(window.startPage().isVisible());
        QVERIFY(window.recentRuns().paths().isEmpty());
    }

    void aMissingPathIsReportedBesideTheOneThatOpens() {
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy opened(&window, &MainWindow::runOpened);
        window.addPaths({u"/no/such/run"_s, path("first")});
        QVERIFY(opened.wait(kPatience));
        QCOMPARE(window.openPath(), path("first"));
        QVERIFY(window.notices().line().startsWith(u"/no/such/run: no such file or folder"_s));
    }

    void aFailureLeavesTheOpenRunOnScreen() {
        MainWindow window(GuiOptions{});
        QSignalSpy opened(&window, &MainWindow::runOpened);
        window.addPaths({path("first")});
        QVERIFY(opened.wait(kPatience));
        QSignalSpy failed(&window, &MainWindow::openFailed);
        QTemporaryDir empty;
        window.addPaths({empty.path()});
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(window.openPath(), path("first"));
        QCOMPARE(window.runs().runPaths(), QStringList{path("first")});
    }

    void cancelStopsReadingAndReturnsToTheStart() {
        MainWindow window(GuiOptions{{}, false, {}, 1});
        window.show();
        window.addPaths({path("large")});
        QTRY_VERIFY_WITH_TIMEOUT(window.loadBar().isVisible(), kPatience);
        QSignalSpy failed(&window, &MainWindow::openFailed);
        QSignalSpy opened(&window, &MainWindow::runOpened);
        QElapsedTimer clock;
        clock.start();
        window.loadBar().findChild<QPushButton*>()->click();
        QVERIFY(failed.wait(kPatience));
        qInfo("stopped in %lld ms", static_cast<long long>(clock.elapsed())); // aim: 100
        QCOMPARE(opened.size(), 0);
        QVERIFY(!window.loadBar().isVisible());
        QVERIFY(window.startPage().isVisible());
        QVERIFY(!window.notices().isVisible());
        QVERIFY(window.runs().entry(window.runs().indexOf(path("large")))->state == RunState::listed);
    }

    void closingWhileReadingNeitherHangsNorCrashes() {
        auto window = std::make_unique<MainWindow>(GuiOptions{{}, false, {}, 1});
        window->show();
        window->addPaths({path("large")});
        QTRY_VERIFY_WITH_TIMEOUT(window->loadBar().isVisible(), kPatience);
        QElapsedTimer clock;
        clock.start();
        window->close();
        window.reset();
        qInfo("closed in %lld ms", static_cast<long long>(clock.elapsed()));
        QTest::qWait(50); // calls that were on their way find nobody
    }

    void ofTwoRunsOpenedWhileOneIsReadBothAreReadTheNewestFirst() {
        MainWindow window(GuiOptions{{}, false, {}, 1});
        window.show();
        QVERIFY(dropOn(window, {path("large")}));
        QTRY_VERIFY_WITH_TIMEOUT(window.loadBar().isVisible(), kPatience);
        QSignalSpy opened(&window, &MainWindow::runOpened);
        QVERIFY(dropOn(window, {path("first")}));
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 2, kPatience);
        QCOMPARE(opened[0][0].toString(), path("first"));
        QCOMPARE(opened[1][0].toString(), path("large"));
        QCOMPARE(window.openPath(), path("first")); // what was opened last stays on screen
    }

    void cancellingTheNewestRunShowsTheOneOpenedBeforeIt() {
        const QTemporaryDir copy; // not beside the others, which are listed by a test
        for (const QString& name : QDir(path("large")).entryList(QDir::Files))
            QVERIFY(QFile::copy(path("large") + u'/' + name, copy.filePath(name)));
        MainWindow window(GuiOptions{{}, false, {}, 1});
        window.show();
        for (const QString& run : {path("large"), copy.path()}) {
            QVERIFY(dropOn(window, {run}));
            QTRY_COMPARE_WITH_TIMEOUT(window.library().reading(), run, kPatience);
        }
        QSignalSpy opened(&window, &MainWindow::runOpened);
        QTest::mouseClick(window.loadBar().findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(opened.wait(kPatience));
        QCOMPARE(opened.back()[0].toString(), path("large"));
        QCOMPARE(window.openPath(), path("large"));
    }

    void aJobTellsOfRanksBeforeTheWholeRun() {
        LoadOptions oneThread;
        oneThread.jobs = 1;
        LoadJob job(path("large").toStdString(), oneThread);
        std::vector<std::size_t> parts;
        std::shared_ptr<const Run> whole;
        connect(
            &job, &LoadJob::partlyRead, this,
            [&](const auto& run) {
                QVERIFY(!whole);
                parts.push_back(run->ranks.size());
                QVERIFY(!run->span.empty());
            });
        connect(&job, &LoadJob::loaded, this, [&](const auto& run) { whole = run; });
        int progressed = 0;
        connect(&job, &LoadJob::progressed, this, [&] { ++progressed; });
        job.start();
        QTRY_VERIFY_WITH_TIMEOUT(whole != nullptr, kPatience);
        QCOMPARE(whole->ranks.size(), std::size_t{4});
        QVERIFY(progressed > 0);
        QVERIFY(!parts.empty());
        QVERIFY(parts.front() < 4);
        QVERIFY(std::ranges::is_sorted(parts));
    }

    void theFirstRanksLanesAreThereBeforeTheLastRankIsRead() {
        MainWindow window(GuiOptions{{}, false, {}, 1});
        window.resize(1280, 800);
        window.show();
        bool opened = false;
        std::size_t ranksWithLanes = 0; // at the first picture that has any
        connect(&window, &MainWindow::runOpened, &window, [&] { opened = true; });
        connect(&window.viewState(), &ViewState::runChanged, &window, [&] {
            const TimelineScene& scene = window.timeline().scene();
            if (!opened && ranksWithLanes == 0 && scene.run && !scene.layout.strips.empty())
                ranksWithLanes = scene.run->ranks.size();
        });
        window.addPaths({path("large")});
        QTRY_VERIFY_WITH_TIMEOUT(opened, kPatience);
        QVERIFY(ranksWithLanes > 0);
        QVERIFY2(ranksWithLanes < 4, qPrintable(QString::number(ranksWithLanes)));
        QCOMPARE(window.viewState().run()->ranks.size(), std::size_t{4});
    }

    void doubleClickOnABarLeadsToTheTimeline() {
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path("first")});
        QVERIFY(analysed.wait(kPatience));
        Q_EMIT window.overview().bars().rankActivated(1);
        QCOMPARE(window.screenShown(), MainWindow::timelineScreen);
        window.commands().action(u"screen-overview"_s)->trigger();
        QCOMPARE(window.screenShown(), MainWindow::overviewScreen);
        QVERIFY(window.overview().isVisible());
    }

    void exportsTheMetricsOnScreen() {
        MainWindow window(GuiOptions{});
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path("first")});
        QVERIFY(analysed.wait(kPatience));
        QTemporaryDir out;
        QCOMPARE(window.exports().exportMetrics(out.filePath(u"metrics.csv"_s)), QString());
        QFile file(out.filePath(u"metrics.csv"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray csv = file.readAll();
        QVERIFY(csv.startsWith("run,metric,field,value,unit"));
        QVERIFY(csv.contains("first,iter_time,value,"));
        QVERIFY(!window.exports().exportMetrics(out.filePath(u"no/such/folder/m.csv"_s)).isEmpty());
    }

    void everyCommandStandsInAMenuAndHasHelp() {
        MainWindow window(GuiOptions{});
        const CommandTable& commands = window.commands();
        for (const Command& command : commands.commands()) {
            QVERIFY2(!command.help.isEmpty() && !command.menu.isEmpty(), qPrintable(command.id));
            QVERIFY2(!commands.action(command.id)->associatedObjects().isEmpty(), qPrintable(command.id));
            for (const QKeySequence& key : command.shortcuts) // ambiguous keys do nothing in Qt
                QVERIFY2(commands.conflicts(command.id, key).empty(), qPrintable(command.id + u' ' + key.toString()));
        }
        QCOMPARE(commands.shortcuts(u"open-folder"_s), QList{QKeySequence(u"Ctrl+O"_s)});
        QCOMPARE(commands.shortcuts(u"zoom-in"_s), QList{QKeySequence(u"W"_s)});
        QVERIFY(commands.shortcuts(u"shortcuts"_s).contains(QKeySequence(u"?"_s)));
    }

    /// A key of a list or table works while that has the focus; the window's commands must not have it too.
    void noKeyOfAWidgetIsACommandsAsWell() {
        MainWindow window(GuiOptions{});
        const CommandTable& commands = window.commands();
        int keys = 0;
        for (const QAction* action : window.findChildren<QAction*>()) {
            // The timelines of the Compare screen have the commands of the timeline once more.
            if (commands.command(action->objectName()) != nullptr || action->shortcutContext() == Qt::WindowShortcut)
                continue;
            for (const QKeySequence& key : action->shortcuts())
                for (const Command& command : commands.commands()) {
                    ++keys;
                    QVERIFY2(!command.place.isEmpty() || !commands.shortcuts(command.id).contains(key),
                             qPrintable(command.id + u' ' + key.toString() + u' ' + action->text()));
                }
        }
        QVERIFY(keys > 0);
        // And nobody has a shortcut of the window that is no command.
        for (const QAction* action : window.findChildren<QAction*>())
            QVERIFY2(action->shortcuts().isEmpty() || action->shortcutContext() != Qt::WindowShortcut ||
                         commands.action(action->objectName()) == action,
                     qPrintable(action->text()));
    }

    void theTimelinesCommandsRestWhileItIsNotOnScreen() {
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path("first")});
        QVERIFY(analysed.wait(kPatience));
        const QAction* zoom = window.commands().action(u"zoom-in"_s);
        QVERIFY(!zoom->isEnabled());
        window.showScreen(MainWindow::timelineScreen);
        QVERIFY(zoom->isEnabled());
        QVERIFY(!window.commands().action(u"clear-selection"_s)->isEnabled());
        window.viewState().select(EventRef{0, 0});
        QVERIFY(window.commands().action(u"clear-selection"_s)->isEnabled());
    }

    void remembersThemeAndRecentRuns() {
        {
            MainWindow window(GuiOptions{});
            QSignalSpy opened(&window, &MainWindow::runOpened);
            window.commands().action(u"theme-dark"_s)->trigger();
            window.addPaths({path("second")});
            QVERIFY(opened.wait(kPatience));
        }
        MainWindow window(GuiOptions{});
        QVERIFY(window.commands().action(u"theme-dark"_s)->isChecked());
        QCOMPARE(window.recentRuns().paths(), QStringList{path("second")});
        window.settings().setTheme(Theme::system);
    }

    void theThemeFollowsTheSystem() {
        bool dark = false;
        askForSystemTheme([&dark] { return dark; });
        MainWindow window(GuiOptions{});
        window.show();
        QVERIFY(!isDark(QApplication::palette()));
        dark = true;
        QEvent changed(QEvent::ThemeChange);
        QApplication::sendEvent(&window, &changed);
        QVERIFY(isDark(QApplication::palette()));
        window.settings().setTheme(Theme::light); // chosen, it stays
        QApplication::sendEvent(&window, &changed);
        QVERIFY(!isDark(QApplication::palette()));
        dark = false;
        window.settings().setTheme(Theme::system);
        askForSystemTheme({});
    }

    void theFirstWindowFitsOnTheScreen() {
        MainWindow window(GuiOptions{});
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QSize room = window.screen()->availableSize();
        QVERIFY2(window.frameSize().width() <= room.width() && window.frameSize().height() <= room.height(),
                 qPrintable(u"%1x%2"_s.arg(window.width()).arg(window.height())));
    }

    /// 1280 × 800 pixels at 200 % are 640 × 400, less the frame.
    void everyScreenFitsOnASmallScreenAtTwiceTheSize() {
        const auto fits = [](const MainWindow& window) {
            return window.minimumSizeHint().width() <= 640 && window.minimumSizeHint().height() <= 384;
        };
        MainWindow window(GuiOptions{});
        window.show();
        QVERIFY(fits(window));
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path("first")});
        QVERIFY(analysed.wait(kPatience));
        for (const ScreenEntry& entry : screenEntries()) {
            window.showScreen(entry.id);
            QCoreApplication::processEvents();
            QVERIFY2(fits(window), qPrintable(entry.id));
        }
        window.showScreen(MainWindow::timelineScreen);
        window.resize(640, 384);
        QCoreApplication::processEvents();
        QCOMPARE(window.size(), QSize(640, 384));
        // Lanes are in view without scrolling the page.
        const TimelineView& timeline = window.timeline();
        QVERIFY(timeline.lanesRect().height() > 60);
        QVERIFY(timeline.mapTo(&window, timeline.lanesRect().bottomRight()).x() < 640);
        QVERIFY(timeline.mapTo(&window, timeline.lanesRect().bottomRight()).y() < 384);
    }
    void chartsShowThatTheKeyboardWorksOnThem() {
        MainWindow window(GuiOptions{});
        window.resize(1280, 800);
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path("first")});
        QVERIFY(analysed.wait(kPatience));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto* focus = window.findChild<FocusFrame*>();
        RankBars& bars = window.overview().bars();
        bars.setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(bars.hasFocus());
        QVERIFY(focus->frame() != nullptr);
        QCOMPARE(focus->frame()->parentWidget(), &bars);
        QCOMPARE(focus->frame()->geometry(), bars.rect());
        const QImage with = bars.grab().toImage();
        window.showScreen(MainWindow::timelineScreen);
        window.timeline().setFocus(Qt::TabFocusReason); // it draws its own
        QTRY_VERIFY(window.timeline().hasFocus());
        QVERIFY(focus->frame() == nullptr);
        QVERIFY(bars.grab().toImage() != with);
    }
    /// A page says how large it must be only while it is on screen, and has scroll bars where it is larger.
    void aPageThatIsTooLargeScrolls() {
        PageStack pages;
        auto* large = new QWidget;
        large->setMinimumSize(900, 700);
        pages.addWidget(new QWidget);
        pages.addWidget(large);
        const std::unique_ptr<QScrollArea> area(scrolled(&pages));
        area->resize(400, 300);
        area->show();
        QVERIFY(!area->horizontalScrollBar()->isVisible());
        QCOMPARE(pages.size(), area->size());
        pages.setCurrentIndex(1);
        QTRY_VERIFY(area->horizontalScrollBar()->isVisible() && area->verticalScrollBar()->isVisible());
        QCOMPARE(pages.size(), QSize(900, 700));
        area->takeWidget();
        pages.setParent(nullptr);
    }

    void recentRunsAreNewestFirstWithoutRepetition() {
        RecentRuns recent;
        QSignalSpy changed(&recent, &RecentRuns::changed);
        for (int i = 0; i < 15; ++i)
            recent.add(u"/run/%1"_s.arg(i));
        recent.add(u"/run/7"_s);
        QCOMPARE(recent.paths().size(), RecentRuns::kMost);
        QCOMPARE(recent.paths().mid(0, 3), (QStringList{u"/run/7"_s, u"/run/14"_s, u"/run/13"_s}));
        QCOMPARE(recent.paths().count(u"/run/7"_s), 1);
        QCOMPARE(changed.size(), 16);
        QCOMPARE(RecentRuns().paths(), recent.paths()); // kept
        recent.clear();
        QVERIFY(RecentRuns().paths().isEmpty());
    }

    void theDemoListsTwoRunsAndIsNotRemembered() {
        MainWindow window(GuiOptions{});
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.openDemo();
        QVERIFY(analysed.wait(kPatience));
        QCOMPARE(window.runs().runPaths().size(), 2);
        QVERIFY(!window.overview().headline().isEmpty());
        QVERIFY(window.recentRuns().paths().isEmpty());
    }

private:
    [[nodiscard]] QString path(const char* name) const { return runs_.filePath(QString::fromLatin1(name)); }
    QList<QUrl> opened_;
    QTemporaryDir settings_;
    QTemporaryDir runs_;
};

RANKSCOPE_GUI_TEST(TestMainWindow)

} // namespace rankscope::main_window_test

#include "test_main_window.moc"
