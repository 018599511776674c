// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler above the lanes: times since the run began, and the iterations.
#pragma once
#include <QWidget>

#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

class TimeRuler : public QWidget {
    Q_OBJECT
public:
    explicit TimeRuler(const TimelineScene& scene, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    void drawTicks(QPainter& painter) const;
    void drawSteps(QPainter& painter) const;

    const TimelineScene& scene_;
};

/// The rank whose iterations the ruler names: the first one in view that has any; nullptr when none has.
const RankTrace* rankOfRulerSteps(const TimelineScene& scene);

} // namespace rankscope
