// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a run between sessions, and what becomes of a damaged file.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <sys/stat.h>

#include "app/window/main_window.h"
#include "app/window/run_session.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/overlays.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::run_session_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

RunSession full() {
    RunSession session;
    session.screen = u"timeline"_s;
    session.visible = TimeRange{1'000'000'000'000'000'001, 1'000'000'000'000'000'003}; // no double holds these
    session.selection = EventRef{3, 4'000'000'000};
    session.selectionStart = 17;
    session.marked = TimeRange{4, 1'000'000'000'000'000'002};
    session.panel = u"range"_s;
    session.panelHeight = 321;
    session.top = LanePlace{LaneId::ofLane(3, LaneGroup::streams, 1), 7};
    session.bookmarks = {{{5, 9}, EventRef{1, 2}, TimeRange{6, 7}, u"Rank 1 · gemm"_s, u"a \"note\"\n<b>"_s},
                         {{7, 8}, {}, {}, {}, {}}};
    session.lanes = {{u"filter"_s, u"stream"_s}};
    session.overlays = {kBubblesOverlay, kPathOverlay};
    session.hiddenNotices = {{"missing_ranks", 2}};
    session.origin = TimeOrigin::wallClock;
    return session;
}

} // namespace

class TestRunSession : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        for (const char* name : {"first", "second"})
            QVERIFY(write_run(options, path(name).toStdString()).has_value());
    }
    void init() {
        QFile::remove(sessionFile(path("first")));
        QFile::remove(sessionFile(path("second")));
    }

    void everythingComesBack() {
        const auto back = sessionFromJson(QJsonDocument(toJson(full())).toJson());
        QVERIFY(back.has_value());
        QCOMPARE(*back, full());
    }
    void writesAndReads() {
        QVERIFY(writeSession(path("first"), full()).has_value());
        const auto back = readSession(path("first"));
        QVERIFY(back && *back);
        QCOMPARE(**back, full());
        QVERIFY(readSession(path("second")) && !*readSession(path("second")));
    }
    void whatIsNoSessionIsAnError_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray("\x7f garbage");
        QTest::newRow("cut") << QByteArray("{\"version\":1,\"scr");
        QTest::newRow("other version") << QByteArray("{\"version\":99}");
        QTest::newRow("no object") << QByteArray("[1]");
    }
    void whatIsNoSessionIsAnError() {
        QFETCH(QByteArray, text);
        const auto session = sessionFromJson(text);
        QVERIFY(!session);
        QCOMPARE(session.error().code, Error::Code::input);
    }
    void nonsenseInsideIsLeftOut() {
        const auto session = sessionFromJson(
            R"({"version":1,"visible":["9","3"],"selection":{"rank":1,"event":-7},"lanes":3,"overlays":["rainbows",7,"bubbles"],"ruler":"moon","marked":["5","5"],"panel_height":-3,"top":{"rank":1,"offset":-8},"hidden_notices":{"missing_ranks":[],"gossip":3},
            "bookmarks":[{"range":["x","y"]},{"range":["1","9223372036854775807"]},7,{"range":["1","2"],"note":"kept"}]})");
        QVERIFY(session.has_value());
        QVERIFY(!session->visible && !session->selection && session->lanes.isEmpty());
        QCOMPARE(session->overlays, std::set<QString>{kBubblesOverlay});
        QCOMPARE(session->origin, TimeOrigin::run);
        QVERIFY(!session->marked && session->panelHeight == 0 && !session->top);
        QCOMPARE(session->hiddenNotices, (HiddenNotices{{"missing_ranks", 0}})); // none that there could be
        QCOMPARE(session->bookmarks.size(), std::size_t{1});
        QCOMPARE(session->bookmarks[0].note, u"kept"_s);
    }

    void aRunIsTakenUpAsItWasLeft() {
        TimeRange visible;
        {
            MainWindow window(GuiOptions{});
            open(window, "first");
            window.showScreen(MainWindow::timelineScreen);
            visible = middleOf(window);
            window.viewState().setVisibleRange(visible);
            window.viewState().select(EventRef{1, 5});
            window.bookmarks().addHere();
            LaneArrangement lanes;
            lanes.togglePin(LaneId::ofRank(1));
            lanes.filter = "stream";
            window.timeline().setArrangement(lanes);
            window.viewState().setShows(kBubblesOverlay, true);
            window.timeline().setTimeOrigin(TimeOrigin::step);
            window.close();
        }
        MainWindow window(GuiOptions{});
        open(window, "first");
        QCOMPARE(window.screenShown(), MainWindow::timelineScreen);
        QCOMPARE(window.viewState().visibleRange(), visible);
        QCOMPARE(window.viewState().selection(), (EventRef{1, 5}));
        QCOMPARE(window.bookmarks().model()->bookmarks().size(), std::size_t{1});
        QVERIFY(window.timeline().arrangement().isPinned(LaneId::ofRank(1)));
        QCOMPARE(window.timeline().arrangement().filter, std::string("stream"));
        QVERIFY(window.viewState().shows(kBubblesOverlay));
        QVERIFY(!window.viewState().shows(kLagOverlay));
        QCOMPARE(window.timeline().scene().origin, TimeOrigin::step);
    }
    /// As hands leave it: a range and the edge of the panel dragged, the lanes scrolled.
    void markedRangeScrollAndHeightOfThePanelComeBack() {
        std::optional<TimeRange> marked;
        std::optional<LanePlace> top;
        int height = 0;
        const auto prepare = [this](MainWindow& window) {
            window.resize(1280, 800);
            window.show();
            QVERIFY(QTest::qWaitForWindowActive(&window));
            open(window, "first");
            window.showScreen(MainWindow::timelineScreen);
            QTRY_VERIFY(window.timeline().isReady());
        };
        {
            MainWindow window(GuiOptions{});
            prepare(window);
            window.timeline().setLaneHeight(LaneHeight::tall);
            auto* panels = window.findChild<FoldingTabs*>();
            panels->setFolded(false);
            QWidget* edge = qobject_cast<QSplitter*>(panels->parentWidget())->handle(1);
            const QPoint from = edge->rect().center();
            QTest::mousePress(edge, Qt::LeftButton, {}, from);
            QTest::mouseMove(edge, from - QPoint(0, 60));
            QTest::mouseMove(edge, from - QPoint(0, 120));
            QTest::mouseRelease(edge, Qt::LeftButton, {}, from - QPoint(0, 120));
            const QRect lanes = window.timeline().lanesRect();
            const QPoint begin(lanes.left() + lanes.width() / 4, lanes.center().y());
            QTest::mousePress(&window.timeline(), Qt::LeftButton, Qt::ShiftModifier, begin);
            QTest::mouseMove(&window.timeline(), begin + QPoint(60, 0));
            QTest::mouseMove(&window.timeline(), begin + QPoint(200, 0));
            QTest::mouseRelease(&window.timeline(), Qt::LeftButton, Qt::ShiftModifier, begin + QPoint(200, 0));
            auto* bar = window.timeline().findChild<QScrollBar*>();
            QVERIFY(bar->maximum() > 40);
            bar->setFocus();
            for (int i = 0; i < 3; ++i)
                QTest::keyClick(bar, Qt::Key_Down);
            QTest::qWait(50);
            marked = window.viewState().range();
            top = window.timeline().scrolledTo();
            height = panels->height();
            QVERIFY(marked && top && height > 200);
            window.close();
        }
        MainWindow window(GuiOptions{});
        prepare(window);
        QCOMPARE(window.viewState().range(), marked);
        QTRY_COMPARE(window.findChild<FoldingTabs*>()->height(), height);
        QTRY_COMPARE(window.timeline().topPlace(), top);
        window.close();
    }
    void noticesThatWereHiddenStayHidden() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        QVERIFY(write_run(options, path("lacking").toStdString()).has_value());
        QDir lacking(path("lacking"));
        for (const QString& file : lacking.entryList({u"*rank1*"_s, u"*rank_1*"_s}, QDir::Files))
            QVERIFY(lacking.remove(file));
        {
            MainWindow window(GuiOptions{});
            window.show();
            open(window, "lacking");
            QVERIFY2(window.notices().isVisible() && window.notices().line().contains(u"rank"_s),
                     qPrintable(window.notices().line()));
            for (auto* button : window.notices().findChildren<QToolButton*>())
                if (button->accessibleName() == "Hide notices"_L1)
                    QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(!window.notices().isVisible());
            open(window, "first"); // without notices, and nothing hidden
            QVERIFY(window.notices().hiddenNotices().empty());
            window.close();
        }
        MainWindow window(GuiOptions{});
        window.show();
        open(window, "lacking");
        QVERIFY(!window.notices().isVisible());
        window.commands().action(u"hidden-notices"_s)->trigger();
        QVERIFY(window.notices().isVisible());
        window.close();
    }
    void theRunsOfLastTimeAreListedAgain() {
        const QString gone = folder_.filePath(u"gone"_s);
        QVERIFY(write_run(SimulatorOptions(), gone.toStdString()).has_value());
        {
            MainWindow window(GuiOptions{});
            window.addPaths({gone});
            open(window, "first");
            open(window, "second");
            window.openRun(path("first"));
            window.close();
        }
        QVERIFY(QDir(gone).removeRecursively());
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.reopenRuns();
        QVERIFY(analysed.wait(kPatience));
        QCOMPARE(window.openPath(), path("first")); // not the first of the list
        QCOMPARE(window.runs().runPaths(), (QStringList{path("first"), path("second")}));
        QVERIFY(!window.notices().line().contains(u"gone"_s)); // quietly
        window.close();
    }
    void withoutRunsOfLastTimeItStartsEmpty() {
        MainWindow(GuiOptions{}).close();
        MainWindow window(GuiOptions{});
        window.reopenRuns();
        QVERIFY(!window.isBusy());
        QVERIFY(window.openPath().isEmpty());
    }
    void eachRunHasItsOwn() {
        MainWindow window(GuiOptions{});
        open(window, "first");
        const TimeRange visible = middleOf(window);
        window.viewState().setVisibleRange(visible);
        window.bookmarks().addHere();
        open(window, "second");
        QCOMPARE(window.viewState().visibleRange(), window.viewState().fullRange());
        QCOMPARE(window.bookmarks().model()->rowCount(), 0);
        window.openRun(path("first")); // read before
        QCOMPARE(window.viewState().visibleRange(), visible);
        QCOMPARE(window.bookmarks().model()->rowCount(), 1);
    }
    void aDamagedFileIsSaidAndTheRunOpensAfresh() {
        QVERIFY(writeSession(path("first"), full()).has_value());
        QFile file(sessionFile(path("first")));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("{\"version\":1,\"book");
        file.close();
        MainWindow window(GuiOptions{});
        window.show();
        open(window, "first");
        QVERIFY2(window.notices().line().contains(u"not restored"_s), qPrintable(window.notices().line()));
        QCOMPARE(window.viewState().visibleRange(), window.viewState().fullRange());
        window.close();
        QVERIFY(readSession(path("first")).has_value()); // whole again
    }
    void aSessionThatIsNoRegularFileOfSaneSizeIsNotWaitedFor() {
        const QString file = sessionFile(path("first"));
        QVERIFY(QDir().mkpath(QFileInfo(file).absolutePath()));
        QCOMPARE(::mkfifo(qPrintable(file), 0600), 0);
        const auto fifo = readSession(path("first"));
        QVERIFY(!fifo && english(fifo.error().message).find("no regular file") != std::string::npos);
        QVERIFY(QFile::remove(file));
        QFile large(file);
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(qint64(1) << 30));
        const auto refused = readSession(path("first"));
        QVERIFY(!refused && english(refused.error().message).find("larger than") != std::string::npos);
    }
    void aSelectionThatIsAnotherEventNowIsDropped() {
        RunSession session;
        session.selection = EventRef{1, 5};
        session.selectionStart = 1; // no event starts there
        QVERIFY(writeSession(path("first"), session).has_value());
        MainWindow window(GuiOptions{});
        open(window, "first");
        QVERIFY(!window.viewState().selection());
    }

private:
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    void open(MainWindow& window, const char* name) {
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths({path(name)});
        QVERIFY(analysed.wait(kPatience));
    }
    static TimeRange middleOf(MainWindow& window) {
        const TimeRange all = window.viewState().fullRange();
        return {all.begin + all.length() / 3, all.begin + all.length() / 2};
    }

    QTemporaryDir folder_;
};

RANKSCOPE_GUI_TEST(TestRunSession)

} // namespace rankscope::run_session_test

#include "test_run_session.moc"
