// SPDX-License-Identifier: GPL-3.0-or-later
// Getting about in the window by the keyboard alone, and that every command and control can be found that way.
#include <algorithm>
#include <cmath>
#include <memory>

#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include "app/settings/shortcuts_dialog.h"
#include "app/window/go_to_dialog.h"
#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/quick_pick.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/timeline/class_legend.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::navigation_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// What a screen reader would say of a widget.
QString accessibleName(QWidget* widget) {
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    return interface == nullptr ? QString() : interface->text(QAccessible::Name);
}

/// Qt's own parts of a control; the control has the name.
bool isInner(const QWidget* widget) {
    const QString name = widget->objectName();
    if (const auto* label = qobject_cast<const QLabel*>(widget); label != nullptr && label->text().isEmpty())
        return true; // its text is its name; it says nothing now
    if (widget->parentWidget() != nullptr && widget->parentWidget()->inherits("QComboBoxPrivateContainer"))
        return true; // the list that a combo box drops down
    return name.startsWith(u"qt_"_s) || qobject_cast<const QScrollBar*>(widget) != nullptr ||
           qobject_cast<const QSplitterHandle*>(widget) != nullptr;
}

QStringList namelessControls(QWidget& top) {
    QStringList nameless;
    for (QWidget* widget : top.findChildren<QWidget*>())
        if (widget->focusPolicy() != Qt::NoFocus && !isInner(widget) && accessibleName(widget).trimmed().isEmpty())
            nameless << QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName() +
                            u" in "_s + QString::fromLatin1(widget->parentWidget()->metaObject()->className());
    return nameless;
}

} // namespace

