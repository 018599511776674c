// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels below the timeline have in common.
#pragma once
#include <memory>

#include <QWidget>

#include "widgets/view_state.h"

namespace rankscope {

class CommandTable;
class RunAnalysis;

/// A panel over the ViewState. It becomes a part of the window by a line in app/window/panels.cpp.
class Panel : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Of the run on screen; nullptr while it is being made.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): panels that override it keep it
    virtual void takeAnalysis(std::shared_ptr<const RunAnalysis> /*analysis*/) {}
    /// Adds the panel's commands; once, before it is shown.
    virtual void useCommands(CommandTable& /*table*/) {}
    /// While it is open, another panel that wants to show the marked range does not take its place.
    [[nodiscard]] virtual bool followsRange() const { return false; }
    /// Pixels that it gets when it is opened, where half of the timeline's room has as many; 0: a quarter is enough.
    [[nodiscard]] virtual int usefulHeight() const { return 0; }

Q_SIGNALS:
    void eventChosen(const rankscope::EventRef& event, bool zoom); ///< selected already; to be shown in the timeline
    void instancesAsked(const QString& query);                     ///< to be searched for, and marked in the timeline
    void wanted();          ///< before the other panels, where the timeline is on screen
    void wantedOnScreen();  ///< likewise, and the timeline with it
    void left();            ///< the hands want to go on in the timeline
    void commandsChanged(); ///< other commands of the panel are enabled now
};

} // namespace rankscope
