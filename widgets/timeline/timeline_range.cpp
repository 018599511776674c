// SPDX-License-Identifier: GPL-3.0-or-later
// Marking a range of time with mouse and keys.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <QApplication>
#include <QMouseEvent>

#include "widgets/command_table.h"
#include "widgets/custom_plot.h"
#include "widgets/name_text.h"
#include "widgets/time_text.h"
#include "widgets/timeline/time_ruler.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {
namespace {

constexpr double kSnap = 6; // pixels from a slice's edge that still mean it
constexpr qsizetype kNameLength = 60;
constexpr double kGrasp = 4;       // pixels beside an edge that still take hold of it
constexpr double kEdgeStep = 0.02; // of the visible range, for one key
constexpr double kFitAir = 0.05;   // beside a range that was zoomed to

} // namespace

std::optional<bool> TimelineView::rangeEdgeAt(int x) const {
    const std::optional<TimeRange> range = state_->range();
    if (!range)
        return {};
    const TimeAxis axis{state_->visibleRange(), static_cast<double>(std::max(1, scene_.size.width()))};
    const double at = x - lanesRect().left();
    const double begin = std::abs(axis.pixelOf(range->begin) - at);
    const double end = std::abs(axis.pixelOf(range->end) - at);
    if (std::min(begin, end) > kGrasp)
        return {};
    return end <= begin;
}

bool TimelineView::isOnRange(int x) const {
    const TimeNs time = TimeAxis{state_->visibleRange(), static_cast<double>(std::max(1, scene_.size.width()))}.timeAt(
        x - lanesRect().left());
    return rangeEdgeAt(x) || (state_->range() && state_->range()->contains(time));
}

/// On the ruler any drag marks a range; among the lanes one with Shift, or one that takes hold of an edge. One that
/// starts at a slice's edge measures: it ends at an edge too, where one is near. One with Ctrl keeps the range that
/// was marked, to compare both.
bool TimelineView::beginsRange(const QMouseEvent& event) {
    const QPoint point = event.position().toPoint();
    const bool onRuler = ruler_->geometry().contains(point);
    const bool onLanes = lanesRect().contains(point);
    const bool keeps = event.modifiers().testFlag(Qt::ControlModifier);
    const std::optional<bool> edge = !keeps && (onRuler || onLanes) ? rangeEdgeAt(point.x()) : std::nullopt;
    if (!edge && !onRuler && !(onLanes && (keeps || event.modifiers().testFlag(Qt::ShiftModifier))))
        return false;
    drag_ = Drag{point, state_->visibleRange(), scene_.scroll, false, DragKind::range, 0, {}, keeps};
    if (edge)
        drag_->anchor = *edge ? state_->range()->begin : state_->range()->end;
    else if (drag_->edge = sliceEdgeNear(point); drag_->edge)
        drag_->anchor = drag_->edge->time;
    else
        drag_->anchor = scene_.axis().timeAt(point.x() - lanesRect().left());
    hoverAt({-1, -1});
    return true;
}

std::optional<TimelineView::SliceEdge> TimelineView::sliceEdgeNear(QPoint point) const {
    const QPointF place = QPointF(point - lanesRect().topLeft()) + QPointF(0.5, 0.5);
    const std::optional<HoveredSlice> hit = scene_.hit(place);
    if (!hit)
        return {};
    const TimeRange range = state_->trace(hit->event.rank)->events.range(hit->event.event);
    const double begin = std::abs(scene_.axis().pixelOf(range.begin) - place.x());
    const double end = std::abs(scene_.axis().pixelOf(range.end) - place.x());
    if (std::min(begin, end) > kSnap)
        return {};
    return end < begin ? SliceEdge{hit->event, range.end, true} : SliceEdge{hit->event, range.begin, false};
}

QString TimelineView::nameOf(const SliceEdge& edge) const {
    const RankTrace& trace = *state_->trace(edge.slice.rank);
    return (edge.end ? tr("end of %1 (rank %2)") : tr("start of %1 (rank %2)"))
        .arg(shortNameText(trace.event_name(edge.slice.event)).left(kNameLength), QString::number(trace.rank));
}

void TimelineView::dragRange(QPoint point) {
    const bool still = !drag_->moved && std::abs(point.x() - drag_->from.x()) < QApplication::startDragDistance();
    if (still && (drag_->keeps || !rangeEdgeAt(drag_->from.x())))
        return;
    if (!drag_->moved && drag_->keeps && state_->range())
        state_->compareRange(*state_->range());
    drag_->moved = true;
    const std::optional<SliceEdge> edge = drag_->edge ? sliceEdgeNear(point) : std::nullopt;
    const int x = std::clamp(point.x() - lanesRect().left(), 0, scene_.size.width());
    const TimeNs time = edge ? edge->time : scene_.axis().timeAt(x);
    setCursor(Qt::SplitHCursor);
    state_->setRange(TimeRange{std::min(drag_->anchor, time), std::max(drag_->anchor, time)});
    if (!drag_->edge)
        return;
    scene_.pointer = point - lanesRect().topLeft();
    scene_.hoverLines = {durationText(std::abs(time - drag_->anchor)), tr("from the %1").arg(nameOf(*drag_->edge))};
    if (edge)
        scene_.hoverLines << tr("to the %1").arg(nameOf(*edge));
    refreshOverlay();
}

