// SPDX-License-Identifier: GPL-3.0-or-later
// A monkey at the window: random keys, clicks, drags, wheels and commands over four runs, which are opened, compared,
// cancelled and closed meanwhile, while the rules of the analysis change. The ordinary test is short;
// RANKSCOPE_MONKEY=10000 in the environment is the long one, RANKSCOPE_MONKEY_SEED another one.
#include <QApplication>
#include <QDialog>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <array>
#include <random>

#include "app/settings/preferences.h"
#include "app/window/main_window.h"
#include "app/window/run_library.h"
#include "app/window/settings_controller.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/runs_panel.h"

namespace rankscope::monkey_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;
constexpr std::array kKeys{Qt::Key_W,
                           Qt::Key_A,
                           Qt::Key_S,
                           Qt::Key_D,
                           Qt::Key_F,
                           Qt::Key_0,
                           Qt::Key_M,
                           Qt::Key_P,
                           Qt::Key_H,
                           Qt::Key_R,
                           Qt::Key_G,
                           Qt::Key_Slash,
                           Qt::Key_Comma,
                           Qt::Key_Period,
                           Qt::Key_Escape,
                           Qt::Key_Tab,
                           Qt::Key_Left,
                           Qt::Key_Right,
                           Qt::Key_Up,
                           Qt::Key_Down,
                           Qt::Key_Return,
                           Qt::Key_Space,
                           Qt::Key_Home,
                           Qt::Key_End,
                           Qt::Key_PageUp,
                           Qt::Key_PageDown,
                           Qt::Key_Delete,
                           Qt::Key_BracketLeft,
                           Qt::Key_BracketRight,
                           Qt::Key_Question,
                           Qt::Key_1,
                           Qt::Key_5};
