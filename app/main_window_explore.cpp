// SPDX-License-Identifier: GPL-3.0-or-later
// What stands below the timeline, and the range that all screens count.
#include <functional>
#include <memory>

#include "app/main_window.h"
#include "app/panels.h"
#include "app/run_library.h"
#include "app/slice_menu.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

/// One at a time; folded until there is something to see in it.
QWidget* MainWindow::buildTimelinePanels() {
    panels_ = new FoldingTabs;
    panels_->setAccessibleName(tr("Below the timeline"));
    for (const PanelEntry& entry : panelEntries()) {
        Panel* panel = entry.make(&view_);
        panels_->addTab(panel, entry.title);
        connect(panel, &Panel::eventChosen, this, &MainWindow::showSlice);
        connect(panel, &Panel::wanted, this, [this, panel] {
            panels_->setCurrentWidget(panel);
            panels_->setFolded(false);
        });
        connect(
            panel, &Panel::wantedOnScreen, this,
            [this, panel] {
                showScreen(timelineScreen);
                panels_->setCurrentWidget(panel);
                panels_->setFolded(false);
            });
        connect(
            panel, &Panel::left, this, [this] { timeline_->setFocus(); });
        connect(panel, &Panel::commandsChanged, this, [this] { commands_.refresh(); });
    }
    panels_->setFolded(true);
    connect(
        panels_, &FoldingTabs::foldedChanged, this, [this] { commands_.refresh(); });
    connect(&view_, &ViewState::selectionChanged, this, [this] {
        if (view_.selection())
            panels_->offer();
    });
    connect(&view_, &ViewState::usedRangesChanged, this, &MainWindow::takeUsedRange);
    return panels_;
}

RangePanel& MainWindow::rangePanel() const { return *panels_->findChild<RangePanel*>(); }
SearchPanel& MainWindow::searchPanel() const { return *panels_->findChild<SearchPanel*>(); }

void MainWindow::passToPanels(const std::shared_ptr<const RunAnalysis>& analysis) {
    for (auto* panel : panels_->findChildren<Panel*>())
        panel->takeAnalysis(analysis);
}

void MainWindow::showSlice(const EventRef& event, bool zoom) {
    timeline_->reveal(event);
    if (zoom)
        timeline_->fitSelectionThenAll();
}

void MainWindow::showInstances(const QString& query) {
    SearchPanel& search = searchPanel();
    search.startTyping();
    search.setQuery(query);
    search.step(+1);
    timeline_->setFocus();
}

void MainWindow::showSliceMenu(const EventRef& slice, QPoint at) {
    const auto shown = shownAnalysis();
    auto* menu = new SliceMenu(commands_, view_, shown ? shown->analysis : nullptr, slice, this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu, &SliceMenu::eventChosen, this, [this](const EventRef& event) {
        view_.select(event);
        showSlice(event, false);
    });
    connect(menu, &SliceMenu::instancesAsked, this, [this](const QString& query, int step) {
        SearchPanel& search = searchPanel();
        search.setQuery(query);
        search.step(step);
        timeline_->setFocus();
    });
    connect(menu, &SliceMenu::classChosen, this, &MainWindow::takeKernelClass);
    menu->addSeparator();
    menu->addActions(timeline_->actions());
    menu->popup(at);
}

/// A new rule comes first: it is what the user just said.
void MainWindow::takeKernelClass(const KernelClassRule& rule, bool own) {
    Preferences preferences = preferences_;
    std::erase_if(preferences.kernelClasses, [&](const auto& known) { return known.pattern == rule.pattern; });
    if (own)
        preferences.kernelClasses.insert(preferences.kernelClasses.begin(), rule);
    takePreferences(preferences);
}

Selection MainWindow::selectionInForce() const {
    Selection selection = options_.selection;
    if (!view_.usedRanges().empty()) {
        const TimeRange used = view_.usedRanges().back();
        const TimeNs origin = view_.run()->span.begin;
        const TimeRange relative{used.begin - origin, used.end - origin};
        selection.time = selection.time ? relative.clipped_to(*selection.time) : relative;
    }
    return selection;
}

void MainWindow::takeUsedRange() {
    commands_.refresh();
    ranged_.reset();
    ranging_.stop();
    const LibraryRun& open = library_->at(current_);
    if (!open.run)
        return;
    passAnalysis();
    if (view_.usedRanges().empty()) {
        if (open.analysed)
            overview_->setRun(open.analysed);
        return;
    }
    overview_->setWaiting(tr("Adding up…"));
    ranging_.run(
        {},
        [analysis = std::make_shared<const RunAnalysis>(open.run, selectionInForce())](const std::stop_token& stop) {
            return analysedRun(analysis, stop);
        },
        [this](std::shared_ptr<const AnalysedRun> analysed) {
            ranged_ = std::move(analysed);
            overview_->setRun(ranged_);
            passAnalysis();
            commands_.refresh();
        },
        [this](const QString& reason) {
            fail(tr("The range cannot be analysed. %1").arg(reason));
            overview_->setWaiting(reason);
        });
}

std::shared_ptr<const AnalysedRun> MainWindow::shownAnalysis() const {
    return view_.usedRanges().empty() ? library_->at(current_).analysed : ranged_;
}

} // namespace rankscope
