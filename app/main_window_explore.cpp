// SPDX-License-Identifier: GPL-3.0-or-later
// What stands below the timeline, and the range that all screens count.
#include <functional>
#include <memory>

#include <QTabWidget>

#include "app/main_window.h"
#include "app/run_library.h"
#include "widgets/panels/details_panel.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

/// Details, range, search: below the timeline, one at a time.
QWidget* MainWindow::buildTimelinePanels() {
    panels_ = new QTabWidget;
    panels_->setDocumentMode(true);
    panels_->setAccessibleName(tr("Below the timeline"));
    rangePanel_ = new RangePanel(&view_);
    panels_->addTab(details_, tr("Details"));
    searchPanel_ = new SearchPanel(&view_);
    panels_->addTab(rangePanel_, tr("Range"));
    panels_->addTab(searchPanel_, tr("Search"));
    // What the hands just marked is what they want to read about.
    connect(&view_, &ViewState::rangeChanged, this, [this] {
        if (view_.range())
            panels_->setCurrentWidget(rangePanel_);
        commands_.refresh();
    });
    connect(rangePanel_, &RangePanel::eventChosen, this, &MainWindow::showSlice);
    connect(searchPanel_, &SearchPanel::eventChosen, this, &MainWindow::showSlice);
    connect(
        searchPanel_, &SearchPanel::cleared, this, [this] { timeline_->setFocus(); });
    connect(
        &view_, &ViewState::searchHitsChanged, this, [this] { commands_.refresh(); });
    connect(details_, &DetailsPanel::eventChosen, this, [this](const EventRef& event) { showSlice(event, false); });
    connect(&view_, &ViewState::usedRangesChanged, this, &MainWindow::takeUsedRange);
    return panels_;
}

void MainWindow::showSlice(const EventRef& event, bool zoom) {
    timeline_->reveal(event);
    if (zoom)
        timeline_->fitSelectionThenAll();
}

void MainWindow::addExploreCommands() {
    QString menu = tr("&Timeline") + u'/' + tr("Ran&ge");
    const auto add = [&](const QString& id, const QString& title, const QStringList& keys, const QString& help,
                         std::function<void()> run, std::function<bool()> enabled) {
        Command command{id, menu, title, {}, help, std::move(run)};
        for (const QString& key : keys)
            command.shortcuts << QKeySequence(key);
        command.enabled = std::move(enabled);
        commands_.add(std::move(command));
    };
    add(
        u"use-range"_s, tr("&Use in all screens"), {u"Ctrl+U"_s}, tr("Count the marked range only, in all screens"),
        [this] { view_.useRange(); }, [this] { return view_.range().has_value(); });
    add(
        u"step-out-of-range"_s, tr("&Step out"), {u"Ctrl+Shift+U"_s},
        tr("Return to the range used before, or to the whole run"), [this] { view_.stepOutOfRange(); },
        [this] { return !view_.usedRanges().empty(); });
    add(
        u"use-whole-run"_s, tr("Use the &whole run"), {u"Ctrl+Alt+U"_s}, tr("Forget the ranges used in all screens"),
        [this] { view_.useWholeRun(); }, [this] { return !view_.usedRanges().empty(); });
    menu = tr("&Timeline") + u'/' + tr("&Search");
    const auto hasRun = [this] { return view_.run() != nullptr; };
    const auto hasHits = [this] { return view_.searchHits() && view_.searchHits()->count > 0; };
    add(
        u"find"_s, tr("&Find…"), {u"Ctrl+F"_s, u"/"_s}, tr("Search events by name, class, duration, rank or argument"),
        [this] { startSearch(); }, hasRun);
    add(
        u"next-hit"_s, tr("&Next hit"), {u"F3"_s}, tr("Select the next event that was found"),
        [this] { searchPanel_->step(+1); }, hasHits);
    add(
        u"previous-hit"_s, tr("&Previous hit"), {u"Shift+F3"_s}, tr("Select the previous event that was found"),
        [this] { searchPanel_->step(-1); }, hasHits);
    add(
        u"clear-search"_s, tr("&Clear search"), {u"Ctrl+Shift+F"_s}, tr("Forget what was searched for"),
        [this] { searchPanel_->clear(); }, [this] { return !searchPanel_->query().isEmpty(); });
}

void MainWindow::startSearch() {
    showScreen(timelineScreen);
    panels_->setCurrentWidget(searchPanel_);
    searchPanel_->startTyping();
}

void MainWindow::showInstances(const QString& query) {
    startSearch();
    searchPanel_->setQuery(query);
    searchPanel_->step(+1);
    timeline_->setFocus();
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
