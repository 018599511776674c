// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline, once: tabs, commands, palette, sessions and exports read this table.
#pragma once
#include <functional>
#include <vector>

#include <QString>

namespace rankscope {

class Panel;
class ViewState;

struct PanelEntry {
    QString id;    ///< "details"; its command is "panel-details", and sessions know it by this
    QString title; ///< of the tab and the command
    QString key;   ///< "Alt+1"
    QString help;  ///< one sentence
    std::function<Panel*(ViewState*)> make;
};

/// In the order of the tabs.
std::vector<PanelEntry> panelEntries();

} // namespace rankscope
