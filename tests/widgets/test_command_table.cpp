// SPDX-License-Identifier: GPL-3.0-or-later
// The command table: keys of the window and of places, held keys, the user's shortcuts, conflicts.
#include <memory>

#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/test_program.h"
#include "widgets/command_table.h"

namespace rankscope::command_table_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// A widget with keys of its own, as the timeline has.
class Place : public QWidget {
public:
    using QWidget::QWidget;
    CommandTable* table = nullptr;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (!table->pressKey(u"place"_s, *event))
            QWidget::keyPressEvent(event);
    }
    void keyReleaseEvent(QKeyEvent* event) override {
        if (!table->releaseKey(u"place"_s, *event))
            QWidget::keyReleaseEvent(event);
    }
};

} // namespace

class TestCommandTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Escape of the window is a text field's own where one has the focus, and that of a place which uses it.
    void aKeyThatYieldsGoesToWhoeverUsesIt() {
        Command cancel{u"cancel"_s, u"&File"_s,
                       u"Cancel"_s, {QKeySequence(Qt::Key_Escape)},
                       u"Cancel"_s, [this] { calls_ << u"cancel"_s; }};
        cancel.yields = true;
        table_->add(cancel);
        Command clear{u"clear"_s, u"&Place"_s,
                      u"Clear"_s, {QKeySequence(Qt::Key_Escape)},
                      u"Clear"_s, [this] { calls_ << u"clear"_s; }};
        clear.place = u"place"_s;
        clear.enabled = [this] { return nextIsEnabled_; };
        table_->add(clear);
        QVERIFY(table_->conflicts(u"cancel"_s, QKeySequence(Qt::Key_Escape)).empty());
        QVERIFY(table_->conflicts(u"clear"_s, QKeySequence(Qt::Key_Escape)).empty());
        auto* field = new QLineEdit(window_.get());
        auto* elsewhere = new QPushButton(window_.get());
        place_->setFocusPolicy(Qt::StrongFocus);
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        const auto escapeAt = [&](QWidget* widget) {
            widget->setFocus();
            calls_.clear();
            QTest::keyClick(widget, Qt::Key_Escape);
            return calls_;
        };
        QCOMPARE(escapeAt(elsewhere), QStringList{u"cancel"_s});
        QCOMPARE(escapeAt(field), QStringList());
        QCOMPARE(escapeAt(place_), QStringList{u"clear"_s});
        nextIsEnabled_ = false; // nothing to clear
        QCOMPARE(escapeAt(place_), QStringList{u"cancel"_s});
    }

    void init() {
        window_ = std::make_unique<QWidget>();
        place_ = new Place(window_.get());
        table_ = std::make_unique<CommandTable>(window_.get());
        place_->table = table_.get();
        calls_.clear();
        table_->addPlace({u"place"_s, u"Place"_s, place_});
        table_->add({u"open"_s,
                     u"&File"_s,
                     u"&Open…"_s,
                     {QKeySequence(u"Ctrl+O"_s)},
                     u"Open"_s,
                     [this] { calls_ << u"open"_s; }});
        Command next{
            u"next"_s, u"&Place"_s, u"Next"_s, {QKeySequence(u"."_s)}, u"Next"_s, [this] { calls_ << u"next"_s; }};
        next.place = u"place"_s;
        next.enabled = [this] { return nextIsEnabled_; };
        nextIsEnabled_ = true;
        table_->add(next);
        Command glide{
            u"glide"_s, u"&Place"_s, u"Glide"_s, {QKeySequence(u"W"_s)}, u"Glide"_s, [this] { calls_ << u"step"_s; }};
        glide.place = u"place"_s;
        glide.hold = [this](bool down) { calls_ << (down ? u"down"_s : u"up"_s); };
        table_->add(glide);
    }
    void cleanup() {
        table_.reset();
        window_.reset();
    }

    void aWindowsKeyWorksAnywhereInTheWindow() {
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(calls_, QStringList{u"open"_s});
    }
    void aPlacesKeyWorksInThePlace_data() {
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::addColumn<QStringList>("calls");
        QTest::newRow("plain") << Qt::KeyboardModifiers() << QStringList{u"next"_s};
        QTest::newRow("keypad") << Qt::KeyboardModifiers(Qt::KeypadModifier) << QStringList{u"next"_s};
        QTest::newRow("keyboards with the symbol above Shift")
            << Qt::KeyboardModifiers(Qt::ShiftModifier) << QStringList{u"next"_s};
        QTest::newRow("another key") << Qt::KeyboardModifiers(Qt::ControlModifier) << QStringList{};
    }
    void aPlacesKeyWorksInThePlace() {
        QFETCH(Qt::KeyboardModifiers, modifiers);
        QFETCH(QStringList, calls);
        QTest::keyClick(place_, Qt::Key_Period, modifiers);
        QCOMPARE(calls_, calls);
    }
    void aDisabledCommandLeavesTheKeyToOthers() {
        nextIsEnabled_ = false;
        QTest::keyClick(place_, Qt::Key_Period);
        QCOMPARE(calls_, QStringList());
        table_->refresh();
        QVERIFY(!table_->action(u"next"_s)->isEnabled());
    }
    void aCommandOfAPlaceThatIsNotOnScreenIsDisabled() {
        QVERIFY(table_->action(u"next"_s)->isEnabled());
        place_->hide();
        table_->refresh();
        QVERIFY(!table_->action(u"next"_s)->isEnabled());
        QVERIFY(table_->action(u"open"_s)->isEnabled());
    }
    void aHeldKeyWorksUntilReleasedAndIgnoresRepeats() {
        QTest::keyPress(place_, Qt::Key_W);
        QKeyEvent repeat(QEvent::KeyPress, Qt::Key_W, {}, {}, true);
        QApplication::sendEvent(place_, &repeat);
        QKeyEvent repeatUp(QEvent::KeyRelease, Qt::Key_W, {}, {}, true);
        QApplication::sendEvent(place_, &repeatUp);
        QCOMPARE(calls_, QStringList{u"down"_s});
        QTest::keyRelease(place_, Qt::Key_W);
        QCOMPARE(calls_, (QStringList{u"down"_s, u"up"_s}));
    }
    void heldKeysEndWhenTheFocusGoes() {
        QTest::keyPress(place_, Qt::Key_W);
        table_->releaseHeldKeys(u"place"_s);
        QTest::keyRelease(place_, Qt::Key_W);
        QCOMPARE(calls_, (QStringList{u"down"_s, u"up"_s}));
    }
    void fromTheMenuAHeldCommandMakesOneStep() {
        table_->action(u"glide"_s)->trigger();
        QCOMPARE(calls_, QStringList{u"step"_s});
    }
    void theUsersKeysReplaceTheDeliveredOnes() {
        QSignalSpy changed(table_.get(), &CommandTable::shortcutsChanged);
        table_->setShortcuts(u"next"_s, {QKeySequence(u"N"_s)});
        QTest::keyClick(place_, Qt::Key_Period);
        QTest::keyClick(place_, Qt::Key_N);
        QCOMPARE(calls_, QStringList{u"next"_s});
        QVERIFY(table_->isChanged(u"next"_s));
        QCOMPARE(table_->action(u"next"_s)->shortcut(), QKeySequence(u"N"_s)); // as menus show it
        table_->resetShortcuts(u"next"_s);
        QVERIFY(!table_->isChanged(u"next"_s));
        QTest::keyClick(place_, Qt::Key_Period);
        QCOMPARE(calls_.size(), 2);
        QCOMPARE(changed.size(), 2);
    }
    void aCommandCanHaveNoKeys() {
        table_->setShortcuts(u"next"_s, {});
        QTest::keyClick(place_, Qt::Key_Period);
        QCOMPARE(calls_, QStringList());
        QVERIFY(table_->isChanged(u"next"_s));
    }
    void aKeyOfTheWindowConflictsWithThatOfAPlace() {
        QVERIFY(table_->conflicts(u"open"_s, QKeySequence(u"X"_s)).empty());
        QCOMPARE(table_->conflicts(u"open"_s, QKeySequence(u"W"_s)).size(), std::size_t{1});
        QCOMPARE(table_->conflicts(u"next"_s, QKeySequence(u"Ctrl+O"_s)).front()->id, u"open"_s);
    }
    void keysOfTwoPlacesDoNotConflict() {
        table_->addPlace({u"other"_s, u"Other"_s, place_});
        Command command{u"other"_s, u"&Other"_s, u"Other"_s, {QKeySequence(u"."_s)}, u"Other"_s, [] {}};
        command.place = u"other"_s;
        table_->add(command);
        QVERIFY(table_->conflicts(u"other"_s, QKeySequence(u"."_s)).empty());
    }
    void aMarkShowsWhatTheCommandSays() {
        bool on = false;
        Command flip{u"flip"_s, u"&View"_s, u"Flip"_s, {}, u"Flip"_s, [&] { on = !on; }};
        flip.checked = [&] { return on; };
        table_->add(flip);
        QVERIFY(!table_->action(u"flip"_s)->isChecked());
        table_->action(u"flip"_s)->trigger();
        QVERIFY(on && table_->action(u"flip"_s)->isChecked());
        on = false;
        table_->refresh();
        QVERIFY(!table_->action(u"flip"_s)->isChecked());
    }
    void titlesAreReadableOutsideOfMenus() {
        QCOMPARE(CommandTable::plainTitle(*table_->command(u"open"_s)), u"Open"_s);
    }

private:
    std::unique_ptr<QWidget> window_;
    Place* place_ = nullptr;
    std::unique_ptr<CommandTable> table_;
    QStringList calls_;
    bool nextIsEnabled_ = true;
};

RANKSCOPE_GUI_TEST(TestCommandTable)

} // namespace rankscope::command_table_test

#include "test_command_table.moc"
