// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline: all ranks' GPU streams, annotations and CPU threads over time, in one plot with one plottable.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <QTimer>
#include <QWidget>

#include "widgets/command_table.h"
#include "widgets/jobs.h"
#include "widgets/timeline/counter_builder.h"
#include "widgets/timeline/glide.h"
#include "widgets/timeline/slice_indexer.h"
#include "widgets/timeline/timeline_scene.h"

class QMenu;
class QNativeGestureEvent;
class QScrollBar;

namespace rankscope {

class AnalysisMarks;
class ClassLegend;
class OverlayLegend;
class LaneCorner;
class LaneHeaders;
class LanesPlot;
class Minimap;
class NameFilterBar;
class TimeRuler;

/// Wheel scrolls lanes, Ctrl+wheel zooms at the pointer, Shift+wheel and drag pan, double-click zooms to a slice, a
/// drag on the ruler or with Shift marks a range. What keys do stands in timeline_commands.cpp and in the command
/// table.
class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(ViewState* state, QWidget* parent = nullptr);
    ~TimelineView() override;

    /// Adds the timeline's commands to the table, whose keys hold from then on; the table lives longer than the view.
    /// Before, the view has a table of its own.
    void useCommands(CommandTable& table);
    [[nodiscard]] static QString commandPlace() { return QStringLiteral("timeline"); }

    /// Unfolds, scrolls and pans until the event is in view; does not zoom.
    void reveal(const EventRef& event);
    void fitSelectionThenAll();
    void showAll();
    void markSelection(); ///< the selected slice, or all that is in view, becomes the range
    void fitRange();

    /// Of the run on screen: what its flows and overlays are drawn from. nullptr, or of another run: nothing.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    /// The selection moves along operator -> launch -> kernel; negative: back.
    void followFlow(int direction);
    /// The selection moves to what the selected event waited for (negative), or to what waited for it: also to other
    /// streams, threads and ranks. A label at the event says why.
    void followDependency(int direction);
    /// To the same call on the rank before or after.
    void followCall(int direction);
    /// To the next error of a GPU, or the one before (negative): from the one that the label tells while it is in view,
    /// else from what is in view. A label says what it is.
    void followError(int direction);

    /// How the lanes are arranged, to be saved and restored with the run.
    [[nodiscard]] const LaneArrangement& arrangement() const { return scene_.arrangement; }
    void setArrangement(const LaneArrangement& arrangement);
    /// What pinning and hiding by key means: the header that has the focus, the lane under the pointer, or that of the
    /// selection.
    [[nodiscard]] std::optional<LaneId> laneInFocus() const;
    void toggleFold(const LaneId& id);
    void foldAllRanks(bool folded);
    void pinLane(const LaneId& id); ///< or unpins it
    void pinLaneInFocus();
    void moveRankInFocus(int places);
    void hideLane(const LaneId& id);
    void hideLaneInFocus();
    void showHidden();
    void moveRankBy(int rank, int places); ///< positive: down
    void setLaneFilter(const QString& text);
    /// Of the slices of all ranks that name alone is drawn as usual, or that name is not; the same call takes it back.
    void showOnlyName(const EventRef& slice);
    void hideName(const EventRef& slice);
    void showAllNames();
    void setLaneHeight(LaneHeight height);
    void changeLaneHeight(int steps); ///< positive: higher
    void scrollToLane(const LaneId& id);
    /// Ranks and lanes with a mark before their name, and what the mark means; only these from now on.
    void markLanes(std::map<LaneId, QString> lanes);
    [[nodiscard]] bool isMarked(const LaneId& id) const;
    /// The rows below the lanes: what the colours mean, and the switches of the overlays.
    void setLegendRows(bool classes, bool overlays);
    /// What stands at the top of the scrolled lanes, and bringing a place there: how another timeline scrolls along.
    [[nodiscard]] std::optional<LanePlace> topPlace() const;
    void showAtTop(const LanePlace& place);
    /// The same until somebody scrolls: also when the view gets its size, and lanes come or go.
    void keepAtTop(const LanePlace& place);
    [[nodiscard]] std::optional<LanePlace> scrolledTo() const; ///< nothing: the lanes are not scrolled
    void setTimeOrigin(TimeOrigin origin);                     ///< of the ruler
    void focusLanes();                                         ///< the keyboard goes to the lane headers
    void focusLaneFilter();
    /// What can be done with a lane.
    [[nodiscard]] std::unique_ptr<QMenu> laneMenu(const LaneId& id);

    /// The lanes' area, in this widget's coordinates; times and rectangles below refer to it.
    [[nodiscard]] QRect lanesRect() const;
    [[nodiscard]] const TimelineScene& scene() const { return scene_; }
    /// All ranks' slices are drawn; false for a moment after a run was set.
    [[nodiscard]] bool isReady() const;
    /// Draws what has changed now, not at the next pass of the event loop.
    void drawNow();
    [[nodiscard]] std::size_t drawnRectCount() const;
    [[nodiscard]] Minimap& minimap() const { return *minimap_; }

