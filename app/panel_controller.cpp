// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline.
#include "app/panel_controller.h"

#include "app/panels.h"
#include "app/screen_controller.h"
#include "app/window_command.h"
#include "app/window_parts.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

/// One at a time; folded until there is something to see in it.
PanelController::PanelController(WindowParts& parts, ScreenController& screens, QObject* parent)
    : QObject(parent), parts_(parts), screens_(screens) {
    FoldingTabs* tabs = parts.panels;
    tabs->setAccessibleName(tr("Below the timeline"));
    for (const PanelEntry& entry : panelEntries()) {
        Panel* panel = entry.make(&parts.view);
        tabs->addTab(panel, entry.title);
        const auto open = [tabs, panel] {
            tabs->setCurrentWidget(panel);
            tabs->setFolded(false);
        };
        connect(panel, &Panel::eventChosen, this, &PanelController::showSlice);
        connect(panel, &Panel::wanted, this, open);
        connect(
            panel, &Panel::wantedOnScreen, this,
            [this, open] {
                screens_.show(kTimelineScreen);
                open();
            });
        connect(
            panel, &Panel::left, this, [this] { parts_.timeline->setFocus(); });
        connect(panel, &Panel::commandsChanged, this, [this] { parts_.commands.refresh(); });
    }
    tabs->setFolded(true);
    connect(
        tabs, &FoldingTabs::foldedChanged, this, [this] { parts_.commands.refresh(); });
    connect(&parts.view, &ViewState::selectionChanged, this, [this] {
        if (parts_.view.selection())
            parts_.panels->offer();
    });
}

void PanelController::addCommands() {
    FoldingTabs* tabs = parts_.panels;
    parts_.commands.add(
        checkedIf(windowCommand(u"panels"_s, tr("&View"), tr("&Panels below the timeline"), {u"Ctrl+J"_s},
                                tr("Open or fold them"), [tabs] { tabs->setFolded(!tabs->isFolded()); }),
                  [tabs] { return !tabs->isFolded(); }));
}

void PanelController::usePlaces() {
    for (int tab = 0; tab < parts_.panels->count(); ++tab)
        qobject_cast<Panel*>(parts_.panels->widget(tab))->useCommands(parts_.commands);
}

void PanelController::showSlice(const EventRef& event, bool zoom) {
    parts_.timeline->reveal(event);
    if (zoom)
        parts_.timeline->fitSelectionThenAll();
}

} // namespace rankscope
