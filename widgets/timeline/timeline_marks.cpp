// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's flows and overlays: where they come from, and their commands.
#include <algorithm>
#include <memory>
#include <optional>

#include "widgets/name_text.h"
#include "widgets/painted_accessible.h"
#include "widgets/time_text.h"
#include "widgets/timeline/analysis_marks.h"
#include "widgets/timeline/dependencies.h"
#include "widgets/timeline/error_marks.h"
#include "widgets/timeline/overlay_legend.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

namespace {

constexpr int kLabelAway = 60; // pixels from a slice's start, of which the label stands in the middle

struct DependencyTexts {
    Q_DECLARE_TR_FUNCTIONS(DependencyTexts)
};

/// Why the walk led here. waiting: the rank of the later event.
QString reasonOf(const Dependency& found, bool back, int waiting) {
    const QString apart = durationText(found.apart);
    if (found.kind == DependencyKind::lastMember)
        return back ? DependencyTexts::tr("arrived last at this call: rank %1 waited %2 for it").arg(waiting).arg(apart)
                    : DependencyTexts::tr("waited %1 for the last rank to arrive at this call").arg(apart);
    if (found.kind == DependencyKind::launch)
        return back ? DependencyTexts::tr("launched it, %1 before it started").arg(apart)
               : found.decisive
                   ? DependencyTexts::tr("started %1 after its launch").arg(apart)
                   : DependencyTexts::tr("started %1 after its launch: something else held it up").arg(apart);
    const QString reason = [&] {
        switch (found.kind) {
        case DependencyKind::stream:
            return back ? DependencyTexts::tr("the work before it on its stream")
                        : DependencyTexts::tr("the next work on its stream");
        case DependencyKind::otherStream:
            return back ? DependencyTexts::tr("work of another stream that had to end first")
                        : DependencyTexts::tr("work of another stream that waited for it");
        case DependencyKind::hostWait:
            return back ? DependencyTexts::tr("work of the GPU that the host waited for")
                        : DependencyTexts::tr("here the host waited for it");
        default:
            return back ? DependencyTexts::tr("where the host was before")
                        : DependencyTexts::tr("where the host went on");
        }
    }();
    return found.decisive ? reason : DependencyTexts::tr("%1; something else held it up for longer").arg(reason);
}

} // namespace

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
    if (!scene_.hover)
        scene_.hoverLines.clear(); // they may say why a walk led to what was selected before
    scene_.flows = {};
    const std::optional<EventRef> selected = state_->selection();
    const int rank = selected ? scene_.indexOfRank(selected->rank) : -1;
    if (marks_->flows() && rank >= 0)
        scene_.flows = marks_->flows()->of({static_cast<std::uint32_t>(rank), selected->event});
}

std::optional<EventPlace> TimelineView::selectedPlace() const {
    const std::optional<EventRef> selected = state_->selection();
    const int rank = selected ? scene_.indexOfRank(selected->rank) : -1;
    return rank < 0 ? std::nullopt : std::optional(EventPlace{static_cast<std::uint32_t>(rank), selected->event});
}

void TimelineView::selectPlace(EventPlace place) {
    const EventRef event{scene_.run->ranks[place.rank]->rank, place.event};
    state_->select(event);
    reveal(event);
}

void TimelineView::followFlow(int direction) {
    const std::optional<EventPlace> place = selectedPlace();
    if (!place || !marks_->flows())
        return;
    if (const auto there = direction < 0 ? marks_->flows()->previous(*place) : marks_->flows()->next(*place))
        selectPlace(*there);
}

void TimelineView::followDependency(int direction) {
    const std::optional<EventPlace> place = selectedPlace();
    if (!place || !scene_.marks || !marks_->flows())
        return;
    const RunAnalysis& analysis = *scene_.marks->analysis;
    const bool back = direction < 0;
    if (const auto found = back ? dependencyBefore(analysis, *place) : dependencyAfter(analysis, *place)) {
        selectPlace(found->place);
        const auto waiting = back ? *place : found->place;
        return explainSelection(reasonOf(*found, back, scene_.run->ranks[waiting.rank]->rank));
    }
    // Operators are no part of the graph of what waited for what.
    if (const auto there = back ? marks_->flows()->previous(*place) : marks_->flows()->next(*place)) {
        selectPlace(*there);
        return explainSelection(back ? tr("it was called from here") : tr("its first launch"));
    }
    explainSelection(back ? tr("Nothing is known that it waited for.") : tr("Nothing is known that waited for it."));
}

void TimelineView::followCall(int direction) {
    const std::optional<EventPlace> place = selectedPlace();
    if (!place || !marks_->analysis())
        return;
    for (const FlowLink& link : scene_.flows.links) {
        if (link.kind != FlowKind::collective && link.kind != FlowKind::message)
            continue;
        if ((direction < 0 ? link.to : link.from) != *place)
            continue;
        const EventPlace there = direction < 0 ? link.from : link.to;
        const auto start = [&](EventPlace of) {
            return marks_->analysis()->clock().aligned(of.rank, scene_.run->ranks[of.rank]->events.start[of.event]);
        };
        const TimeNs later = start(there) - start(*place);
        const int rank = scene_.run->ranks[place->rank]->rank;
        selectPlace(there);
        return explainSelection((later < 0 ? tr("the same call, started %1 earlier than on rank %2")
                                           : tr("the same call, started %1 later than on rank %2"))
                                    .arg(durationText(std::abs(later)))
                                    .arg(rank));
    }
    explainSelection(tr("No further rank of its call is known."));
}

