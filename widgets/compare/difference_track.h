// SPDX-License-Identifier: GPL-3.0-or-later
// Between two linked timelines: how much more or less time the test spends on each class, at each phase of the step.
#pragma once
#include <memory>
#include <optional>

#include <QWidget>

#include "core/compare/step_profile.h"

namespace rankscope {

class RunLink;

/// ns per step, test - baseline, of one phase.
struct PhaseDifference {
    double computation = 0;
    double exposed_communication = 0;
    double exposed_copy = 0;
    double idle = 0;

    [[nodiscard]] double total() const { return computation + exposed_communication + exposed_copy + idle; }
};

/// Phase by phase; both profiles have the same number of phases, or the result is empty.
std::vector<PhaseDifference> phaseDifferences(const StepProfile& baseline, const StepProfile& test);

/// Lies over the same pixels as the timelines: every step of the baseline in view shows the mean difference of its
/// phases.
class DifferenceTrack : public QWidget {
    Q_OBJECT
public:
    explicit DifferenceTrack(RunLink* link, QWidget* parent = nullptr);
    void setProfiles(const StepProfile& baseline, const StepProfile& test);
    /// Where the timelines' lanes start and end, so that time stands above time.
    void setLanes(int left, int right);
    [[nodiscard]] QSize sizeHint() const override { return {600, 72}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 56}; }
    [[nodiscard]] const std::vector<PhaseDifference>& differences() const { return differences_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect lanesRect() const;
    /// Index of the phase that a column shows; none outside of the steps.
    [[nodiscard]] std::optional<std::size_t> phaseAt(int x) const;
    void drawScale(QPainter& painter, QRect lanes) const;

    RunLink* link_;
    std::vector<PhaseDifference> differences_;
    double highest_ = 0; ///< ns; the scale's end
    int left_ = 0;
    int right_ = 0;
};

} // namespace rankscope
