// SPDX-License-Identifier: GPL-3.0-or-later
// All shortcuts: the window's commands, and the keys of the timeline.
#pragma once
#include <QDialog>

namespace rankscope {

class CommandTable;

class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(const CommandTable& commands, QWidget* parent = nullptr);
};

} // namespace rankscope
