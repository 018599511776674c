// SPDX-License-Identifier: GPL-3.0-or-later
// The column left of the lanes: rank, then lane names; a click folds and unfolds.
#pragma once
#include <QWidget>

#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

class LaneHeaders : public QWidget {
    Q_OBJECT
public:
    explicit LaneHeaders(const TimelineScene& scene, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    /// To be called when ranks or fonts have changed.
    void takeScene();

Q_SIGNALS:
    void rankClicked(int rank);
    void groupClicked(int rank, LaneGroup group);
    void laneClicked(int rank, int lane);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int rankColumn() const { return rankColumn_; }
    [[nodiscard]] const RankTrace& trace(int rankIndex) const;
    [[nodiscard]] QString textOf(const LaneHeader& header) const;
    [[nodiscard]] const LaneHeader* headerAt(QPoint point) const;
    [[nodiscard]] const RankBlock* rankAt(int y) const;
    void drawRank(QPainter& painter, const RankBlock& block) const;
    void drawHeader(QPainter& painter, const LaneHeader& header) const;

    const TimelineScene& scene_;
    int rankColumn_ = 0; ///< width; measuring text is too slow for every row of every frame
};

} // namespace rankscope
