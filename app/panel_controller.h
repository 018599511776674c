// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline: made of their table, brought forward, folded.
#pragma once
#include <QObject>

#include "widgets/view_state.h"

namespace rankscope {

class ScreenController;
struct WindowParts;

class PanelController : public QObject {
    Q_OBJECT
public:
    PanelController(WindowParts& parts, ScreenController& screens, QObject* parent = nullptr);

    void addCommands();                               ///< of all of them together
    void usePlaces();                                 ///< the panels' own commands
    void showSlice(const EventRef& event, bool zoom); ///< selected already

private:
    WindowParts& parts_;
    ScreenController& screens_;
};

} // namespace rankscope
