// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: menus, the list of shortcuts, and later palette and settings read this table.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include <QKeySequence>
#include <QObject>
#include <QString>

class QAction;
class QMenu;
class QWidget;

namespace rankscope {

struct Command {
    QString id;    ///< "open-folder"
    QString menu;  ///< title of the menu it stands in, "&File"; "&View/&Theme": a submenu
    QString title; ///< "Open &folder…"
    QList<QKeySequence> shortcuts;
    QString help; ///< one sentence
    std::function<void()> run;
    QString choice = {};    ///< commands of one choice exclude each other and show a mark
    bool separated = false; ///< a line above it
};

/// Owns the actions; they belong to the widget, so that shortcuts work anywhere in its window.
class CommandTable {
public:
    explicit CommandTable(QWidget* widget) : widget_(widget) {}
    void add(Command command);
    [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
    [[nodiscard]] QAction* action(const QString& id) const; ///< nullptr: no such command

private:
    QWidget* widget_;
    std::vector<Command> commands_;
    std::map<QString, QAction*> actions_;
};

} // namespace rankscope
