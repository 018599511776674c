// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler above the lanes: times since the run started, and the iterations.
#pragma once
#include <QWidget>

#include "widgets/timeline/ruler.h"
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

class TimeRuler : public QWidget {
    Q_OBJECT
public:
    explicit TimeRuler(const TimelineScene& scene, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

    /// What the times count from, to be shown and to be changed.
    [[nodiscard]] QString originText() const;
    /// What a step is called, the longest first: as the GPU may be at the work of an earlier one, of the host; of which
    /// rank, where there are several.
    [[nodiscard]] QStringList stepTexts(const RankTrace& trace, const ProfilerStep& step) const;

Q_SIGNALS:
    void originAsked(TimeOrigin origin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    void drawTicks(QPainter& painter) const;
    void drawSteps(QPainter& painter) const;
    void drawOrigin(QPainter& painter) const;

    const TimelineScene& scene_;
};

/// A stretch of the ruler whose times count from one origin; of the wall clock: from the epoch.
struct RulerStretch {
    TimeRange range;
    TimeNs origin = 0;
};
/// One, or, counting from steps, one for each step in view: up to the next one, so that what follows a step counts from
/// it.
std::vector<RulerStretch> rulerStretches(const TimelineScene& scene);
/// Labelled ticks, and so the lines of the grid.
RulerScale rulerScaleOf(const TimelineScene& scene, const RulerStretch& stretch);
QString rulerLabel(const TimelineScene& scene, const RulerStretch& stretch, TimeNs time, const RulerScale& scale);

/// The rank whose iterations the ruler names: the first one in view that has any; nullptr when none has.
const RankTrace* rankOfRulerSteps(const TimelineScene& scene);

} // namespace rankscope
