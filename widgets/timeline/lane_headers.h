// SPDX-License-Identifier: GPL-3.0-or-later
// The column left of the lanes: rank, then lane names. A click folds, dragging a rank moves it; the same by keyboard.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include <QWidget>

#include "widgets/timeline/gpu_shares.h"
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

/// A line of the column that can be current.
struct HeaderItem {
    LaneId id;
    int top = 0; ///< in the layout
    int height = 0;
    bool foldable = false;
    bool open = true;
};
/// From top to bottom: what is pinned, then rank by rank, each followed by its groups and lanes.
std::vector<HeaderItem> headerItems(const Run& run, const LaneLayout& layout);

/// Up and Down walk, Left and Right close and open, R or Enter turns, P pins, H hides, Alt+Up and Alt+Down move the
/// rank; the menu key offers it all.
class LaneHeaders : public QWidget {
    Q_OBJECT
public:
    explicit LaneHeaders(const TimelineScene& scene, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    /// To be called when ranks or fonts have changed.
    void takeScene();
    /// What the keys work on; nothing before they were used.
    [[nodiscard]] const std::optional<LaneId>& current() const { return current_; }
    void setCurrent(const LaneId& id);
    [[nodiscard]] std::vector<HeaderItem> items() const;
    [[nodiscard]] int currentIndex() const;                   ///< in items(); -1: none
    [[nodiscard]] QRect rectOf(const HeaderItem& item) const; ///< where it is drawn; may lie outside of the view
    void foldCurrent();
    void hideCurrent(); ///< and goes to the next line
    void needCurrent(); ///< the first line in view, unless there is one already
    /// "rank 3", "rank 3, stream 7", as lists and assistive technology name it.
    [[nodiscard]] QString nameOf(const LaneId& id) const;
    /// What fills the visible range on the rank's GPU: a bar below its name, and these words in its hover text. Empty:
    /// no GPU work is recorded there.
    [[nodiscard]] QString sharesText(int rank) const;
    /// Ranks and lanes with a mark before their name, and what the mark means; it stands in their hover text.
    void setMarked(std::map<LaneId, QString> lanes);
    [[nodiscard]] bool isMarked(const LaneId& id) const { return marked_.contains(id); }
    [[nodiscard]] QString hoverText(QPoint point) const; ///< in whole lines; empty: none

Q_SIGNALS:
    void foldAsked(const LaneId& id);
    void hideAsked(const LaneId& id);
    void moveAsked(int rank, int places);
    void menuAsked(const LaneId& id, QPoint global);
    void currentChanged(const LaneId& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct RankDrag {
        int rank = 0;
        QPoint from;
        bool moved = false;
        int places = 0; ///< down
        int line = 0;   ///< y of where it would go, in the layout
    };

    [[nodiscard]] int rankColumn() const { return rankColumn_; }
    [[nodiscard]] const RankTrace& trace(int rankIndex) const;
    [[nodiscard]] QString textOf(const LaneHeader& header) const;
    [[nodiscard]] const LaneHeader* headerAt(QPoint point) const;
    [[nodiscard]] const RankBlock* rankAt(int y) const;
    [[nodiscard]] std::optional<LaneId> idAt(QPoint point) const;
    void drawLines(QPainter& painter, int top, int bottom) const;
    void drawRank(QPainter& painter, const RankBlock& block) const;
    void drawShares(QPainter& painter, const RankBlock& block, int top) const;
    [[nodiscard]] GpuShares sharesOf(int rankIndex) const; ///< of what is visible
    void drawHeader(QPainter& painter, const LaneHeader& header) const;
    void drawCurrent(QPainter& painter) const;
    void dragTo(QPoint point);
    void walk(int steps);
    void openOrClose(const HeaderItem& item, bool open);

    const TimelineScene& scene_;
    int rankColumn_ = 60;
    std::optional<LaneId> current_;
    std::optional<RankDrag> drag_;
    std::map<LaneId, QString> marked_; ///< with what the mark means
};

} // namespace rankscope
