// SPDX-License-Identifier: GPL-3.0-or-later
// Each button and each entry of a menu that can be used does something that one can see: the window looks otherwise,
// another window, menu or dialog opens, or something is copied.
#include <algorithm>
#include <memory>

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialog>
#include <QImage>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/window/main_window.h"
#include "app/window/screens.h"
#include "app/window/tour.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"

namespace rankscope::every_button_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Has seen a menu or a dialog open since it was made, and closes those.
class Opened : public QObject {
    Q_OBJECT
public:
    explicit Opened(const QWidget& window) : window_(window) {
        connect(&look_, &QTimer::timeout, this, &Opened::closeAll);
        look_.start(20);
    }
    [[nodiscard]] bool any() const { return any_; }
    void closeAll() {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (!widget->isVisible() || widget == &window_ || widget->windowType() == Qt::ToolTip)
                continue;
            any_ = true;
            if (auto* dialog = qobject_cast<QDialog*>(widget))
                dialog->reject();
            else
                widget->close();
        }
    }
    Q_INVOKABLE void openUrl(const QUrl&) { any_ = true; }

private:
    const QWidget& window_;
    QTimer look_;
    bool any_ = false;
};

QString words(const QAbstractButton& button) {
    QString text = button.text().isEmpty() ? button.accessibleName() : button.text();
    if (text.isEmpty())
        text = button.toolTip();
    return QString(text).remove(u'&').replace(u'\n', u' ') + u" ("_s +
           QString::fromLatin1(button.metaObject()->className()) + u')';
}

/// A choice of several that is made already: it stays as it is.
bool isChosen(const QAbstractButton& button) {
    return button.isCheckable() && button.isChecked() &&
           (button.autoExclusive() || (button.group() != nullptr && button.group()->exclusive()));
}

} // namespace

class TestEveryButton : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.pp = 2;
        options.steps = 3;
        QVERIFY(write_run(options, run().toStdString()).has_value());
    }
    void cleanup() { window_.reset(); }

    void eachButtonOfEachScreen_data() {
        QTest::addColumn<QString>("screen");
        for (const ScreenEntry& entry : screenEntries())
            QTest::newRow(qPrintable(entry.id)) << entry.id;
    }
    void eachButtonOfEachScreen() {
        QFETCH(const QString, screen);
        open();
        show(screen);
        const QStringList names = buttons();
        QStringList without;
        for (qsizetype i = 0; i < names.size(); ++i) {
            // What was clicked before may have changed what is there: from the start, unless nothing is different.
            if (buttons() != names) {
                open();
                show(screen);
            }
            QAbstractButton* const button = buttonAt(i);
            QVERIFY2(button != nullptr && words(*button) == names[i], qPrintable(names[i]));
            if (isChosen(*button))
                continue;
            button->setFocus();
            if (!doesSomething([&] { QTest::mouseClick(button, Qt::LeftButton); }))
                without << names[i];
        }
        QCOMPARE(without.join(u'\n'), QString());
    }

    void eachEntryOfEachMenu() {
        open();
        QList<QStringList> paths;
        collect(window_->menuBar()->actions(), {}, paths);
        QVERIFY(paths.size() > 40);
        QStringList without;
        for (const QStringList& path : paths) {
            if (path.back() == u"Quit"_s || path.back() == run()) // that one is shown already
                continue;
            if (!window_->isVisible() || entry(path) == nullptr)
                open();
            show(screenEntries().front().id);
            if (window_->tour() != nullptr) // the demo's, which Help > Tour would only begin anew
                window_->tour()->leave();
            QMenu* menu = nullptr;
            QAction* const action = entry(path, &menu);
            if (action == nullptr || !action->isEnabled() || (action->isChecked() && action->actionGroup() != nullptr))
                continue;
            if (!doesSomething([&] {
                    menu->popup(window_->mapToGlobal(QPoint(10, 10)));
                    QTest::mouseClick(menu, Qt::LeftButton, Qt::NoModifier, menu->actionGeometry(action).center());
                }))
                without << path.join(u" > "_s);
        }
        QCOMPARE(without.join(u'\n'), QString());
    }

