// SPDX-License-Identifier: GPL-3.0-or-later
// The screens of the window, once: pages, tabs, commands, palette, sessions and screenshots read this table.
#pragma once
#include <functional>
#include <vector>

#include <QString>

namespace rankscope {

class AnalysisScreen;
struct Run;
class RunAnalysis;

/// Ids of the screens whose pages the window makes itself.
inline constexpr QLatin1StringView kOverviewScreen{"overview"};
inline constexpr QLatin1StringView kTimelineScreen{"timeline"};
inline constexpr QLatin1StringView kCompareScreen{"compare"};

struct ScreenEntry {
    QString id;                                 ///< "pipeline"; its command is "screen-pipeline"
    QString title;                              ///< of the tab and the command, "&Pipeline"
    QString key;                                ///< "Ctrl+5"
    QString help;                               ///< one sentence
    std::function<AnalysisScreen*()> make = {}; ///< empty: a page that the window makes itself
    /// Empty: for all runs. Else the screen is there, and comes first, for runs of which it says so, and hidden for
    /// others.
    std::function<bool(const Run&)> only_for = {};
    bool without_run = false; ///< it is of use while no run is open, too
    /// Whether the run fills it; empty: any run does. Else its tab is grey, and the screen says what would be needed.
    /// Reads only what the overview has computed.
    std::function<bool(const RunAnalysis&)> has_data = {};
};

/// In the order of the tabs.
std::vector<ScreenEntry> screenEntries();

} // namespace rankscope
