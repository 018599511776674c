// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis screens in the whole window: reached by tab and key, computed only when looked at, linked to the
// timeline, remembered.
#include <algorithm>
#include <memory>

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QtTest>

#include "app/window/export.h"
#include "app/window/main_window.h"
#include "app/window/panels.h"
#include "app/window/screens.h"
#include "core/demo/run_simulator.h"
#include "core/views/collective_peers.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/range_panel.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/class_legend.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::screens_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestScreens : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Their tabs are grey: a dump of a hang has neither kernels nor operators.
    void kernelsAndWorkersNeedWhatTheyShow() {
        const auto filled = [](const std::vector<TraceBuilder>& ranks) {
            const RunAnalysis analysis(make_run(ranks), Selection{});
            QStringList ids;
            for (const ScreenEntry& entry : screenEntries())
                if ((entry.id == "kernels"_L1 || entry.id == "workers"_L1) && entry.has_data(analysis))
                    ids << entry.id;
            return ids;
        };
        const auto other = [](int rank) {
            return TraceBuilder(rank).event(EventKind::other, "allreduce", "1000", "1000", 0, 10);
        };
        QCOMPARE(filled({other(0), other(1)}), QStringList());
        QCOMPARE(filled({other(0).cpu_op("aten::mm", 0, 10), other(1)}), QStringList{u"kernels"_s});
        QCOMPARE(filled({other(0).kernel("gemm", 7, 0, 10)}), QStringList{u"kernels"_s});
        QCOMPARE(filled({other(0).kernel("gemm", 7, 0, 10), other(1)}), (QStringList{u"kernels"_s, u"workers"_s}));
    }

    /// A panel is a line in the table: tab and commands follow from it.
    void everyPanelOfTheTableIsATab() {
        MainWindow window(GuiOptions{});
        QStringList titles;
        for (const PanelEntry& entry : panelEntries())
            titles << entry.title;
        QVERIFY(titles.size() >= 3);
        const auto* tabs = window.findChild<FoldingTabs*>();
        QVERIFY(tabs != nullptr);
        QStringList shown;
        for (int tab = 0; tab < tabs->count(); ++tab) {
            QVERIFY(tabs->widget(tab)->findChild<Panel*>() != nullptr);
            shown << tabs->tabText(tab);
        }
        QCOMPARE(shown, titles);
        for (const QString& command : {u"use-range"_s, u"find"_s, u"clear-search"_s}) // of panels
            QVERIFY(window.commands().command(command) != nullptr);
    }

    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 2;
        QVERIFY(write_run(options, folder_.filePath(u"run"_s).toStdString()).has_value());
    }
    void init() {
        QDir(folder_.filePath(u"settings"_s)).removeRecursively();
        open();
    }
    void cleanup() { window_.reset(); }

    void everyScreenHasATabAndACommandOfItsOwnAndTheyFit() {
        auto* tabs = window_->findChild<QTabBar*>(); // the header's is the first of the window
        const auto entries = screenEntries();
        QCOMPARE(tabs->count(), static_cast<int>(entries.size()));
        QSet<QString> keys;
        for (int i = 0; i < tabs->count(); ++i) {
            const ScreenEntry& entry = entries[static_cast<std::size_t>(i)];
            QCOMPARE(tabs->isTabVisible(i), !entry.only_for); // this run has no dumps
            if (entry.only_for)
                continue;
            QAction* action = window_->commands().action(u"screen-"_s + entry.id);
            QVERIFY2(action != nullptr, qPrintable(entry.id));
            keys.insert(entry.key);
            action->trigger();
            QCOMPARE(window_->screenShown(), entry.id);
            QCOMPARE(tabs->currentIndex(), i);
            QVERIFY(action->isChecked());
        }
        QCOMPARE(keys.size(), tabs->count() - 1);
        QVERIFY(tabs->tabRect(0).left() >= 0);
        QVERIFY2(tabs->tabRect(tabs->count() - 2).right() <= tabs->width(), "at 1280 pixels all tabs are in view");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
        QCOMPARE(window_->screenShown(), QString(MainWindow::overviewScreen));
    }
    /// In a narrow window a list of the screens takes the place of the tabs, and back.
    void aNarrowWindowListsTheScreens() {
        auto* tabs = window_->findChild<QTabBar*>();
        window_->resize(780, 700); // the list of runs, which has but one, takes no room
        const auto buttons = window_->findChildren<QToolButton*>();
        const auto list = std::ranges::find_if(
            buttons, [](const QToolButton* button) { return button->accessibleName() == u"Screens"_s; });
        QVERIFY(list != buttons.end());
        QTRY_VERIFY((*list)->isVisible() && !tabs->isVisible());
        QCOMPARE((*list)->text(), tabs->tabText(tabs->currentIndex()));
        for (const QString& id : {u"memory"_s, u"compare"_s, QString(MainWindow::overviewScreen)}) {
            const auto entries = screenEntries();
            const auto entry = std::ranges::find(entries, id, &ScreenEntry::id);
            QTimer::singleShot(0, this, [&] {
                auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                QVERIFY(menu != nullptr);
                const QString title = tabs->tabText(static_cast<int>(entry - entries.begin()));
                for (QAction* action : menu->actions())
                    if (action->text() == title)
                        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            });
            QTest::mouseClick(*list, Qt::LeftButton);
            QTRY_COMPARE(window_->screenShown(), id);
            QCOMPARE((*list)->text(), tabs->tabText(tabs->currentIndex()));
            QVERIFY((*list)->geometry().right() <= window_->width());
        }
        window_->resize(1280, 800);
        QTRY_VERIFY(!(*list)->isVisible() && tabs->isVisible());
    }
    /// At 1024 pixels with the list of runs beside it, which shows where several runs are listed.
    void theLegendOfANarrowTimelineIsWhole() {
        window_->showScreen(MainWindow::timelineScreen);
        auto* legend = window_->timeline().findChild<ClassLegend*>();
        window_->resize(500, 700);
        QTRY_VERIFY(legend->height() > legend->sizeHint().height());
        for (const QRect& place : legend->places(legend->width()))
            QVERIFY(legend->rect().contains(place));
    }
    void theTimelineMarksTheRankThatHoldsUpTheJob() {
        DumpedJob job(4);
        job.calls({0, 1, 2, 3}, {.kind = "all_reduce", .group = "0", .seq = 1, .created_ms = 1, .completed_ms = 1.5});
        job.calls({0, 1, 3}, {.kind = "all_reduce", .group = "0", .seq = 2, .state = "scheduled", .created_ms = 2});
        const QString dumps = folder_.filePath(u"dumps"_s);
        QVERIFY(QDir().mkpath(dumps));
        job.write(dumps.toStdString());
        window_ = openedWindow(dumps);
        QVERIFY(window_);
        window_->showScreen(MainWindow::timelineScreen);
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(window_->timeline().isMarked(LaneId::ofRank(rank)), rank == 2);
        auto* headers = window_->timeline().findChild<LaneHeaders*>();
        for (const HeaderItem& item : headers->items())
            if (item.id == LaneId::ofRank(2)) {
                const QString text = headers->hoverText(headers->rectOf(item).center());
                QVERIFY2(text.contains(u"\u25c7 The job hangs. "_s) && text.contains(u"all_reduce"_s),
                         qPrintable(text));
            }
        window_->addPaths({folder_.filePath(u"run"_s)}); // a job that ran
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && !window_->timeline().isMarked(LaneId::ofRank(2)), kPatience);
    }
    void aStudyNeedsNoRun() {
        MainWindow empty{GuiOptions()};
        empty.show();
        empty.commands().action(u"screen-study"_s)->trigger();
        QVERIFY(empty.analysisScreen(u"study"_s)->isVisible());
        empty.commands().action(u"screen-memory"_s)->trigger();
        QVERIFY(!empty.analysisScreen(u"memory"_s)->isVisible());
    }
    void aStudyIsKeptByTheWindow() {
        auto* study = qobject_cast<StudyScreen*>(window_->analysisScreen(u"study"_s));
        window_->showScreen(u"study"_s);
        study->addPaths({folder_.filePath(u"run"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(study->isReady() && study->table().model()->rowCount() == 1, kPatience);
        window_->close();
        MainWindow next{GuiOptions()};
        next.show();
        auto* again = qobject_cast<StudyScreen*>(next.analysisScreen(u"study"_s));
        QCOMPARE(again->left().runs, QStringList{folder_.filePath(u"run"_s)});
        QCOMPARE(again->table().model()->rowCount(), 0);
        next.showScreen(u"study"_s);
        QTRY_VERIFY_WITH_TIMEOUT(again->isReady() && again->table().model()->rowCount() == 1, kPatience);
    }
    void aScreenComputesWhenItIsLookedAt() {
        AnalysisScreen* screen = window_->analysisScreen(u"collectives"_s);
        QVERIFY(!screen->isReady());
        QTest::keyClick(window_.get(), Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(screen->isReady(), kPatience);
        QCOMPARE(screen->message(), QString());
        QVERIFY(screen->findChild<QTableView*>()->model()->rowCount() > 0);
        // The whole run's calls, then those of a part of it.
        const int all = screen->findChild<QTableView*>()->model()->rowCount();
        const TimeRange full = window_->viewState().fullRange();
        window_->viewState().setRange(TimeRange{full.begin + full.length() / 2, full.end});
        window_->viewState().useRange();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && screen->isReady(), kPatience);
        const int part = screen->findChild<QTableView*>()->model()->rowCount();
        QVERIFY2(part > 0 && part < all, qPrintable(u"%1 of %2"_s.arg(part).arg(all)));
    }
    void aCallIsShownInTheTimeline() {
        window_->showScreen(u"collectives"_s);
        AnalysisScreen* screen = window_->analysisScreen(u"collectives"_s);
        QTRY_VERIFY_WITH_TIMEOUT(screen->isReady(), kPatience);
        auto* table = screen->findChild<QTableView*>();
        table->setFocus();
        table->setCurrentIndex(table->model()->index(3, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(window_->screenShown(), QString(MainWindow::timelineScreen));
        QVERIFY(window_->viewState().selection().has_value());
        const EventRef event = *window_->viewState().selection();
        // All members are in view, on lanes of their own.
        const auto peers = collective_peers(*window_->shownAnalysis()->analysis, event.rank, event.event);
        QVERIFY(peers && peers->peers.size() > 1);
        const TimeRange visible = window_->viewState().visibleRange();
        for (const CollectivePeer& peer : peers->peers) {
            const RankTrace& trace = *window_->viewState().trace(peer.rank);
            const TimeRange range = trace.events.range(peer.event);
            QVERIFY(visible.begin < range.begin && range.end < visible.end);
            QCOMPARE(window_->timeline().arrangement().filter, trace.lane_of(peer.event).name);
        }
    }
    void tablesAndPlotsOfAScreenAreExportedByName_data() {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("collectives") << u"collectives"_s
                                     << QStringList{u"Lag of ranks at collectives"_s, u"Delay of collective calls"_s,
                                                    u"Bus bandwidth against message size"_s, u"Collective calls"_s};
        QTest::newRow("pipeline") << u"pipeline"_s << QStringList{u"Pipeline schedule"_s, u"Bubbles of each stage"_s};
    }
    void tablesAndPlotsOfAScreenAreExportedByName() {
        QFETCH(QString, screen);
        window_->showScreen(screen);
        QTRY_VERIFY_WITH_TIMEOUT(window_->analysisScreen(screen)->isReady(), kPatience);
        QStringList titles;
        for (const Exportable& item : exportables(*window_->analysisScreen(screen))) {
            titles << item.title;
            for (const QString& ending : item.kind == Exportable::Kind::table
                                             ? QStringList{u"csv"_s, u"tsv"_s}
                                             : QStringList{u"png"_s, u"svg"_s, u"pdf"_s}) {
                const QString file = folder_.filePath(u"out."_s + ending);
                QCOMPARE(exportTo(item, file), QString());
                QVERIFY(QFileInfo(file).size() > 100);
            }
        }
        QFETCH(QStringList, expected);
        titles.sort();
        expected.sort();
        QCOMPARE(titles, expected);
    }
    void theScreenIsTakenUpAgain() {
        window_->showScreen(u"collectives"_s);
        window_->close();
        open();
        QTRY_COMPARE(window_->screenShown(), u"collectives"_s);
    }

private:
    void open() {
        window_ = openedWindow(folder_.filePath(u"run"_s));
        QVERIFY(window_);
    }
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestScreens)

} // namespace rankscope::screens_test

#include "test_screens.moc"
