// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once.
#include "widgets/command_table.h"

#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QWidget>

namespace rankscope {

CommandTable::CommandTable(QWidget* window) : window_(window) { window->installEventFilter(this); }

CommandTable::~CommandTable() {
    for (const auto& [id, action] : actions_)
        delete action.data(); // the window may have gone first, with its actions
}

void CommandTable::addPlace(CommandPlace place) {
    Q_ASSERT(this->place(place.id) == nullptr);
    places_.push_back(std::move(place));
}

void CommandTable::add(Command command) {
    Q_ASSERT(this->command(command.id) == nullptr);
    Q_ASSERT(command.place.isEmpty() || place(command.place) != nullptr);
    auto* action = new QAction(command.title, window_);
    action->setObjectName(command.id);
    action->setStatusTip(command.help);
    connect(action, &QAction::triggered, this, [this, id = command.id, run = command.run] {
        run();
        if (const Command* known = this->command(id))
            refresh(*known); // Qt has flipped the mark; the command says whether it is so
    });
    if (!command.choice.isEmpty()) {
        auto* group = window_->findChild<QActionGroup*>(command.choice, Qt::FindDirectChildrenOnly);
        if (group == nullptr) {
            group = new QActionGroup(window_);
            group->setObjectName(command.choice);
        }
        group->addAction(action);
    }
    action->setCheckable(!command.choice.isEmpty() || command.checked);
    if (command.place.isEmpty())
        window_->addAction(action);
    actions_[command.id] = action;
    commands_.push_back(std::move(command));
    applyShortcuts(commands_.back());
    refresh(commands_.back());
}

const CommandPlace* CommandTable::place(const QString& id) const {
    const auto found = std::ranges::find(places_, id, &CommandPlace::id);
    return found == places_.end() ? nullptr : &*found;
}

const Command* CommandTable::command(const QString& id) const {
    const auto found = std::ranges::find(commands_, id, &Command::id);
    return found == commands_.end() ? nullptr : &*found;
}

QAction* CommandTable::action(const QString& id) const {
    const auto found = actions_.find(id);
    return found == actions_.end() ? nullptr : found->second;
}

QList<QKeySequence> CommandTable::shortcuts(const QString& id) const {
    if (const auto changed = changed_.find(id); changed != changed_.end())
        return changed->second;
    const Command* known = command(id);
    return known == nullptr ? QList<QKeySequence>() : known->shortcuts;
}

void CommandTable::setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts) {
    const Command* known = command(id);
    if (known == nullptr || this->shortcuts(id) == shortcuts)
        return;
    if (shortcuts == known->shortcuts)
        changed_.erase(id);
    else
        changed_[id] = shortcuts;
    applyShortcuts(*known);
    Q_EMIT shortcutsChanged(id);
}

void CommandTable::resetShortcuts(const QString& id) {
    if (const Command* known = command(id))
        setShortcuts(id, QList<QKeySequence>(known->shortcuts));
}

std::vector<const Command*> CommandTable::conflicts(const QString& id, const QKeySequence& key) const {
    std::vector<const Command*> found;
    const Command* mine = command(id);
    if (mine == nullptr || key.isEmpty())
        return found;
    for (const Command& other : commands_) {
        // The window's keys work inside every place; two places never have the focus at once.
        const bool meet = mine->place == other.place || (mine->place.isEmpty() && !mine->yields) ||
                          (other.place.isEmpty() && !other.yields);
        if (other.id != id && meet && shortcuts(other.id).contains(key))
            found.push_back(&other);
    }
    return found;
}

// Before Qt looks for a shortcut it asks the widget with the focus, and those it stands in, whether the key is theirs.
bool CommandTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::ShortcutOverride && keepsKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

bool CommandTable::keepsKey(const QKeyEvent& event) const {
    const QKeySequence key(event.keyCombination());
    const auto yields = [&](const Command& command) { return command.yields && shortcuts(command.id).contains(key); };
    if (std::ranges::none_of(commands_, yields))
        return false;
    const QWidget* focus = QApplication::focusWidget();
    if (focus == nullptr)
        return false;
    if (focus->inherits("QLineEdit") || focus->inherits("QTextEdit") || focus->inherits("QPlainTextEdit") ||
        focus->inherits("QAbstractSpinBox"))
        return true;
    return std::ranges::any_of(places_, [&](const CommandPlace& place) {
        const bool here = place.widget == focus || place.widget->isAncestorOf(focus);
        const Command* own = here && place.widget != window_ ? commandFor(place.id, event) : nullptr;
        return own != nullptr && (!own->enabled || own->enabled());
    });
}

void CommandTable::applyShortcuts(const Command& command) {
    QAction* target = actions_.at(command.id);
    // In a place the key goes to the widget; the action has it for the menu to show, where it never fires.
    target->setShortcutContext(command.place.isEmpty() ? Qt::WindowShortcut : Qt::WidgetShortcut);
    target->setShortcuts(shortcuts(command.id));
}

void CommandTable::refresh() {
    for (const Command& command : commands_)
        refresh(command);
}

void CommandTable::refresh(const Command& command) {
    QAction* target = actions_.at(command.id);
    const CommandPlace* where = place(command.place);
    const bool onScreen = where == nullptr || where->widget == window_ || where->widget->isVisibleTo(window_);
    target->setEnabled(onScreen && (!command.enabled || command.enabled()));
    if (command.checked)
        target->setChecked(command.checked());
}

const Command* CommandTable::commandFor(const QString& place, const QKeyEvent& event) const {
    const auto find = [&](Qt::KeyboardModifiers modifiers) -> const Command* {
        const QKeySequence key(QKeyCombination(modifiers, static_cast<Qt::Key>(event.key())));
        for (const Command& command : commands_)
            if (command.place == place && shortcuts(command.id).contains(key))
                return &command;
        return nullptr;
    };
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (const Command* exact = find(modifiers))
        return exact;
    // Some keyboards need Shift for a symbol.
    return modifiers == Qt::ShiftModifier ? find(Qt::NoModifier) : nullptr;
}

bool CommandTable::pressKey(const QString& place, const QKeyEvent& event) {
    const Command* command = commandFor(place, event);
    if (command == nullptr)
        return false;
    refresh(*command);
    QAction* target = actions_.at(command->id);
    if (!target->isEnabled())
        return false;
    if (!command->hold)
        target->trigger();
    else if (!event.isAutoRepeat() && held_.emplace(event.key(), command->id).second)
        command->hold(true);
    return true;
}

bool CommandTable::releaseKey(const QString& place, const QKeyEvent& event) {
    const auto held = held_.find(event.key());
    if (held == held_.end() || command(held->second)->place != place)
        return false;
    if (event.isAutoRepeat())
        return true;
    const Command& released = *command(held->second);
    held_.erase(held);
    released.hold(false);
    return true;
}

void CommandTable::releaseHeldKeys(const QString& place) {
    std::erase_if(
        held_,
        [&](const auto& held) {
            const Command& released = *command(held.second);
            if (released.place != place)
                return false;
            released.hold(false);
            return true;
        });
}

QString CommandTable::plainTitle(const Command& command) { return QString(command.title).remove(u'&').remove(u'…'); }

QString CommandTable::keysText(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys)
        texts << key.toString(QKeySequence::NativeText);
    return texts.join(QStringLiteral(", "));
}

} // namespace rankscope
