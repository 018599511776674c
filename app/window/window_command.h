// SPDX-License-Identifier: GPL-3.0-or-later
// A command of the window in one line.
#pragma once
#include <utility>

#include "widgets/command_table.h"

namespace rankscope {

/// keys: as text, "Ctrl+O".
inline Command windowCommand(const QString& id, const QString& menu, const QString& title, const QStringList& keys,
                             const QString& help, std::function<void()> run) {
    QList<QKeySequence> shortcuts;
    for (const QString& key : keys)
        shortcuts << QKeySequence(key);
    return {id, menu, title, shortcuts, help, std::move(run)};
}

/// With a line above it.
inline Command separated(Command command) {
    command.separated = true;
    return command;
}

inline Command enabledIf(Command command, std::function<bool()> enabled) {
    command.enabled = std::move(enabled);
    return command;
}

inline Command checkedIf(Command command, std::function<bool()> checked) {
    command.checked = std::move(checked);
    return command;
}

} // namespace rankscope
