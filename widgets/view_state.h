// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at: the run, the visible range, the selected event. Views share one and hear of changes only.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/analysis/search/event_search.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "core/trace/run.h"

namespace rankscope {

/// An event of a run: rank number (not index) and position in the rank's EventTable.
struct EventRef {
    int rank = 0;
    EventIndex event = kNoEvent;
    friend bool operator==(const EventRef&, const EventRef&) = default;
};

class ViewState : public QObject {
    Q_OBJECT
public:
    explicit ViewState(QObject* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    /// Another run starts afresh. The same run with more ranks (it is still loading; known by its names) keeps range
    /// and selection; a view that showed everything goes on showing everything.
    void setRun(std::shared_ptr<const Run> run);
    /// How its kernels are classified. Set it while there is no run.
    [[nodiscard]] const KernelClassRules& classes() const { return classes_; }
    void setClasses(KernelClassRules classes) { classes_ = std::move(classes); }
    /// The rank's trace, or nullptr.
    [[nodiscard]] const RankTrace* trace(int rank) const;

    /// Absolute times, ns.
    [[nodiscard]] TimeRange fullRange() const { return full_; }
    [[nodiscard]] TimeRange visibleRange() const { return visible_; }
    /// Lets one look beyond the run, for as long as it stays: beside a longer run it leaves room at its ends.
    void widenFullRange(TimeRange range);
    /// Moved and shortened to lie inside the full range.
    void setVisibleRange(TimeRange range);
    /// As setVisibleRange, but a step one can take back: for jumps, not for every notch of a wheel.
    void jumpTo(TimeRange range);
    /// For gestures: movements that follow each other, without a pause of a second, are one step to take back.
    void moveTo(TimeRange range);
    void endMove(); ///< the hand let go: the next movement is another step
    [[nodiscard]] bool canStepBack() const { return !back_.empty(); }
    [[nodiscard]] bool canStepForward() const { return !forward_.empty(); }
    void stepBack();
    void stepForward();

    [[nodiscard]] std::optional<EventRef> selection() const { return selection_; }
    /// An event that the run does not have clears the selection.
    void select(std::optional<EventRef> event);
    [[nodiscard]] std::optional<EventRef> hover() const { return hover_; }
    void setHover(std::optional<EventRef> event);

    /// The range marked for its statistics, absolute, inside the full range, not empty.
    [[nodiscard]] std::optional<TimeRange> range() const { return range_; }
    void setRange(std::optional<TimeRange> range);
    /// Ranges put beside each other in the Range panel, in the order in which they were added; absolute.
    [[nodiscard]] const std::vector<TimeRange>& comparedRanges() const { return compared_; }
    static constexpr std::size_t kMostCompared = 4;
    void compareRange(TimeRange range); ///< once each; of more than kMostCompared the first goes
    void forgetComparedRanges();
    /// Ranges used in all screens, each a part of the one before; the last is in force. Empty: the whole run.
    [[nodiscard]] const std::vector<TimeRange>& usedRanges() const { return used_; }
    void useRange(); ///< the marked one, unless it is in force already
    void stepOutOfRange();
    void useWholeRun();

    /// What a search found in this very run; nullptr: nothing is searched for.
    [[nodiscard]] const std::shared_ptr<const SearchHits>& searchHits() const { return hits_; }
    void setSearchHits(std::shared_ptr<const SearchHits> hits);

    /// Overlays go by their ids (widgets/timeline/overlays.h).
    [[nodiscard]] bool shows(const QString& overlay) const { return overlays_.contains(overlay); }
    void setShows(const QString& overlay, bool shown);
    [[nodiscard]] const std::set<QString>& overlays() const { return overlays_; } ///< those shown
    void setOverlays(std::set<QString> shown);

Q_SIGNALS:
    void runChanged();
    void visibleRangeChanged();
    void selectionChanged();
    void hoverChanged();
    void rangeChanged();
    void comparedRangesChanged();
    void usedRangesChanged();
    void searchHitsChanged();
    void overlaysChanged();

private:
    void remember(TimeRange range);
    [[nodiscard]] bool has(const std::optional<EventRef>& event) const;

    std::shared_ptr<const Run> run_;
    KernelClassRules classes_;
    TimeRange full_;
    TimeRange visible_;
    std::optional<EventRef> selection_;
    std::optional<EventRef> hover_;
    std::optional<TimeRange> range_;
    std::vector<TimeRange> compared_;
    std::vector<TimeRange> used_;
    std::shared_ptr<const SearchHits> hits_;
    std::set<QString> overlays_;
    std::vector<TimeRange> back_;
    std::vector<TimeRange> forward_;
    bool moving_ = false; ///< the step back to before the movement is in back_ already
    QTimer movePause_;
};

} // namespace rankscope
