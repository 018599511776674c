// SPDX-License-Identifier: GPL-3.0-or-later
// What is registered in a table - screens, panels, overlays, settings, commands - has all that the window needs of it,
// and is there again at the next start. A new line in a table is tested by this.
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QSet>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/settings/setting_entries.h"
#include "app/settings/settings.h"
#include "app/settings/settings_dialog.h"
#include "app/window/main_window.h"
#include "app/window/panels.h"
#include "app/window/run_session.h"
#include "app/window/screens.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/folding_tabs.h"
#include "widgets/timeline/overlay_legend.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::window_tables_test {
using namespace Qt::Literals::StringLiterals;

class TestWindowTables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 2;
        options.steps = 2;
        QVERIFY(write_run(options, run().toStdString()).has_value());
    }
    void init() {
        QFile::remove(sessionFile(run()));
        openSettings()->clear();
    }

    void everyScreenIsTitledReachedByAKeyAndComesBack() {
        QSet<QString> ids;
        for (const ScreenEntry& entry : screenEntries()) {
            QVERIFY2(areWords({entry.id, entry.title, entry.key, entry.help}) && !ids.contains(entry.id),
                     qPrintable(entry.id));
            ids << entry.id;
            if (entry.only_for || entry.id == kOverviewScreen || entry.id == kCompareScreen)
                continue; // the one is not there for this run; the others are no place that a run was left at
            leave([&](MainWindow& window) { window.commands().action(u"screen-"_s + entry.id)->trigger(); });
            const auto window = openedWindow(run());
            QVERIFY(window != nullptr);
            QCOMPARE(window->screenShown(), entry.id);
        }
    }

    void everyPanelIsTitledReachedByAKeyAndComesBack() {
        QSet<QString> ids;
        int tab = 0;
        for (const PanelEntry& entry : panelEntries()) {
            QVERIFY2(areWords({entry.id, entry.title, entry.key, entry.help}) && !ids.contains(entry.id),
                     qPrintable(entry.id));
            ids << entry.id;
            leave([&](MainWindow& window) {
                QVERIFY(panels(window).isFolded());
                window.commands().action(u"panel-"_s + entry.id)->trigger();
                QCOMPARE(window.commands().shortcuts(u"panel-"_s + entry.id), QList{QKeySequence(entry.key)});
            });
            const auto window = openedWindow(run());
            QVERIFY(window != nullptr);
            QVERIFY(!panels(*window).isFolded());
            QCOMPARE(panels(*window).currentIndex(), tab);
            QCOMPARE(panels(*window).tabText(tab), entry.title);
            QCOMPARE(panels(*window).tabToolTip(tab), entry.help);
            panels(*window).setFolded(true);
            window->close();
            ++tab;
        }
        const auto window = openedWindow(run());
        QVERIFY(window != nullptr && panels(*window).isFolded()); // as it was left last
    }

    void everyOverlayIsTitledExplainedReachedByAKeyAndComesBack() {
        for (const OverlayEntry& entry : overlayEntries()) {
            const QString title = entry.title;
            const QString overlay = entry.id;
            QVERIFY(areWords({overlay, title, entry.explanation(true)}));
            leave([&](MainWindow& window) {
                QVERIFY(!window.viewState().shows(overlay));
                const auto& commands = window.commands().commands();
                const auto command = std::ranges::find(commands, title, &Command::title);
                QVERIFY(command != commands.end() && command->id == entry.command && !command->shortcuts.isEmpty());
                window.showScreen(kTimelineScreen);
                window.commands().action(command->id)->trigger();
                QVERIFY(window.viewState().shows(overlay));
                const QToolButton& button = window.timeline().findChild<OverlayLegend*>()->button(overlay);
                QVERIFY(button.isChecked());
                QCOMPARE(button.text(), title);
                QVERIFY(!button.toolTip().isEmpty());
            });
            const auto window = openedWindow(run());
            QVERIFY(window != nullptr);
            QCOMPARE(window->viewState().overlays(), std::set<QString>{overlay});
            window->viewState().setShows(overlay, false);
            window->close();
        }
    }

    void everySettingIsExplainedKeptAndShownAgain() {
        QSet<QString> keys;
        for (const SettingEntry& entry : settingEntries()) {
            QVERIFY2(areWords({entry.key, entry.help}) && !keys.contains(entry.key), qPrintable(entry.key));
            keys << entry.key;
            const Preferences before = loadPreferences();
            if (!entry.control) {
                entry.store(before, *openSettings());
                QVERIFY(loadPreferences() == before);
                continue; // the tables of Analysis: test_settings
            }
            Preferences now = before;
            const SettingControl control =
                entry.control([&](const std::function<void(Preferences&)>& change) { change(now); });
            control.show(before);
            QVERIFY2(now == before, qPrintable(entry.key)); // showing a value is no choice
            for (const SettingRow& row : control.rows)
                QCOMPARE(row.control->toolTip(), entry.help);
            choose(control);
            QVERIFY2(!(now == before), qPrintable(entry.key));
            storePreferences(now, *openSettings());
            QVERIFY2(loadPreferences() == now, qPrintable(entry.key));
            const SettingControl again = entry.control([](const auto&) {});
            again.show(loadPreferences());
            QCOMPARE(valueOf(again), valueOf(control));
            for (const SettingControl* made : {&control, &again})
                for (const SettingRow& row : made->rows)
                    delete row.control;
        }
        SettingsDialog dialog(loadPreferences()); // which has all of them
        for (const SettingEntry& entry : settingEntries())
            if (entry.control)
                QVERIFY2(std::ranges::any_of(dialog.findChildren<QWidget*>(),
                                             [&](const QWidget* widget) { return widget->toolTip() == entry.help; }),
                         qPrintable(entry.key));
    }

    void everyCommandIsTitledExplainedInAMenuAndKeepsItsKeys() {
        const auto keyOf = [](int number) { // one that nobody else has
            constexpr std::array kModifiers{Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier,
                                            Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier,
                                            Qt::ShiftModifier | Qt::AltModifier | Qt::MetaModifier,
                                            Qt::ControlModifier | Qt::ShiftModifier | Qt::MetaModifier,
                                            Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier |
                                                Qt::MetaModifier};
            return QKeySequence(kModifiers.at(static_cast<std::size_t>(number / 26)) |
                                static_cast<Qt::Key>(Qt::Key_A + number % 26));
        };
        {
            MainWindow window(GuiOptions{});
            QSet<QString> ids;
            int number = 0;
            for (const Command& command : window.commands().commands()) {
                QVERIFY2(areWords({command.id, command.menu, command.title, command.help}) && !ids.contains(command.id),
                         qPrintable(command.id));
                QVERIFY2(command.run || command.hold, qPrintable(command.id));
                QAction* action = window.commands().action(command.id);
                QVERIFY2(action != nullptr && !action->associatedObjects().isEmpty(), qPrintable(command.id));
                ids << command.id;
                window.commands().setShortcuts(command.id, {keyOf(number++)});
            }
            QVERIFY(number > 60);
        }
        MainWindow window(GuiOptions{});
        int number = 0;
        for (const Command& command : window.commands().commands())
            QCOMPARE(window.commands().shortcuts(command.id), QList{keyOf(number++)});
    }