constexpr std::array kModifiers{Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
/// Lead out of the program, or write where the user says.
const QStringList kLeft{u"quit"_s};

class Monkey {
public:
    Monkey(MainWindow& window, QStringList runs, unsigned seed)
        : window_(window), runs_(std::move(runs)), random_(seed) {}

    /// One gesture; what it was.
    QString act() {
        switch (below(14)) {
        case 0: return command();
        case 1: return openOrCompare();
        case 12: return closeOrCancel();
        case 13: return below(6) == 0 ? changeSettings() : openOrCompare();
        case 2:
        case 3: return wheel();
        case 4:
        case 5: return drag();
        case 6:
        case 7:
        case 8: return click();
        default: return key();
        }
    }

private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    template <typename Values>
    auto anyOf(const Values& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    QWidget* anyWidget() {
        QList<QWidget*> visible;
        for (QWidget* widget : window_.findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && widget->width() > 2 && widget->height() > 2)
                visible << widget;
        return visible.isEmpty() ? &window_ : visible[below(static_cast<int>(visible.size()))];
    }
    QPoint anyPoint(const QWidget& widget) { return {below(widget.width()), below(widget.height())}; }
    static QString named(const QWidget& widget) { return QString::fromLatin1(widget.metaObject()->className()); }

    QString key() {
        QWidget* target = QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &window_;
        const Qt::Key pressed = anyOf(kKeys);
        const Qt::KeyboardModifier modifier = anyOf(kModifiers);
        const QString what = u"key "_s + QKeySequence(pressed | modifier).toString() + u" at "_s + named(*target);
        QTest::keyClick(target, pressed, modifier);
        return what;
    }
    QString click() {
        QPointer<QWidget> widget = anyWidget();
        const QPoint place = anyPoint(*widget);
        const QString what = u"click on "_s + named(*widget);
        const Qt::MouseButton button = below(8) == 0 ? Qt::MiddleButton : Qt::LeftButton;
        if (below(6) == 0)
            QTest::mouseDClick(widget, button, anyOf(kModifiers), place);
        else
            QTest::mouseClick(widget, button, anyOf(kModifiers), place);
        return what;
    }
    QString drag() {
        QPointer<QWidget> widget = anyWidget();
        const QPoint from = anyPoint(*widget);
        const QPoint to = anyPoint(*widget);
        const QString what = u"drag over "_s + named(*widget);
        const Qt::KeyboardModifier modifier = anyOf(kModifiers);
        QTest::mousePress(widget, Qt::LeftButton, modifier, from);
        for (int i = 1; i <= 4 && widget; ++i)
            QTest::mouseMove(widget, from + (to - from) * i / 4);
        if (widget)
            QTest::mouseRelease(widget, Qt::LeftButton, modifier, to);
        return what;
    }
    QString wheel() {
        QWidget* widget = anyWidget();
        const QPoint place = anyPoint(*widget);
        QWheelEvent event(place, widget->mapToGlobal(place), {}, {0, (below(9) - 4) * 120}, Qt::NoButton,
                          anyOf(kModifiers), Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
        return u"wheel over "_s + named(*widget);
    }
    QString command() {
        const auto& commands = window_.commands().commands();
        const Command& command = commands[static_cast<std::size_t>(below(static_cast<int>(commands.size())))];
        const QString id = command.id;
        if (QAction* action = window_.commands().action(id);
            action != nullptr && action->isEnabled() && !kLeft.contains(id))
            action->trigger();
        return u"command "_s + id;
    }
    QString openOrCompare() {
        const QString run = runs_[below(static_cast<int>(runs_.size()))];
        if (below(3) == 0) {
            window_.compareRuns({run, runs_[below(static_cast<int>(runs_.size()))]});
            return u"compare"_s;
        }
        window_.addPaths({run});
        return u"open "_s + run.section(u'/', -1);
    }

    QString closeOrCancel() {
        if (below(2) == 0) {
            window_.commands().action(u"cancel-reading"_s)->trigger();
            return u"cancel"_s;
        }
        const QString run = runs_[below(static_cast<int>(runs_.size()))];
        Q_EMIT window_.runsPanel().removeRequested(run);
        return u"close "_s + run.section(u'/', -1);
    }
    QString changeSettings() {
        Preferences preferences;
        if (below(2) == 0)
            preferences.kernelClasses = {{"gemm", KernelClass::communication}};
        preferences.theme = below(2) == 0 ? Theme::dark : Theme::light;
        window_.settings().take(preferences);
        return u"settings"_s;
    }

    MainWindow& window_;
    QStringList runs_;
    std::mt19937 random_;
};

} // namespace

class TestMonkey : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        for (const char* home : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) // it may press anything
            qputenv(home, folder_.path().toUtf8());
    }

    void nothingBreaks() {
        QStringList runs;
        for (int i = 0; i < 4; ++i) {
            SimulatorOptions options;
            options.dp = 2;
            options.pp = 1 + i % 3;
            options.steps = i < 3 ? 2 + i : 40; // one takes its time
            runs << folder_.filePath(u"run%1"_s.arg(i));
            QVERIFY(write_run(options, runs.back().toStdString()).has_value());
        }
        const int gestures =
            qEnvironmentVariableIsSet("RANKSCOPE_MONKEY") ? qEnvironmentVariableIntValue("RANKSCOPE_MONKEY") : 400;
        const int seed = qEnvironmentVariableIntValue("RANKSCOPE_MONKEY_SEED");

        MainWindow window{GuiOptions{}};
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.addPaths(runs);
        QVERIFY(analysed.wait(kPatience));

        // A dialog or a menu would wait for an answer.
        QTimer closer;
        connect(&closer, &QTimer::timeout, &closer, [] {
            if (QWidget* popup = QApplication::activePopupWidget())
                popup->close();
            else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
                dialog->reject();
        });
        closer.start(20);

        Monkey monkey(window, runs, static_cast<unsigned>(seed));
        const bool told = qEnvironmentVariableIsSet("RANKSCOPE_MONKEY_TOLD");
        for (int i = 0; i < gestures; ++i) {
            const QString what = monkey.act();
            if (told)
                qInfo("%d %s", i, qUtf8Printable(what));
            QCoreApplication::processEvents();
            if (!window.isVisible())
                window.show();
        }
        QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), kPatience);

        // It still works.
        window.addPaths({runs.front()});
        QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy() && window.openPath() == runs.front(), kPatience);
        QVERIFY(window.shownAnalysis() != nullptr);
        QCOMPARE(window.library().at(runs.front()).revision, window.library().revision());
        window.compareRuns({runs[0], runs[1]}); // closed or not, read or not
        QTRY_VERIFY_WITH_TIMEOUT(window.comparePage().isReady() && !window.isBusy(), kPatience);
        window.showScreen(MainWindow::timelineScreen);
        QVERIFY(!window.grab().isNull());
    }
};

RANKSCOPE_GUI_TEST(TestMonkey)

} // namespace rankscope::monkey_test

#include "test_monkey.moc"
