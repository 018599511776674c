// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline: made of their table, brought forward, folded.
#pragma once
#include <vector>

#include <QObject>

#include "app/window/panels.h"
#include "widgets/view_state.h"

namespace rankscope {

class Panel;
class ScreenController;
struct WindowParts;

class PanelController : public QObject {
    Q_OBJECT
public:
    PanelController(WindowParts& parts, ScreenController& screens, QObject* parent = nullptr);

    void addCommands();                               ///< that show them
    void usePlaces();                                 ///< the panels' own commands
    void showSlice(const EventRef& event, bool zoom); ///< selected already
    [[nodiscard]] QString open() const;               ///< id of the panel that is open; empty: they are folded
    void setOpen(const QString& id);                  ///< empty: they are folded; one that is not there: nothing

Q_SIGNALS:
    void changed();                            ///< open()
    void instancesAsked(const QString& query); ///< see Panel

private:
    void giveRoom();   ///< to the panel in front
    void focusField(); ///< of the panel in front, if it has one: who opened it types next

    WindowParts& parts_;
    ScreenController& screens_;
    std::vector<PanelEntry> entries_ = panelEntries();
    std::vector<Panel*> panels_; ///< of the entries
};

} // namespace rankscope