private:
    [[nodiscard]] QString run() const { return folder_.filePath(u"run"_s); }
    static bool areWords(const QStringList& texts) {
        return std::ranges::all_of(
            texts, [](const QString& text) { return !text.trimmed().isEmpty(); });
    }
    static FoldingTabs& panels(const MainWindow& window) { return *window.findChild<FoldingTabs*>(); }
    /// Does something in a window with the run open, and closes it.
    void leave(const std::function<void(MainWindow&)>& act) {
        const auto window = openedWindow(run());
        QVERIFY(window != nullptr);
        act(*window);
        window->close();
    }
    /// Another value, by the user's hand.
    static void choose(const SettingControl& setting) {
        QWidget* control = setting.rows.front().control;
        if (auto* check = qobject_cast<QCheckBox*>(control)) {
            check->click();
        } else if (auto* box = qobject_cast<QComboBox*>(control)) {
            box->setCurrentIndex((box->currentIndex() + 1) % box->count());
            Q_EMIT box->activated(box->currentIndex());
        } else if (auto* number = qobject_cast<QSpinBox*>(control)) {
            number->stepUp();
        }
    }
    static QString valueOf(const SettingControl& setting) {
        QStringList values;
        for (const SettingRow& row : setting.rows)
            if (const auto* check = qobject_cast<const QCheckBox*>(row.control))
                values << (check->isChecked() ? u"on"_s : u"off"_s);
            else if (const auto* box = qobject_cast<const QComboBox*>(row.control))
                values << box->currentText();
            else if (const auto* number = qobject_cast<const QSpinBox*>(row.control))
                values << number->text();
        return values.join(u' ');
    }

    QTemporaryDir folder_;
};

RANKSCOPE_GUI_TEST(TestWindowTables)

} // namespace rankscope::window_tables_test

#include "test_window_tables.moc"
