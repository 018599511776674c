// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline.
#include "app/window/panel_controller.h"

#include <algorithm>

#include <QScrollArea>
#include <QTabBar>
#include <QTimer>

#include "app/window/screen_controller.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/panel.h"
#include "widgets/scrolled_page.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

/// One at a time; folded until there is something to see in it.
PanelController::PanelController(WindowParts& parts, ScreenController& screens, QObject* parent)
    : QObject(parent), parts_(parts), screens_(screens) {
    FoldingTabs* tabs = parts.panels;
    tabs->setAccessibleName(tr("Below the timeline"));
    for (const PanelEntry& entry : entries_) {
        Panel* panel = entry.make(&parts.view);
        panels_.push_back(panel);
        const int tab = tabs->addTab(scrolled(panel), entry.title);
        tabs->setTabToolTip(tab, entry.help);
        const auto bringForward = [tabs, tab] {
            tabs->setCurrentIndex(tab);
            tabs->setFolded(false);
        };
        connect(panel, &Panel::eventChosen, this, &PanelController::showSlice);
        connect(panel, &Panel::wanted, this, [this, tabs, bringForward] {
            if (tabs->isFolded() || !panels_[static_cast<std::size_t>(tabs->currentIndex())]->followsRange())
                bringForward();
        });
        connect(panel, &Panel::instancesAsked, this, &PanelController::instancesAsked);
        connect(
            panel, &Panel::wantedOnScreen, this,
            [this, bringForward] {
                screens_.show(kTimelineScreen);
                bringForward();
            });
        connect(
            panel, &Panel::left, this, [this] { parts_.timeline->setFocus(); });
        connect(panel, &Panel::commandsChanged, this, [this] { parts_.commands.refresh(); });
    }
    // After FoldingTabs has opened or folded them.
    connect(tabs->tabBar(), &QTabBar::tabBarClicked, this, [this, tabs](int tab) {
        if (!tabs->isFolded() && tab >= 0)
            QTimer::singleShot(0, this, &PanelController::focusField);
    });
    tabs->setFolded(true);
    connect(tabs, &FoldingTabs::foldedChanged, this, [this] { parts_.commands.refresh(); });
    connect(tabs, &FoldingTabs::foldedChanged, this, &PanelController::changed);
    connect(tabs, &FoldingTabs::currentChanged, this, &PanelController::changed);
    connect(tabs, &FoldingTabs::foldedChanged, this, &PanelController::giveRoom);
    connect(tabs, &FoldingTabs::currentChanged, this, &PanelController::giveRoom);
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
    for (const PanelEntry& entry : entries_)
        parts_.commands.add(windowCommand(u"panel-"_s + entry.id, tr("&View") + u'/' + tr("P&anel"), entry.title,
                                          {entry.key}, entry.help, [this, id = entry.id] {
                                              screens_.show(kTimelineScreen);
                                              setOpen(id);
                                              focusField();
                                          }));
}

void PanelController::giveRoom() {
    if (const int tab = parts_.panels->currentIndex();
        tab >= 0 && panels_[static_cast<std::size_t>(tab)]->usefulHeight() > 0)
        parts_.panels->growTo(panels_[static_cast<std::size_t>(tab)]->usefulHeight() +
                              parts_.panels->tabBar()->sizeHint().height());
}

void PanelController::focusField() {
    Panel* const panel = panels_[static_cast<std::size_t>(parts_.panels->currentIndex())];
    if (panel->focusProxy() != nullptr)
        panel->setFocus(Qt::ShortcutFocusReason);
}

QString PanelController::open() const {
    return parts_.panels->isFolded() ? QString() : entries_[static_cast<std::size_t>(parts_.panels->currentIndex())].id;
}

void PanelController::setOpen(const QString& id) {
    const auto entry = std::ranges::find(entries_, id, &PanelEntry::id);
    if (entry == entries_.end() && !id.isEmpty())
        return;
    if (entry != entries_.end())
        parts_.panels->setCurrentIndex(static_cast<int>(entry - entries_.begin()));
    parts_.panels->setFolded(id.isEmpty());
}

void PanelController::usePlaces() {
    for (Panel* panel : panels_)
        panel->useCommands(parts_.commands);
}

void PanelController::showSlice(const EventRef& event, bool zoom) {
    parts_.timeline->reveal(event);
    if (zoom)
        parts_.timeline->fitSelectionThenAll();
}

} // namespace rankscope