    [[nodiscard]] QSize sizeHint() const override { return {900, 560}; }

Q_SIGNALS:
    void arrangementChanged();
    void scrolled();
    /// A slice, selected now, was clicked with the right button, or Menu was pressed while it is selected. at: global.
    void sliceMenuAsked(const rankscope::EventRef& slice, QPoint at);
    void flamesAsked(int rank); ///< of the whole rank

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class DragKind { pan, range };
    struct SliceEdge {
        EventRef slice;
        TimeNs time = 0;
        bool end = false;
    };
    struct Drag {
        QPoint from;
        TimeRange visible;
        int scroll = 0;
        bool moved = false;
        DragKind kind = DragKind::pan;
        TimeNs anchor = 0;                  ///< of a range: the edge that stays
        std::optional<SliceEdge> edge = {}; ///< of a range that measures: where it starts
        bool keeps = false;                 ///< the range marked before, to compare with the one that is dragged
    };

    [[nodiscard]] Command command(const char* id, const QString& title, QList<QKeySequence> shortcuts,
                                  const QString& help, std::function<void()> run);
    /// "W, Ctrl+Up": the keys that a command has now.
    [[nodiscard]] QString keysOf(const char* command) const;
    void showKeys(); ///< in the hint beside the legend
    void addMoves(CommandTable& table);
    void addSteps(CommandTable& table);
    void addLaneCommands(CommandTable& table);
    void addNameCommands(CommandTable& table);
    void layOutChildren();
    void connectLanes();
    template <typename Change>
    void rearrange(Change change);
    void takeColours(); ///< what the chosen way of colouring needs to know is computed in the background
    void takeCounters();
    void takeNames(); ///< the slices of the names that are shown are looked up in the background
    void takeRun();
    void takeIndexes();
    void relayout();
    void takeSize();
    /// Once a run is read and in view: where more than half of it would lie outside, but all ranks fit when they are
    /// closed, only as many of the first stay open as fit. Not once the user has arranged or selected something.
    void closeRanksToFit();
    void takeTheme();
    void refresh();        ///< everything, at the next pass of the event loop
    void refreshOverlay(); ///< hover and selection only
    void setScroll(int value);
    void scrollBy(int pixels);
    void hoverAt(QPoint point);
    void zoomBy(double factor, TimeNs anchor);
    void panBy(double share); ///< of what is visible, in whole pixels
    void panByPixels(int pixels);
    bool pinch(QNativeGestureEvent& event);
    void selectNeighbour(int direction);
    // timeline_range.cpp
    [[nodiscard]] bool beginsRange(const QMouseEvent& event);
    void dragRange(QPoint point);
    [[nodiscard]] std::optional<SliceEdge> sliceEdgeNear(QPoint point) const;
    [[nodiscard]] QString nameOf(const SliceEdge& edge) const;
    void showRangeCursor(QPoint point);
    void moveRangeEdge(bool end, int direction);
    void addRangeCommands(CommandTable& table);
    [[nodiscard]] bool isOnRange(int x) const;
    [[nodiscard]] std::optional<bool> rangeEdgeAt(int x) const; ///< true: the end
    // timeline_marks.cpp
    void connectMarks();
    void takeMarks();
    void takeFlows();
    [[nodiscard]] std::optional<EventPlace> selectedPlace() const;
    void selectPlace(EventPlace place);
    void explainSelection(const QString& why); ///< in a label beside it
    void showError(std::uint32_t error);
    void addMarkCommands(CommandTable& table);
    void addErrorCommands(CommandTable& table);
    void toggleRank(int rank);
    [[nodiscard]] std::optional<EventRef> firstVisibleSlice() const;
    [[nodiscard]] TimeNs anchor() const;
    [[nodiscard]] std::optional<int> rankInFocus() const;

    std::unique_ptr<CommandTable> ownCommands_;
    CommandTable* commands_ = nullptr;
    ViewState* state_;
    TimelineScene scene_;
    LanesPlot* plot_;
    TimeRuler* ruler_;
    LaneHeaders* headers_;
    LaneCorner* corner_;
    NameFilterBar* names_;
    Minimap* minimap_;
    ClassLegend* legend_;
    AnalysisMarks* marks_;
    OverlayLegend* overlayLegend_;
    QScrollBar* scrollBar_;
    Glide glide_;
    Jobs colouring_;
    Jobs naming_;
    QTimer indexesArrived_; ///< many ranks at once are taken in together
    CounterBuilder counterBuilder_;
    SliceIndexer indexer_;
    std::optional<Drag> drag_;
    std::optional<LanePlace> keptTop_;
    bool layingOut_ = false; ///< nobody scrolls
    struct {
        double laneHeight = 0, scroll = 0, pan = 0;
    } wheelRest_;                     ///< what is less than a step or a pixel, see wholeSteps()
    const void* closedFor_ = nullptr; ///< Run::names of the run for which closeRanksToFit() was due last
    bool closingDue_ = false;
};

} // namespace rankscope
