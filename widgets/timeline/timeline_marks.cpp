// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's flows and overlays: where they come from, and their commands.
#include <algorithm>
#include <memory>
#include <optional>

#include "widgets/timeline/analysis_marks.h"
#include "widgets/timeline/overlay_legend.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

void TimelineView::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    if (analysis && analysis->run().names.get() != closedFor_) {
        closedFor_ = analysis->run().names.get();
        closingDue_ = true; // now all of the run is read
    }
    marks_->setAnalysis(std::move(analysis));
    closeRanksToFit();
}

void TimelineView::connectMarks() {
    connect(marks_, &AnalysisMarks::changed, this, &TimelineView::takeMarks);
    connect(state_, &ViewState::overlaysChanged, this, &TimelineView::takeMarks);
}

void TimelineView::takeMarks() {
    const std::shared_ptr<const RunAnalysis>& analysis = marks_->analysis();
    if (analysis && analysis->run_pointer() != state_->run())
        return marks_->setAnalysis(nullptr); // comes back here
    scene_.marks = marks_->spans();
    scene_.paths = marks_->paths();
    scene_.pathLine = marks_->pathLine();
    scene_.overlays = state_->overlays();
    for (const OverlayEntry& overlay : overlayEntries())
        if (overlay.needsPaths && state_->shows(overlay.id) && !scene_.paths)
            marks_->askForPaths();
    overlayLegend_->setMarks(scene_.marks, scene_.paths != nullptr);
    takeFlows();
    refresh();
}

void TimelineView::takeFlows() {
    scene_.flows = {};
    const std::optional<EventRef> selected = state_->selection();
    const int rank = selected ? scene_.indexOfRank(selected->rank) : -1;
    if (marks_->flows() && rank >= 0)
        scene_.flows = marks_->flows()->of({static_cast<std::uint32_t>(rank), selected->event});
}

void TimelineView::followFlow(int direction) {
    const std::optional<EventRef> selected = state_->selection();
    if (!selected || !marks_->flows())
        return;
    const EventPlace place{static_cast<std::uint32_t>(scene_.indexOfRank(selected->rank)), selected->event};
    const auto there = direction < 0 ? marks_->flows()->previous(place) : marks_->flows()->next(place);
    if (!there)
        return;
    const EventRef event{scene_.run->ranks[there->rank]->rank, there->event};
    state_->select(event);
    reveal(event);
}

void TimelineView::addMarkCommands(CommandTable& table) {
    const auto follow = [&](const char* id, const QString& title, Qt::Key key, const QString& help, int direction) {
        Command made = command(id, title, {QKeySequence(key)}, help, [this, direction] { followFlow(direction); });
        made.enabled = [this] { return state_->selection().has_value() && marks_->flows() != nullptr; };
        table.add(std::move(made));
    };
    follow("flow-back", tr("Flow &back"), Qt::Key_BracketLeft,
           tr("From a kernel to its launch, from a launch to its operator"), -1);
    follow("flow-on", tr("Flow &on"), Qt::Key_BracketRight,
           tr("From an operator to its first launch, from a launch to its kernel"), +1);
    for (const OverlayEntry& overlay : overlayEntries()) {
        Command made = command(overlay.command.toLatin1().constData(), overlay.title, {QKeySequence(overlay.key)},
                               tr("Show or hide the overlay: %1").arg(overlay.title.toLower()),
                               [this, &overlay] { state_->setShows(overlay.id, !state_->shows(overlay.id)); });
        made.menu = tr("&Timeline") + u'/' + tr("&Overlays");
        made.checked = [this, &overlay] { return state_->shows(overlay.id); };
        table.add(std::move(made));
    }
}

} // namespace rankscope
