// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog of shortcuts: finding, changing, conflicts, resetting, and that changes are kept.
#include <QAction>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "app/settings/settings.h"
#include "app/settings/shortcut_settings.h"
#include "app/settings/shortcuts_dialog.h"
#include "tests/support/test_program.h"
#include "widgets/command_table.h"

namespace rankscope::shortcuts_dialog_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Two commands of the window, one of a place, a gesture.
struct Table {
    QWidget window;
    CommandTable commands{&window};
    Table() {
        commands.addPlace({u"timeline"_s, u"Timeline"_s, &window});
        add(u"open"_s, u"&Open…"_s, u"Ctrl+O"_s, {});
        add(u"close"_s, u"&Close"_s, u"Ctrl+W"_s, {});
        add(u"zoom"_s, u"&Zoom"_s, u"W"_s, u"timeline"_s);
        commands.addGesture({u"timeline"_s, u"Wheel"_s, u"Scroll"_s});
    }
    void add(const QString& id, const QString& title, const QString& key, const QString& place) {
        Command command{id, u"&Menu"_s, title, {QKeySequence(key)}, u"Help"_s, [] {}};
        command.place = place;
        commands.add(std::move(command));
    }
};

QList<QKeySequence> keys(const QString& text) { return {QKeySequence(text)}; }

QStringList rowsShown(const ShortcutsDialog& dialog) {
    const auto* list = dialog.findChild<QTreeWidget*>();
    QStringList rows;
    for (int i = 0; i < list->topLevelItemCount(); ++i)
        for (int j = 0; j < list->topLevelItem(i)->childCount(); ++j)
            if (const QTreeWidgetItem* item = list->topLevelItem(i)->child(j); !item->isHidden())
                rows << item->text(0) + u'|' + item->text(1);
    return rows;
}

} // namespace

class TestShortcutsDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path()); }
    void init() { openSettings()->clear(); }

    void listsEveryCommandAndGesture() {
        Table table;
        const ShortcutsDialog dialog(table.commands);
        QCOMPARE(rowsShown(dialog),
                 (QStringList{u"Open|Ctrl+O"_s, u"Close|Ctrl+W"_s, u"Zoom|W"_s, u"Gesture|Wheel"_s}));
    }
    void theFilterFindsCommandsAndKeys_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QStringList>("rows");
        QTest::newRow("name") << u"zoo"_s << QStringList{u"Zoom|W"_s};
        QTest::newRow("key") << u"ctrl+o"_s << QStringList{u"Open|Ctrl+O"_s};
        QTest::newRow("gesture") << u"scroll"_s << QStringList{u"Gesture|Wheel"_s};
        QTest::newRow("nothing") << u"xyz"_s << QStringList{};
    }
    void theFilterFindsCommandsAndKeys() {
        QFETCH(QString, wanted);
        Table table;
        const ShortcutsDialog dialog(table.commands);
        dialog.filter().setText(wanted);
        QTEST(rowsShown(dialog), "rows");
    }
    void aKeyIsTypedAndAssigned() {
        Table table;
        ShortcutsDialog dialog(table.commands);
        dialog.show();
        dialog.select(u"open"_s);
        QTest::keyClick(&dialog.keyField(), Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY2(dialog.verdict().startsWith(u"Nothing else"_s),
                     qPrintable(dialog.verdict())); // the field waits for more keys
        dialog.assign();
        QCOMPARE(table.commands.shortcuts(u"open"_s), keys(u"Ctrl+N"_s));
        QCOMPARE(rowsShown(dialog).front(), u"Open|Ctrl+N"_s);
        QVERIFY(dialog.keyField().keySequence().isEmpty());
    }
    void aConflictIsSaidAndAssigningTakesTheKeyAway() {
        Table table;
        ShortcutsDialog dialog(table.commands);
        dialog.select(u"open"_s);
        dialog.keyField().setKeySequence(QKeySequence(u"W"_s));
        QVERIFY2(dialog.verdict().contains(u"Zoom"_s), qPrintable(dialog.verdict()));
        dialog.assign();
        QCOMPARE(table.commands.shortcuts(u"open"_s), keys(u"W"_s));
        QVERIFY(table.commands.shortcuts(u"zoom"_s).isEmpty());
        dialog.select(u"zoom"_s); // its own key comes back, from the command that took it
        dialog.reset();
        QCOMPARE(table.commands.shortcuts(u"zoom"_s), keys(u"W"_s));
        QVERIFY(table.commands.shortcuts(u"open"_s).isEmpty());
        dialog.resetAll();
        QCOMPARE(table.commands.shortcuts(u"open"_s), keys(u"Ctrl+O"_s));
    }
    void aKeyCanBeAddedAndAllTaken() {
        Table table;
        ShortcutsDialog dialog(table.commands);
        dialog.select(u"open"_s);
        dialog.keyField().setKeySequence(QKeySequence(u"F2"_s));
        dialog.addKey();
        QCOMPARE(table.commands.shortcuts(u"open"_s),
                 (QList<QKeySequence>{QKeySequence(u"Ctrl+O"_s), QKeySequence(u"F2"_s)}));
        dialog.removeKeys();
        QVERIFY(table.commands.shortcuts(u"open"_s).isEmpty());
    }
    void aSequenceOfKeysIsCutToItsFirst() {
        Table table;
        ShortcutsDialog dialog(table.commands);
        dialog.select(u"open"_s);
        dialog.keyField().setKeySequence(QKeySequence(u"Ctrl+K, Ctrl+L"_s));
        dialog.assign();
        QCOMPARE(table.commands.shortcuts(u"open"_s), keys(u"Ctrl+K"_s));
    }
    void aGestureCannotBeChanged() {
        Table table;
        ShortcutsDialog dialog(table.commands);
        auto* list = dialog.findChild<QTreeWidget*>();
        list->setCurrentItem(list->topLevelItem(1)->child(1));
        QVERIFY(dialog.selected().isEmpty());
        QVERIFY(!dialog.keyField().isEnabled());
    }
    void changesAreKept() {
        {
            Table table;
            keepShortcuts(table.commands);
            table.commands.setShortcuts(u"open"_s, keys(u"Ctrl+N"_s));
            table.commands.setShortcuts(u"close"_s, {});
            table.commands.setShortcuts(u"zoom"_s, keys(u"Z"_s));
            table.commands.resetShortcuts(u"zoom"_s);
        }
        Table table;
        keepShortcuts(table.commands);
        QCOMPARE(table.commands.shortcuts(u"open"_s), keys(u"Ctrl+N"_s));
        QVERIFY(table.commands.shortcuts(u"close"_s).isEmpty());
        QVERIFY(!table.commands.isChanged(u"zoom"_s));
        QVERIFY(!openSettings()->contains(u"shortcuts/zoom"_s));
    }
    void storedNonsenseIsNoKey() {
        openSettings()->setValue(u"shortcuts/open"_s, QStringList{u"Blah+Foo"_s, u"F7"_s});
        Table table;
        keepShortcuts(table.commands);
        QCOMPARE(table.commands.shortcuts(u"open"_s), keys(u"F7"_s));
    }

private:
    QTemporaryDir settings_;
};

RANKSCOPE_GUI_TEST(TestShortcutsDialog)

} // namespace rankscope::shortcuts_dialog_test

#include "test_shortcuts_dialog.moc"
