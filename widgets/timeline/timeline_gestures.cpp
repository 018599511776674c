// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's hands: wheel and mouse, and what its commands do. Positions in the lanes' area are relative to its top
// left corner.
#include <algorithm>
#include <cmath>
#include <optional>

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include "widgets/command_table.h"
#include "widgets/custom_plot.h"
#include "widgets/timeline/error_marks.h"
#include "widgets/timeline/hover_label.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {
namespace {

constexpr double kNotch = 120; // what QWheelEvent reports for one notch of a wheel
constexpr double kZoomPerNotch = 0.8;
constexpr double kPanPerNotch = 0.1; // of the visible range
constexpr int kScrollPerNotch = 60;  // pixels
constexpr double kFitMargin = 0.3;   // air around what was zoomed to, on each side

/// The whole steps of what has come together. The rest waits for more: touchpads and fine wheels send a few at a time.
int wholeSteps(double& rest, double more) {
    if (rest * more < 0) // the hand has turned round
        rest = 0;
    rest += more;
    const int whole = static_cast<int>(rest);
    rest -= whole;
    return whole;
}

} // namespace

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (!scene_.run)
        return event->ignore();
    // A finger never moves quite straight: its main direction counts. Some platforms turn Shift+wheel and Alt+wheel
    // into a horizontal wheel by themselves.
    const auto main = [](QPoint delta) { return std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y(); };
    const QPoint pixels = event->pixelDelta();
    const QPoint way = pixels.isNull() ? event->angleDelta() : pixels;
    const double notches = main(event->angleDelta()) / kNotch;
    const QPointF point = event->position() - lanesRect().topLeft();
    const auto distance = [&](double perNotch) { return -(pixels.isNull() ? notches * perNotch : main(pixels)); };
    if (event->modifiers().testFlag(Qt::ControlModifier) && event->modifiers().testFlag(Qt::AltModifier)) {
        if (const int steps = wholeSteps(wheelRest_.laneHeight, notches); steps != 0)
            changeLaneHeight(steps);
    } else if (event->modifiers().testFlag(Qt::ControlModifier))
        zoomBy(std::pow(kZoomPerNotch, notches), scene_.axis().timeAt(point.x()));
    else if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(way.x()) > std::abs(way.y()))
        panByPixels(wholeSteps(wheelRest_.pan, distance(kPanPerNotch * scene_.size.width())));
    else
        scrollBy(wholeSteps(wheelRest_.scroll, distance(kScrollPerNotch)));
    hoverAt(point.toPoint());
    event->accept();
}

bool TimelineView::event(QEvent* event) {
    return event->type() == QEvent::NativeGesture ? pinch(*static_cast<QNativeGestureEvent*>(event))
                                                  : QWidget::event(event);
}

/// Two fingers on a touchpad zoom about the pointer. false: another gesture, or no run.
bool TimelineView::pinch(QNativeGestureEvent& event) {
    const bool taken =
        scene_.run && (event.gestureType() == Qt::BeginNativeGesture || event.gestureType() == Qt::ZoomNativeGesture ||
                       event.gestureType() == Qt::EndNativeGesture);
    event.setAccepted(taken);
    if (!taken || event.gestureType() != Qt::ZoomNativeGesture)
        return taken;
    const QPointF point = mapFromGlobal(event.globalPosition()) - lanesRect().topLeft();
    const double scale = std::clamp(1 + event.value(), 0.1, 10.0); // of the fingers' distance, since the last event
    zoomBy(1 / scale, scene_.axis().timeAt(point.x()));
    hoverAt(point.toPoint());
    return true;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.run)
        return event->ignore();
    if (beginsRange(*event))
        return;
    if (!lanesRect().contains(event->position().toPoint()))
        return event->ignore();
    drag_ = Drag{event->position().toPoint(), state_->visibleRange(), scene_.scroll, false, DragKind::pan, 0, {}};
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (!drag_) {
        showRangeCursor(point);
        return hoverAt(point - lanesRect().topLeft());
    }
    const QPoint way = point - drag_->from;
    if (!drag_->moved && way.manhattanLength() < QApplication::startDragDistance())
        return;
    if (drag_->kind == DragKind::range)
        return dragRange(point);
    if (!drag_->moved) {
        drag_->moved = true;
        setCursor(Qt::ClosedHandCursor);
        hoverAt({-1, -1});
    }
    state_->moveTo(pannedByPixels(drag_->visible, -way.x(), scene_.size.width(), state_->fullRange()));
    scrollBar_->setValue(drag_->scroll - way.y());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !drag_)
        return event->ignore();
    const bool clicked = !drag_->moved && drag_->kind == DragKind::pan;
    if (!drag_->moved && drag_->kind == DragKind::range && !isOnRange(drag_->from.x()))
        state_->setRange({}); // a click beside it
    drag_.reset();
    state_->endMove();
    unsetCursor();
    const QPoint point = event->position().toPoint() - lanesRect().topLeft();
    if (clicked) {
        const std::optional<HoveredSlice> hit = scene_.hit(QPointF(point) + QPointF(0.5, 0.5));
        state_->select(hit ? std::optional(hit->event) : std::nullopt);
    }
    hoverAt(point);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.run)
        return event->ignore();
    const QPointF point = event->position() - lanesRect().topLeft() + QPointF(0.5, 0.5);
    if (point.y() < 0 && isOnRange(event->position().toPoint().x()))
        return fitRange();
    const std::optional<HoveredSlice> hit = scene_.hit(point);
    if (!hit)
        return;
    state_->select(hit->event);
    state_->jumpTo(withMargin(state_->trace(hit->event.rank)->events.range(hit->event.event), kFitMargin));
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (!scene_.run)
        return event->ignore();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (const std::optional<EventRef> selected = state_->selection())
            Q_EMIT sliceMenuAsked(*selected, mapToGlobal(lanesRect().center()));
        return;
    }
    const std::optional<HoveredSlice> hit =
        scene_.hit(QPointF(event->pos() - lanesRect().topLeft()) + QPointF(0.5, 0.5));
    if (!lanesRect().contains(event->pos()) || !hit) {
        if (actions().isEmpty())
            return event->ignore();
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(actions());
        return menu->popup(event->globalPos());
    }
    state_->select(hit->event);
    Q_EMIT sliceMenuAsked(hit->event, event->globalPos());
}

