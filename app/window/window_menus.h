// SPDX-License-Identifier: GPL-3.0-or-later
// The window's commands in the order of its menus; and the menus, made of them, with that of recent runs.
#pragma once
#include <QObject>
#include <QStringList>

class QMenu;

namespace rankscope {

struct WindowControllers;
struct WindowParts;

/// All there are. A command of one controller is a line in that controller's addCommands().
void addCommands(WindowParts& parts, WindowControllers& controllers);

/// After all commands are added.
class WindowMenus : public QObject {
    Q_OBJECT
public:
    explicit WindowMenus(WindowParts& parts, QObject* parent = nullptr);

Q_SIGNALS:
    void runWanted(const QStringList& paths);

private:
    void rebuildRecent();

    WindowParts& parts_;
    QMenu* recent_ = nullptr;
};

} // namespace rankscope