private:
    [[nodiscard]] QString run() const { return folder_.filePath(u"run"_s); }

    void open() {
        window_.reset(); // which writes what it was left like
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        window_ = openedWindow(run());
        QVERIFY(window_);
        window_->resize(1280, 800);
        settle();
    }
    void show(const QString& screen) {
        window_->showScreen(screen);
        settle();
    }
    void settle() {
        QImage before;
        for (int i = 0; i < 50; ++i) {
            QTest::qWait(30);
            QImage now = picture();
            if (now == before)
                return;
            before = std::move(now);
        }
    }
    [[nodiscard]] QImage picture() const { return window_->grab().toImage(); }

    [[nodiscard]] QList<QAbstractButton*> visibleButtons() const {
        QList<QAbstractButton*> visible;
        for (QAbstractButton* button : window_->findChildren<QAbstractButton*>())
            if (button->isVisible() && button->isEnabled() && !button->visibleRegion().isEmpty() &&
                qobject_cast<QTabBar*>(button->parentWidget()) == nullptr)
                visible << button;
        return visible;
    }
    [[nodiscard]] QStringList buttons() const {
        QStringList names;
        for (const QAbstractButton* button : visibleButtons())
            names << words(*button);
        return names;
    }
    [[nodiscard]] QAbstractButton* buttonAt(qsizetype place) const { return visibleButtons().value(place); }

    /// The entries of all menus, with those that are checked.
    [[nodiscard]] QStringList entries() const {
        QList<QStringList> paths;
        collect(window_->menuBar()->actions(), {}, paths);
        QStringList all;
        for (const QStringList& path : paths) {
            const QAction* const action = entry(path);
            all << path.join(u'>') + (action != nullptr && action->isChecked() ? u"*"_s : QString());
        }
        return all;
    }

    template <typename Act>
    bool doesSomething(const Act& act) {
        settle();
        const QImage before = picture();
        const QStringList entriesBefore = entries();
        QGuiApplication::clipboard()->setText(u"nothing copied"_s);
        Opened opened(*window_);
        for (const QString& scheme : {u"https"_s, u"http"_s, u"file"_s})
            QDesktopServices::setUrlHandler(scheme, &opened, "openUrl");
        QPointer<MainWindow> window = window_.get();
        act();
        bool something = false;
        for (int i = 0; i < 40 && !something && window; ++i) {
            QTest::qWait(20);
            something = opened.any() || !window->isVisible() || picture() != before || entries() != entriesBefore ||
                        QGuiApplication::clipboard()->text() != u"nothing copied"_s;
        }
        opened.closeAll();
        for (const QString& scheme : {u"https"_s, u"http"_s, u"file"_s})
            QDesktopServices::unsetUrlHandler(scheme);
        return something;
    }

    static QString plain(const QAction& action) { return QString(action.text()).remove(u'&'); }
    static void collect(const QList<QAction*>& actions, const QStringList& above, QList<QStringList>& paths) {
        for (const QAction* action : actions) {
            if (action->isSeparator() || !action->isVisible())
                continue;
            const QStringList path = QStringList(above) << plain(*action);
            if (action->menu() != nullptr)
                collect(action->menu()->actions(), path, paths);
            else
                paths << path;
        }
    }
    /// menu: the one that it is in.
    QAction* entry(const QStringList& path, QMenu** menu = nullptr) const {
        QList<QAction*> actions = window_->menuBar()->actions();
        QMenu* in = nullptr;
        for (const QString& name : path) {
            const auto found = std::ranges::find_if(actions, [&](const QAction* each) { return plain(*each) == name; });
            if (found == actions.end())
                return nullptr;
            if ((*found)->menu() == nullptr) {
                if (menu != nullptr)
                    *menu = in;
                return *found;
            }
            in = (*found)->menu();
            actions = in->actions();
        }
        return nullptr;
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestEveryButton)

} // namespace rankscope::every_button_test

#include "test_every_button.moc"
