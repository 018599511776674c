// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once.
#include "app/command_table.h"

#include <QAction>
#include <QActionGroup>
#include <QWidget>

namespace rankscope {

void CommandTable::add(Command command) {
    auto* action = new QAction(command.title, widget_);
    action->setObjectName(command.id);
    action->setShortcuts(command.shortcuts);
    action->setStatusTip(command.help);
    QObject::connect(action, &QAction::triggered, widget_, [run = command.run] { run(); });
    if (!command.choice.isEmpty()) {
        auto* group = widget_->findChild<QActionGroup*>(command.choice, Qt::FindDirectChildrenOnly);
        if (group == nullptr) {
            group = new QActionGroup(widget_);
            group->setObjectName(command.choice);
        }
        action->setCheckable(true);
        group->addAction(action);
    }
    widget_->addAction(action);
    actions_[command.id] = action;
    commands_.push_back(std::move(command));
}

QAction* CommandTable::action(const QString& id) const {
    const auto found = actions_.find(id);
    return found == actions_.end() ? nullptr : found->second;
}

} // namespace rankscope
