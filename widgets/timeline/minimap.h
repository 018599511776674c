// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run above the lanes, with a window around what is in view.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QImage>
#include <QTimer>
#include <QWidget>

#include "core/analysis/search/event_search.h"
#include "widgets/jobs.h"
#include "widgets/timeline/minimap_shares.h"
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

/// Dragging the window pans, dragging an edge of it resizes it, a click elsewhere centres it, a double-click shows all.
/// By keyboard the timeline itself does the same.
class Minimap : public QWidget {
    Q_OBJECT
public:
    Minimap(const TimelineScene& scene, ViewState* state, QWidget* parent = nullptr);
    ~Minimap() override;
    [[nodiscard]] QSize sizeHint() const override;

    /// To be called when ranks or their indexes have changed: computes the shares anew, in the background.
    void takeIndexes();
    [[nodiscard]] bool isBusy() const { return jobs_.isBusy(); }
    [[nodiscard]] const MinimapShares& shares() const { return shares_; }
    /// Times to be marked, such as those of search hits; in any order. Replaces those before.
    void setMarks(const std::vector<TimeNs>& times);
    /// The same for search hits, of which there may be millions: in the background. nullptr: none.
    void markHits(std::shared_ptr<const SearchHits> hits);
    /// Pixels that have a mark.
    [[nodiscard]] std::vector<int> markedColumns() const;
    /// Where steps start, in pixels; none where they are too many to be told apart.
    [[nodiscard]] std::vector<int> stepColumns() const;
    /// The window around what is in view, at least wide enough to take hold of.
    [[nodiscard]] QRectF window() const;
    [[nodiscard]] const QImage& image() const { return image_; } ///< of the shares, in the screen's pixels

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum Job { sharesJob, hitsJob };
    enum class Grip { none, begin, whole, end };
    struct Drag {
        Grip grip = Grip::none;
        double from = 0;
        TimeRange visible;
    };

    [[nodiscard]] TimeAxis axis() const;
    [[nodiscard]] Grip gripAt(double x) const;
    void drawShares();
    void renderShares();
    void describe();

    const TimelineScene& scene_;
    ViewState* state_;
    MinimapShares shares_;
    QImage image_;            ///< of the shares, drawn when they or the size change
    std::vector<bool> marks_; ///< by kMinimapColumns of markedRange_
    TimeRange markedRange_;
    std::shared_ptr<const SearchHits> hits_;
    std::optional<Drag> drag_;
    Jobs jobs_;
};

} // namespace rankscope