class TestNavigation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 3;
        QVERIFY(write_run(options, run().toStdString()).has_value());
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        window_ = openedWindow(run());
        QVERIFY(window_);
    }
    void cleanup() { window_.reset(); }

    void thePaletteFindsAndRunsACommand() {
        key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* pick = window_->findChild<QuickPick*>();
        QVERIFY(pick != nullptr && pick->isVisible());
        QTest::keyClicks(&pick->field(), u"show timeline"_s.mid(5));
        QTest::keyClick(&pick->field(), Qt::Key_Return);
        QTRY_COMPARE(window_->screenShown(), MainWindow::timelineScreen);
        QTRY_VERIFY(window_->findChild<QuickPick*>() == nullptr);
    }
    void thePaletteHasEveryCommandWithItsKeys() {
        window_->commands().action(u"palette"_s)->trigger();
        auto* pick = window_->findChild<QuickPick*>();
        QCOMPARE(pick->shown().size(), window_->commands().commands().size() - 1); // all but itself
        QTest::keyClicks(&pick->field(), u"go time step call"_s);
        QCOMPARE(pick->model()->index(0, 2).data().toString(), u"G"_s);
    }
    void ctrlPShowsALane() {
        key(Qt::Key_P, Qt::ControlModifier);
        auto* pick = window_->findChild<QuickPick*>();
        QTest::keyClicks(&pick->field(), u"rank 1 thread"_s);
        QVERIFY(!pick->shown().empty());
        QTest::keyClick(&pick->field(), Qt::Key_Return);
        QTRY_COMPARE(window_->screenShown(), MainWindow::timelineScreen);
        const TimelineScene& scene = window_->timeline().scene();
        const auto inView = scene.layout.stripsBetween(scene.scroll, scene.scroll + scene.size.height());
        QVERIFY(std::ranges::any_of(
            inView, [](const LaneStrip& strip) { return strip.rankIndex == 1 && strip.group == LaneGroup::threads; }));
        QVERIFY(window_->timeline().hasFocus());
    }
    void gGoesToACallATimeAndAStep() {
        goTo(u"allreduce 3"_s);
        QTRY_VERIFY(window_->viewState().selection().has_value());
        const EventRef call = *window_->viewState().selection();
        const RankTrace& trace = *window_->viewState().trace(call.rank);
        QVERIFY(QString::fromStdString(std::string(trace.event_name(call.event)))
                    .contains(u"AllReduce"_s, Qt::CaseInsensitive));
        QVERIFY(window_->viewState().visibleRange().contains(trace.events.start[call.event]));
        const TimeNs origin = window_->viewState().run()->span.begin;
        const TimeNs middle = window_->viewState().fullRange().length() / 2;
        goTo(u"%1 ns"_s.arg(middle));
        QTRY_VERIFY(!window_->isBusy());
        const TimeRange seen = window_->viewState().visibleRange();
        QVERIFY(std::abs(seen.begin + seen.length() / 2 - (origin + middle)) <= 1);
        const ProfilerStep& step = window_->viewState().run()->ranks[0]->steps[1];
        goTo(u"step %1"_s.arg(step.number));
        QTRY_VERIFY(!window_->isBusy());
        QVERIFY(window_->viewState().visibleRange().begin <= step.range.begin);
        QVERIFY(window_->viewState().visibleRange().end >= step.range.end);
        QTest::keyClick(&window_->timeline(), Qt::Key_Backspace); // and back
        QCOMPARE(window_->viewState().visibleRange(), seen);
    }
    void whatCannotBeGoneToIsSaid() {
        window_->commands().action(u"go-to"_s)->trigger();
        auto* dialog = window_->findChild<GoToDialog*>();
        QTest::keyClicks(&dialog->field(), u"?"_s);
        QTest::keyClick(&dialog->field(), Qt::Key_Return);
        QVERIFY(dialog->isVisible() && !dialog->problem().isEmpty());
        dialog->field().selectAll();
        QTest::keyClicks(&dialog->field(), u"step 99"_s);
        QVERIFY(dialog->problem().isEmpty());
        QTest::keyClick(&dialog->field(), Qt::Key_Return);
        QTRY_COMPARE(window_->notices().line(), u"This run has no step 99."_s);
    }
    void mMarksWithANoteAndReturnsToTheTimeline() {
        window_->showScreen(MainWindow::timelineScreen);
        window_->timeline().setFocus();
        key(Qt::Key_M);
        auto* editor = window_->bookmarks().list().findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, u"more gaps"_s); // letters that are commands elsewhere
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(window_->bookmarks().model()->bookmarks().size(), std::size_t{1});
        QTRY_COMPARE(window_->bookmarks().model()->bookmarks()[0].note, u"more gaps"_s);
        QTRY_VERIFY(window_->timeline().hasFocus());
    }
    void changedKeysHoldInTheTimelineAtOnce() {
        window_->showScreen(MainWindow::timelineScreen);
        window_->commands().setShortcuts(u"zoom-in"_s, {QKeySequence(u"I"_s)});
        const TimeNs before = window_->viewState().visibleRange().length();
        QTest::keyClick(&window_->timeline(), Qt::Key_W);
        QCOMPARE(window_->viewState().visibleRange().length(), before);
        QTest::keyClick(&window_->timeline(), Qt::Key_I);
        QVERIFY(window_->viewState().visibleRange().length() < before);
    }
    void hintsNameTheKeysAsTheyAreNow() {
        window_->showScreen(MainWindow::timelineScreen);
        const LaneId lane = LaneId::ofLane(0, LaneGroup::streams, 0);
        const auto pinText = [&] {
            const auto menu = window_->timeline().laneMenu(lane);
            for (const QAction* action : menu->actions())
                if (action->text().contains(u"in to the top"_s))
                    return action->text();
            return QString();
        };
        QVERIFY2(pinText().endsWith(u"\tP"_s), qPrintable(pinText()));
        window_->commands().setShortcuts(u"pin-lane"_s, {QKeySequence(u"Ctrl+J"_s)});
        QVERIFY2(pinText().endsWith(u"\tCtrl+J"_s), qPrintable(pinText()));
        window_->commands().setShortcuts(u"pin-lane"_s, {});
        QVERIFY2(!pinText().contains(u'\t'), qPrintable(pinText()));
        const QString before = window_->timeline().findChild<ClassLegend*>()->hints().join(u' ');
        QVERIFY2(before.contains(u"S zoom"_s), qPrintable(before));
        window_->commands().setShortcuts(u"zoom-out"_s, {QKeySequence(u"J"_s)});
        QVERIFY2(window_->timeline().findChild<ClassLegend*>()->hints().join(u' ').contains(u"J zoom"_s),
                 "the hint names the old key");
    }

    void keysGoToTheScreenThatIsShown() {
        window_->showScreen(MainWindow::overviewScreen);
        const auto tab_bars = window_->findChildren<QTabBar*>();
        const auto tabs = std::ranges::find_if(tab_bars, [](const QTabBar* bar) {
            return bar->count() > 1 && bar->tabText(1).remove(u'&') == u"Timeline"_s;
        });
        QVERIFY(tabs != tab_bars.end());
        auto* filter = window_->findChild<QDockWidget*>(u"runs"_s)->findChild<QLineEdit*>();
        QVERIFY(filter != nullptr);
        QTest::mouseClick(filter, Qt::LeftButton);
        QTRY_VERIFY(filter->hasFocus());
        QTest::mouseClick(*tabs, Qt::LeftButton, {}, (*tabs)->tabRect(1).center());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&window_->timeline()));
        const TimeNs before = window_->viewState().visibleRange().length();
        QTest::keyPress(QApplication::focusWidget(), Qt::Key_W);
        QTRY_VERIFY(window_->viewState().visibleRange().length() < before);
        QTest::keyRelease(QApplication::focusWidget(), Qt::Key_W);
        QVERIFY(filter->text().isEmpty());
        // By its key as well, from whatever field.
        window_->showScreen(MainWindow::overviewScreen);
        QTest::mouseClick(filter, Qt::LeftButton);
        QTest::keyClick(filter, Qt::Key_2, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&window_->timeline()));
    }

    /// Reading ends before there is anything on the overview that could take the keys.
    void keysGoToTheScreenWhoseContentComesLate() {
        start();
        QWidget* whileAddingUp = nullptr;
        connect(window_.get(), &MainWindow::runOpened, this, [&] { whileAddingUp = QApplication::focusWidget(); });
        QVERIFY(isAnalysed({run()}));
        QVERIFY(whileAddingUp != nullptr);
        QVERIFY2(!whileAddingUp->inherits("QLineEdit") && !whileAddingUp->inherits("QTabBar"),
                 whileAddingUp->metaObject()->className());
        QTRY_VERIFY(window_->overview().isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_2, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&window_->timeline()));
        const TimeNs before = window_->viewState().visibleRange().length();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
        QTRY_VERIFY(window_->viewState().visibleRange().length() < before);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(window_->screenShown(), MainWindow::timelineScreen);
    }
    void keysGoToTheScreenOfAWindowThatComesToTheFrontLate() {
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        QVERIFY(isAnalysed({run()}));
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTRY_VERIFY(window_->overview().isAncestorOf(QApplication::focusWidget()));
    }
    void aFieldThatTheUserTypesIntoKeepsTheKeys() {
        start();
        QLineEdit& filter = window_->runsPanel().filter();
        connect(window_.get(), &MainWindow::runOpened, this, [&] {
            QTest::mouseClick(&filter, Qt::LeftButton);
            QTest::keyClicks(&filter, u"r"_s);
        });
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 3;
        for (const QString& name : {u"both/a"_s, u"both/b"_s})
            QVERIFY(write_run(options, folder_.filePath(name).toStdString()).has_value());
        QVERIFY(isAnalysed({folder_.filePath(u"both"_s)}));
        QTRY_VERIFY(!window_->isBusy());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&filter));
        QTest::keyClicks(QApplication::focusWidget(), u"un"_s);
        QCOMPARE(filter.text(), u"run"_s);
    }
    void whoWalksAlongTheTabsGoesOnThere() {
        window_->showScreen(MainWindow::overviewScreen);
        auto* tabs = window_->findChild<QTabBar*>(); // the header's is the first of the window
        tabs->setFocus(Qt::TabFocusReason);
        for (const QLatin1StringView screen : {MainWindow::timelineScreen, MainWindow::compareScreen}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
            QCOMPARE(window_->screenShown(), screen);
            QVERIFY(tabs->hasFocus());
        }
        // A key or a click that names the screen leads into it.
        QTest::keyClick(tabs, Qt::Key_2, Qt::ControlModifier);
        QTRY_VERIFY(window_->timeline().hasFocus());
        tabs->setFocus(Qt::TabFocusReason);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
        QTRY_VERIFY(window_->overview().isAncestorOf(QApplication::focusWidget()));
    }

    void itsKeysOpenADialog_data() {
        QTest::addColumn<QKeyCombination>("keys");
        QTest::addColumn<QByteArray>("dialog");
        QTest::newRow("?") << QKeyCombination(Qt::NoModifier, Qt::Key_Question)
                           << QByteArray("rankscope::ShortcutsDialog");
        QTest::newRow("Ctrl+O") << QKeyCombination(Qt::ControlModifier, Qt::Key_O) << QByteArray("QFileDialog");
        QTest::newRow("Shift+Ctrl+O") << QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_O)
                                      << QByteArray("QFileDialog");
        QTest::newRow("Ctrl+E") << QKeyCombination(Qt::ControlModifier, Qt::Key_E)
                                << QByteArray("rankscope::ExportDialog");
        QTest::newRow("Ctrl+,") << QKeyCombination(Qt::ControlModifier, Qt::Key_Comma)
                                << QByteArray("rankscope::SettingsDialog");
    }
    void itsKeysOpenADialog() {
        QFETCH(const QKeyCombination, keys);
        QFETCH(const QByteArray, dialog);
        QByteArray opened;
        QTimer look; // file dialogs keep the loop to themselves
        look.callOnTimeout([&] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* shown = qobject_cast<QDialog*>(widget); shown != nullptr && shown->isVisible()) {
                    opened = shown->metaObject()->className();
                    shown->reject();
                }
        });
        look.start(20);
        QTest::keyClick(window_.get(), keys.key(), keys.keyboardModifiers());
        QTRY_COMPARE(opened, dialog);
    }
    void everyCommandCanBeReachedByKeyboardAndHasHelp() {
        const CommandTable& commands = window_->commands();
        QVERIFY(!commands.shortcuts(u"palette"_s).isEmpty()); // the palette has all others
        for (const Command& command : commands.commands()) {
            QVERIFY2(!command.help.trimmed().isEmpty(), qPrintable(command.id));
            QVERIFY2(!CommandTable::plainTitle(command).trimmed().isEmpty(), qPrintable(command.id));
            QVERIFY2(isInMenus(*commands.action(command.id)), qPrintable(command.id));
        }
    }
    void everyMenuHasAMnemonicOfItsOwn() {
        QSet<QChar> taken;
        for (const QAction* menu : window_->menuBar()->actions()) {
            const qsizetype at = menu->text().indexOf(u'&');
            QVERIFY2(at >= 0, qPrintable(menu->text()));
            const QChar letter = menu->text()[at + 1].toLower();
            QVERIFY2(!taken.contains(letter), qPrintable(menu->text()));
            taken << letter;
        }
    }
    void everyControlHasANameForAssistiveTechnology() {
        for (const ScreenEntry& screen : screenEntries()) {
            window_->showScreen(screen.id);
            QCOMPARE(namelessControls(*window_).join(u'\n'), QString());
        }
        ShortcutsDialog shortcuts(window_->commands());
        QCOMPARE(namelessControls(shortcuts).join(u'\n'), QString());
        GoToDialog place(0);
        QCOMPARE(namelessControls(place).join(u'\n'), QString());
        QuickPick pick(u"Commands"_s, u"Type"_s, {});
        QCOMPARE(namelessControls(pick).join(u'\n'), QString());
    }
    void tabReachesTheTimelineAndShowsIt() {
        window_->showScreen(MainWindow::timelineScreen);
        bool reached = false;
        for (int i = 0; i < 60 && !reached; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            reached = window_->timeline().hasFocus();
        }
        QVERIFY(reached);
        QVERIFY(window_->timeline().scene().focused); // drawn as a frame
    }

private:
    [[nodiscard]] QString run() const { return folder_.filePath(u"run"_s); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(window_.get(), key, modifiers); }
    /// An empty window in front, in place of the one with a run.
    void start() {
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->resize(1280, 800);
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    bool isAnalysed(const QStringList& paths) {
        QSignalSpy analysed(window_.get(), &MainWindow::runAnalysed);
        window_->addPaths(paths);
        return analysed.wait(60'000);
    }
    void goTo(const QString& text) {
        window_->commands().action(u"go-to"_s)->trigger();
        auto* dialog = window_->findChild<GoToDialog*>();
        QTest::keyClicks(&dialog->field(), text);
        QTest::keyClick(&dialog->field(), Qt::Key_Return);
        QTRY_VERIFY(window_->findChild<GoToDialog*>() == nullptr);
    }
    [[nodiscard]] bool isInMenus(const QAction& wanted) const {
        const QList<QMenu*> menus = window_->menuBar()->findChildren<QMenu*>();
        return std::ranges::any_of(menus, [&](const QMenu* menu) {
            return std::ranges::any_of(menu->actions(), [&](const QAction* a) { return a == &wanted; });
        });
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestNavigation)

} // namespace rankscope::navigation_test

#include "test_navigation.moc"
