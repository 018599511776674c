// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline, once: the window's tabs, commands, palette and exports come from this table.
#pragma once
#include <functional>
#include <vector>

#include <QString>

namespace rankscope {

class Panel;
class ViewState;

struct PanelEntry {
    QString title;
    std::function<Panel*(ViewState*)> make;
};

/// In the order of the tabs.
std::vector<PanelEntry> panelEntries();

} // namespace rankscope