void TimelineView::showRangeCursor(QPoint point) {
    const bool grasps = (ruler_->geometry().contains(point) || lanesRect().contains(point)) && rangeEdgeAt(point.x());
    if (grasps)
        setCursor(Qt::SplitHCursor);
    else
        unsetCursor();
}

void TimelineView::moveRangeEdge(bool end, int direction) {
    if (!state_->range())
        markSelection();
    if (!state_->range())
        return; // nothing to mark
    TimeRange range = *state_->range();
    const auto step =
        std::max<TimeNs>(1, std::llround(kEdgeStep * static_cast<double>(state_->visibleRange().length())));
    (end ? range.end : range.begin) += direction * step;
    // The edge that moves stops at the other one.
    if (end)
        range.end = std::max(range.end, range.begin + 1);
    else
        range.begin = std::min(range.begin, range.end - 1);
    state_->setRange(range);
}

void TimelineView::addRangeCommands(CommandTable& table) {
    const QString menu = tr("&Timeline") + u'/' + tr("Ran&ge");
    const auto add = [&](const char* id, const QString& title, QList<QKeySequence> keys, const QString& help,
                         std::function<void()> run) {
        Command made = command(id, title, std::move(keys), help, std::move(run));
        made.menu = menu;
        table.add(std::move(made));
    };
    add(
        "mark-range", tr("&Mark as range"), {QKeySequence(Qt::Key_E)},
        tr("Mark the selected slice, or all that is in view, as the range"), [this] { markSelection(); });
    add(
        "compare-slice", tr("Compare the s&lice"), {QKeySequence(Qt::SHIFT | Qt::Key_E)},
        tr("Put the time of the selected slice beside the other ranges that are compared"),
        [this] {
            if (const std::optional<EventRef> selected = state_->selection())
                state_->compareRange(state_->trace(selected->rank)->events.range(selected->event));
        });
    add(
        "fit-range", tr("&Zoom to the range"), {QKeySequence(Qt::SHIFT | Qt::Key_F)}, tr("Zoom to the marked range"),
        [this] { fitRange(); });
    add(
        "range-end-later", tr("&End later"),
        {QKeySequence(Qt::SHIFT | Qt::Key_D), QKeySequence(Qt::SHIFT | Qt::Key_Right)},
        tr("Move the end of the range to a later time"), [this] { moveRangeEdge(true, +1); });
    add(
        "range-end-earlier", tr("E&nd earlier"),
        {QKeySequence(Qt::SHIFT | Qt::Key_A), QKeySequence(Qt::SHIFT | Qt::Key_Left)},
        tr("Move the end of the range to an earlier time"), [this] { moveRangeEdge(true, -1); });
    add(
        "range-begin-later", tr("&Start later"), {QKeySequence(Qt::ALT | Qt::Key_D)},
        tr("Move the start of the range to a later time"), [this] { moveRangeEdge(false, +1); });
    add("range-begin-earlier", tr("S&tart earlier"), {QKeySequence(Qt::ALT | Qt::Key_A)},
        tr("Move the start of the range to an earlier time"), [this] { moveRangeEdge(false, -1); });
    table.addGesture({commandPlace(), tr("Shift+drag, drag on the ruler"), tr("Mark a range of time")});
    table.addGesture({commandPlace(), tr("Ctrl+drag"), tr("Mark another range, to compare it with the one before")});
    table.addGesture(
        {commandPlace(), tr("Shift+drag from slice to slice"), tr("Measure the time between their edges")});
    table.addGesture({commandPlace(), tr("Drag an edge of the range"), tr("Change the range")});
    table.addGesture({commandPlace(), tr("Click on the ruler"), tr("Clear the range")});
}

void TimelineView::markSelection() {
    if (const std::optional<EventRef> selected = state_->selection()) {
        const TimeRange range = state_->trace(selected->rank)->events.range(selected->event);
        state_->setRange(TimeRange{range.begin, std::max(range.end, range.begin + 1)});
    } else {
        state_->setRange(state_->visibleRange());
    }
}

void TimelineView::fitRange() {
    if (state_->range())
        state_->jumpTo(withMargin(*state_->range(), kFitAir));
}

} // namespace rankscope