void TimelineView::followError(int direction) {
    if (!scene_.run)
        return;
    const std::vector<GpuError>& errors = scene_.run->gpu_errors;
    const TimeRange full = state_->fullRange();
    const TimeRange visible = state_->visibleRange();
    std::vector<std::uint32_t> shown; // ascending by time
    for (std::uint32_t i = 0; i < errors.size(); ++i)
        if (full.begin <= errors[i].time && errors[i].time < full.end &&
            std::ranges::any_of(errors[i].ranks, [&](int rank) { return scene_.indexOfRank(rank) >= 0; }))
            shown.push_back(i);
    const auto isVisible = [&](std::uint32_t error) {
        return visible.begin <= errors[error].time && errors[error].time < visible.end;
    };
    const auto before = [&](TimeNs time) {
        return std::partition_point(shown.begin(), shown.end(), [&](std::uint32_t e) { return errors[e].time < time; });
    };
    const bool goesOn = scene_.errorShown && isVisible(scene_.errorShown->second);
    auto next = goesOn ? std::ranges::lower_bound(shown, scene_.errorShown->second)
                       : before(direction < 0 ? visible.end : visible.begin);
    if (direction < 0) {
        if (next != shown.begin())
            showError(*(next - 1));
    } else if (next += goesOn ? 1 : 0; next != shown.end()) {
        showError(*next);
    }
}

void TimelineView::showError(std::uint32_t error) {
    const GpuError& found = scene_.run->gpu_errors[error];
    const auto first = std::ranges::find_if(found.ranks, [&](int rank) { return scene_.indexOfRank(rank) >= 0; });
    const auto rank = static_cast<std::size_t>(scene_.indexOfRank(*first));
    const LaneId lane = LaneId::ofRank(*first);
    LaneArrangement arrangement = scene_.arrangement;
    arrangement.hidden.erase(lane);
    if (stripOfErrors(scene_, rank) == nullptr)
        arrangement.filter.clear();
    if (!(arrangement == scene_.arrangement))
        setArrangement(arrangement);
    const TimeRange visible = state_->visibleRange();
    if (found.time < visible.begin || found.time >= visible.end) {
        const TimeNs begin = found.time - visible.length() / 2;
        state_->setVisibleRange({begin, begin + visible.length()});
    }
    scrollToLane(lane);
    scene_.errorShown = {rank, error};
    scene_.hover.reset();
    scene_.hoverLines = errorLines(scene_, rank, error);
    scene_.pointer = errorRect(scene_, rank, error).center();
    refreshOverlay();
    tellAccessible(this, QAccessible::Selection, selectedPlace() ? 1 : 0);
}

void TimelineView::explainSelection(const QString& why) {
    const EventRef event = *state_->selection();
    const RankTrace& trace = *state_->trace(event.rank);
    const QRect rect = scene_.rectOf(event).toAlignedRect().intersected(QRect(QPoint(), scene_.size));
    scene_.hover.reset();
    scene_.pointer = QPoint((rect.left() + std::min(rect.right(), rect.left() + kLabelAway)) / 2, rect.bottom());
    scene_.hoverLines = {
        shortNameText(trace.event_name(event.event)), why,
        tr("rank %1 · %2").arg(QString::number(trace.rank), nameText(trace.lane_of(event.event).name))};
    refreshOverlay();
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
    const auto walk = [&](const char* id, const QString& title, Qt::Key key, const QString& help, auto go) {
        Command made = command(id, title, {QKeySequence(Qt::CTRL | key)}, help, go);
        made.menu = tr("&Timeline") + u'/' + tr("&Dependencies");
        made.enabled = [this] { return state_->selection().has_value() && scene_.marks != nullptr; };
        table.add(std::move(made));
    };
    walk(
        "dependency-back", tr("&What it waited for"), Qt::Key_Left,
        tr("Select what held the selected slice up: its launch, work before it, the rank that arrived last at its "
           "call"),
        [this] { followDependency(-1); });
    walk(
        "dependency-on", tr("What waited for i&t"), Qt::Key_Right,
        tr("Select what the selected slice held up: work it launched, work after it, a rank that waited for it"),
        [this] { followDependency(+1); });
    walk(
        "call-rank-before", tr("Its call on the rank &above"), Qt::Key_Up,
        tr("Select the same collective call on the next lower rank"), [this] { followCall(-1); });
    walk("call-rank-after", tr("Its call on the rank &below"), Qt::Key_Down,
         tr("Select the same collective call on the next higher rank"), [this] { followCall(+1); });
    for (const OverlayEntry& overlay : overlayEntries()) {
        Command made = command(overlay.command.toLatin1().constData(), overlay.title, {QKeySequence(overlay.key)},
                               tr("Show or hide the overlay: %1").arg(overlay.title.toLower()),
                               [this, &overlay] { state_->setShows(overlay.id, !state_->shows(overlay.id)); });
        made.menu = tr("&Timeline") + u'/' + tr("&Overlays");
        made.checked = [this, &overlay] { return state_->shows(overlay.id); };
        table.add(std::move(made));
    }
}

void TimelineView::addErrorCommands(CommandTable& table) {
    const auto follow = [&](const char* id, const QString& title, QKeyCombination key, const QString& help,
                            int direction) {
        Command made = command(id, title, {QKeySequence(key)}, help, [this, direction] { followError(direction); });
        made.menu = tr("&Timeline") + u'/' + tr("&Move");
        made.enabled = [this] { return scene_.run && !scene_.run->gpu_errors.empty(); };
        table.add(std::move(made));
    };
    follow("next-gpu-error", tr("&Next GPU error"), Qt::Key_N,
           tr("Go to the next error of a GPU that a kernel's log tells"), +1);
    follow("previous-gpu-error", tr("Previous &GPU error"), Qt::SHIFT | Qt::Key_N,
           tr("Go to the error of a GPU before it"), -1);
}

} // namespace rankscope
