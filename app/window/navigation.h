// SPDX-License-Identifier: GPL-3.0-or-later
// Getting about: to a rank, a lane, a time, a call, the evidence of a finding; by name, by number or from a screen.
#pragma once
#include <optional>

#include <QObject>
#include <QPoint>

#include "app/window/go_to.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "core/views/step_summary.h"
#include "widgets/jobs.h"
#include "widgets/view_state.h"

namespace rankscope {

class RunOnScreen;
class ScreenController;
struct WindowParts;

class Navigation : public QObject {
    Q_OBJECT
public:
    Navigation(WindowParts& parts, const RunOnScreen& shown, ScreenController& screens, QObject* parent = nullptr);

    void addCommands();
    void goTo(const GoTo& wanted, int rank); ///< calls are counted on this rank; in the background
    [[nodiscard]] bool isBusy() const { return lookup_.isBusy(); }
    // All in the timeline.
    void showRank(int rank);
    void showEvidence(int rank, EventIndex event, TimeRange range); ///< of a finding
    void showEvent(int rank, EventIndex event);                     ///< of a collective call all its members
    void showInstances(const QString& query);                       ///< all marked, the first one selected
    void showInstances(const QString& query, int step);             ///< all marked; step: to the previous or next one
    void showShare(StepShare share); ///< on whichever screen: what a step's part consists of
    void showSliceMenu(const EventRef& slice, QPoint at);

Q_SIGNALS:
    void classChosen(const rankscope::KernelClassRule& rule, bool own); ///< see SliceMenu

private:
    void showPalette();
    void showLanePick();
    void showGoTo();
    void showLane(int rank, std::size_t lane); ///< lane: index in RankTrace::lanes
    void showPlace(const GoToPlace& place,
                   std::optional<double> around = {}); ///< around a call: its range this many times on each side

    WindowParts& parts_;
    const RunOnScreen& shown_;
    ScreenController& screens_;
    Jobs lookup_;
};

} // namespace rankscope
