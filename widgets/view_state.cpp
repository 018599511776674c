// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at: the run, the visible range, the selected event.
#include "widgets/view_state.h"

#include <algorithm>
#include <limits>

#include "widgets/timeline/coordinates.h"

namespace rankscope {
namespace {

/// Snapshots of a run that is still loading share its table of names; reading a run anew makes a new one.
bool isSameRun(const Run* before, const Run* after) {
    return before != nullptr && after != nullptr && before->names && before->names == after->names;
}

constexpr int kMovePauseMs = 1000;
constexpr std::size_t kMostSteps = 500;

TimeRange fullRangeOf(const Run* run) {
    if (run == nullptr || run->ranks.empty())
        return {};
    return {run->span.begin, std::max(run->span.end, run->span.begin + kShortestVisible)};
}

/// What a run opens on: all of it, or its GPU work where that is a small part. JAX records seconds before it.
TimeRange firstViewOf(const Run* run) {
    constexpr TimeNs kSmallPart = 4; // one in so many
    constexpr TimeNs kMargin = 20;   // likewise, of the work, on each side
    const TimeRange full = fullRangeOf(run);
    TimeRange work{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    if (run != nullptr)
        for (const auto& rank : run->ranks)
            for (const Lane& lane : rank->lanes)
                if (lane.kind == LaneKind::gpu_stream && lane.begin < lane.end)
                    work = {std::min(work.begin, rank->events.start[lane.begin]),
                            std::max(work.end, rank->events.end(lane.end - 1))};
    if (work.begin >= work.end || work.length() > full.length() / kSmallPart)
        return full;
    const TimeNs margin = work.length() / kMargin;
    return clampedTo({work.begin - margin, std::max(work.end + margin, work.begin + kShortestVisible)}, full);
}

} // namespace

ViewState::ViewState(QObject* parent) : QObject(parent) {
    movePause_.setSingleShot(true);
    movePause_.setInterval(kMovePauseMs);
    connect(&movePause_, &QTimer::timeout, this, &ViewState::endMove);
}

void ViewState::setRun(std::shared_ptr<const Run> run) {
    if (run == run_)
        return;
    const bool same = isSameRun(run_.get(), run.get());
    const bool sawEverything = visible_ == full_ || visible_ == firstViewOf(run_.get());
    const TimeRange visibleBefore = visible_;
    run_ = std::move(run);
    full_ = fullRangeOf(run_.get());
    visible_ = same && !sawEverything ? clampedTo(visible_, full_) : firstViewOf(run_.get());
    if (!same) {
        back_.clear();
        forward_.clear();
        endMove();
    }
    // Everything is consistent before the first listener hears of it.
    const bool dropsHover = hover_ && !(same && has(hover_));
    const bool dropsSelection = selection_ && !(same && has(selection_));
    if (dropsHover)
        hover_.reset();
    if (dropsSelection)
        selection_.reset();
    const bool dropsRange = range_ && !same;
    const bool dropsCompared = !compared_.empty() && !same;
    const bool dropsUsed = !used_.empty() && !same;
    if (!same) {
        range_.reset();
        compared_.clear();
        used_.clear();
    }
    // Hits count ranks by their place in the run, which moves when more ranks come.
    const bool dropsHits = hits_ != nullptr;
    hits_.reset();
    Q_EMIT runChanged();
    if (visible_ != visibleBefore)
        Q_EMIT visibleRangeChanged();
    if (dropsHover)
        Q_EMIT hoverChanged();
    if (dropsSelection)
        Q_EMIT selectionChanged();
    if (dropsRange)
        Q_EMIT rangeChanged();
    if (dropsCompared)
        Q_EMIT comparedRangesChanged();
    if (dropsUsed)
        Q_EMIT usedRangesChanged();
    if (dropsHits)
        Q_EMIT searchHitsChanged();
}

const RankTrace* ViewState::trace(int rank) const { return run_ ? run_->rank(rank) : nullptr; }

void ViewState::widenFullRange(TimeRange range) {
    if (full_.empty() || range.empty())
        return;
    const bool sawEverything = visible_ == full_;
    full_ = {std::min(full_.begin, range.begin), std::max(full_.end, range.end)};
    if (sawEverything)
        setVisibleRange(full_);
}

void ViewState::setVisibleRange(TimeRange range) {
    if (full_.empty())
        return;
    range = clampedTo(range, full_);
    if (range == visible_)
        return;
    visible_ = range;
    Q_EMIT visibleRangeChanged();
}

void ViewState::jumpTo(TimeRange range) {
    const TimeRange before = visible_;
    setVisibleRange(range);
    if (visible_ == before)
        return;
    remember(before);
    endMove();
}

void ViewState::moveTo(TimeRange range) {
    const TimeRange before = visible_;
    setVisibleRange(range);
    if (visible_ == before)
        return;
    if (!moving_)
        remember(before);
    moving_ = true;
    movePause_.start();
}

void ViewState::endMove() {
    moving_ = false;
    movePause_.stop();
}

void ViewState::remember(TimeRange range) {
    if (back_.size() == kMostSteps)
        back_.erase(back_.begin());
    back_.push_back(range);
    forward_.clear();
}

void ViewState::stepBack() {
    if (back_.empty())
        return;
    endMove();
    const TimeRange range = back_.back();
    back_.pop_back();
    forward_.push_back(visible_);
    setVisibleRange(range);
}

void ViewState::stepForward() {
    if (forward_.empty())
        return;
    endMove();
    const TimeRange range = forward_.back();
    forward_.pop_back();
    back_.push_back(visible_);
    setVisibleRange(range);
}

void ViewState::select(std::optional<EventRef> event) {
    if (!has(event))
        event.reset();
    if (event == selection_)
        return;
    selection_ = event;
    Q_EMIT selectionChanged();
}

void ViewState::setHover(std::optional<EventRef> event) {
    if (!has(event))
        event.reset();
    if (event == hover_)
        return;
    hover_ = event;
    Q_EMIT hoverChanged();
}

void ViewState::setRange(std::optional<TimeRange> range) {
    if (range) {
        range = range->clipped_to(full_);
        if (range->empty())
            range.reset();
    }
    if (range == range_)
        return;
    range_ = range;
    Q_EMIT rangeChanged();
}

void ViewState::compareRange(TimeRange range) {
    range = range.clipped_to(full_);
    if (range.empty() || std::ranges::find(compared_, range) != compared_.end())
        return;
    if (compared_.size() == kMostCompared)
        compared_.erase(compared_.begin());
    compared_.push_back(range);
    Q_EMIT comparedRangesChanged();
}

void ViewState::forgetComparedRanges() {
    if (compared_.empty())
        return;
    compared_.clear();
    Q_EMIT comparedRangesChanged();
}

void ViewState::setSearchHits(std::shared_ptr<const SearchHits> hits) {
    if (hits == hits_)
        return;
    hits_ = std::move(hits);
    Q_EMIT searchHitsChanged();
}

void ViewState::setShows(const QString& overlay, bool shown) {
    std::set<QString> overlays = overlays_;
    if (shown)
        overlays.insert(overlay);
    else
        overlays.erase(overlay);
    setOverlays(std::move(overlays));
}

void ViewState::setOverlays(std::set<QString> shown) {
    if (shown == overlays_)
        return;
    overlays_ = std::move(shown);
    Q_EMIT overlaysChanged();
}

void ViewState::useRange() {
    if (!range_)
        return;
    const TimeRange wanted = used_.empty() ? *range_ : range_->clipped_to(used_.back());
    if (wanted.empty() || (!used_.empty() && wanted == used_.back()))
        return;
    used_.push_back(wanted);
    Q_EMIT usedRangesChanged();
}

void ViewState::stepOutOfRange() {
    if (used_.empty())
        return;
    used_.pop_back();
    Q_EMIT usedRangesChanged();
}

void ViewState::useWholeRun() {
    if (used_.empty())
        return;
    used_.clear();
    Q_EMIT usedRangesChanged();
}

bool ViewState::has(const std::optional<EventRef>& event) const {
    if (!event)
        return false;
    const RankTrace* rank = trace(event->rank);
    return rank != nullptr && event->event < rank->events.size();
}

} // namespace rankscope
