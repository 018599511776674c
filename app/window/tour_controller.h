// SPDX-License-Identifier: GPL-3.0-or-later
// The demo, and the tour: what its steps say and show.
#pragma once
#include <vector>

#include <QObject>

#include "app/window/tour.h"

namespace rankscope {

class Navigation;
class OpeningController;
class RunOnScreen;
class ScreenController;
struct WindowParts;

class TourController : public QObject {
    Q_OBJECT
public:
    TourController(WindowParts& parts, const RunOnScreen& shown, ScreenController& screens, Navigation& navigation,
                   OpeningController& opening, QObject* parent = nullptr);

    void addDemoCommand();
    void addTourCommand();
    void openDemo() { openDemo(isNew()); }
    void openDemo(bool withTour);
    void start();                                      ///< of the run on screen; of the demo where there is none
    [[nodiscard]] Tour* tour() const { return tour_; } ///< nullptr: none on screen

private:
    [[nodiscard]] static bool isNew(); ///< never seen to its end or skipped
    [[nodiscard]] std::vector<TourStep> steps();

    WindowParts& parts_;
    const RunOnScreen& shown_;
    ScreenController& screens_;
    Navigation& navigation_;
    OpeningController& opening_;
    Tour* tour_ = nullptr;
    bool wanted_ = false; ///< as soon as the demo is on screen
};

} // namespace rankscope