void TimelineView::leaveEvent(QEvent*) { hoverAt({-1, -1}); }

void TimelineView::hoverAt(QPoint point) {
    scene_.visible = state_->visibleRange();
    scene_.pointer = point;
    const bool before = !scene_.hoverLines.isEmpty();
    const QPointF middle = QPointF(point) + QPointF(0.5, 0.5);
    scene_.hover = scene_.hit(middle);
    scene_.hoverLines = errorLinesAt(scene_, middle) +
                        (scene_.hover ? hoverLines(scene_, *scene_.hover) : counterLines(scene_, middle));
    if (before || !scene_.hoverLines.isEmpty())
        refreshOverlay();
    state_->setHover(scene_.hover ? std::optional(scene_.hover->event) : std::nullopt);
}

void TimelineView::scrollBy(int pixels) { scrollBar_->setValue(scrollBar_->value() + pixels); }

void TimelineView::panBy(double share) {
    const double pixels = share * scene_.size.width();
    panByPixels(static_cast<int>(pixels < 0 ? std::floor(pixels) : std::ceil(pixels)));
}

void TimelineView::panByPixels(int pixels) {
    state_->moveTo(pannedByPixels(state_->visibleRange(), pixels, scene_.size.width(), state_->fullRange()));
}

void TimelineView::zoomBy(double factor, TimeNs anchor) {
    state_->moveTo(zoomedAbout(state_->visibleRange(), anchor, factor, state_->fullRange()));
}

TimeNs TimelineView::anchor() const {
    const bool inside = underMouse() && QRect(QPoint(), scene_.size).contains(scene_.pointer);
    const TimeAxis axis{state_->visibleRange(), static_cast<double>(std::max(1, scene_.size.width()))};
    return axis.timeAt(inside ? scene_.pointer.x() + 0.5 : axis.width / 2);
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    // A click says by itself where the focus went; the frame is for who came by the keyboard.
    const Qt::FocusReason reason = event->reason();
    scene_.focused =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    refreshOverlay();
}

void TimelineView::focusOutEvent(QFocusEvent*) {
    commands_->releaseHeldKeys(commandPlace());
    glide_.stop();
    scene_.focused = false;
    refreshOverlay();
}

void TimelineView::fitSelectionThenAll() {
    const std::optional<EventRef> selected = state_->selection();
    if (!selected)
        return showAll();
    const TimeRange wanted = clampedTo(
        withMargin(state_->trace(selected->rank)->events.range(selected->event), kFitMargin), state_->fullRange());
    if (state_->visibleRange() == wanted)
        return showAll();
    state_->jumpTo(wanted);
    reveal(*selected);
}

void TimelineView::showAll() { state_->jumpTo(state_->fullRange()); }

std::optional<EventRef> TimelineView::firstVisibleSlice() const {
    for (const LaneStrip* strip : scene_.stripsInView()) {
        const auto& index = scene_.indexes[static_cast<std::size_t>(strip->rankIndex)];
        if (strip->isSummary() || strip->isCounter() || !index)
            continue;
        const RowSlices row = index->row(strip->rows.front());
        const EventIndex first = row.firstReaching(state_->visibleRange().begin);
        if (first < row.size() && row.start[first] < state_->visibleRange().end)
            return EventRef{index->trace->rank, row.first + first};
    }
    return {};
}

void TimelineView::selectNeighbour(int direction) {
    std::optional<EventRef> wanted = state_->selection();
    if (!wanted) {
        wanted = firstVisibleSlice();
    } else {
        const RankTrace& trace = *state_->trace(wanted->rank);
        const Row& row = trace.rows[trace.row_of(wanted->event)];
        if (direction < 0 ? wanted->event == row.begin : wanted->event + 1 == row.end)
            return;
        wanted->event += static_cast<EventIndex>(direction);
    }
    if (!wanted)
        return;
    state_->select(wanted);
    reveal(*wanted);
}

void TimelineView::toggleRank(int rank) { toggleFold(LaneId::ofRank(rank)); }

std::optional<int> TimelineView::rankInFocus() const {
    if (scene_.hover)
        return scene_.hover->event.rank;
    if (state_->selection())
        return state_->selection()->rank;
    for (const RankBlock& block : scene_.layout.ranks)
        if (block.top + block.height > scene_.layoutY(scene_.pinnedHeight))
            return scene_.run->ranks[static_cast<std::size_t>(block.rankIndex)]->rank;
    return {};
}

} // namespace rankscope
