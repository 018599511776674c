// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one timeline: baseline above, test below, one zoom and scroll, and their difference between them.
#pragma once
#include <memory>

#include <QWidget>

#include "core/compare/step_profile.h"
#include "widgets/compare/lane_link.h"
#include "widgets/compare/run_link.h"
#include "widgets/jobs.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace rankscope {

class DifferenceTrack;
class ElidedLabel;
class TimelineView;

class LinkedTimelines : public QWidget {
    Q_OBJECT
public:
    explicit LinkedTimelines(QWidget* parent = nullptr);
    /// Either null: empty. Analyses are expected to have their shared results (RunAnalysis::compute_shared).
    void setRuns(std::shared_ptr<const RunAnalysis> baseline, std::shared_ptr<const RunAnalysis> test);

    /// A stretch of one run with some room around it, and what belongs to it in the other.
    void showEvidence(CompareSide side, int rank, TimeRange range);

    [[nodiscard]] RunLink& link() { return link_; }
    [[nodiscard]] TimelineView& timeline(CompareSide side) const {
        return side == CompareSide::baseline ? *baseline_ : *test_;
    }
    [[nodiscard]] DifferenceTrack& differenceTrack() const { return *difference_; }

Q_SIGNALS:
    void profilesReady();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* titled(QLabel* title, TimelineView* timeline);
    void showTitles();
    void showSlicePair();
    void placeDifference();
    void computeProfiles();

    ViewState baselineView_;
    ViewState testView_;
    RunLink link_;
    QComboBox* layoutChoice_;
    QCheckBox* linkSwitch_;
    ElidedLabel* pairText_;
    QLabel* baselineTitle_;
    QLabel* testTitle_;
    TimelineView* baseline_;
    TimelineView* test_;
    DifferenceTrack* difference_;
    LaneLink* lanes_;
    std::shared_ptr<const RunAnalysis> baselineRun_;
    std::shared_ptr<const RunAnalysis> testRun_;
    Jobs profiling_;
};

} // namespace rankscope
