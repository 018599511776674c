// SPDX-License-Identifier: GPL-3.0-or-later
// Shows of the run on screen: header, title, notices, overview, panels and screens. It has no state of its own.
#pragma once
#include <vector>

#include <QObject>

#include "core/base/notice.h"

namespace rankscope {

class RunOnScreen;
class ScreenController;
struct Run;
struct WindowParts;

class RunDisplay : public QObject {
    Q_OBJECT
public:
    RunDisplay(WindowParts& parts, RunOnScreen& shown, ScreenController& screens, QObject* parent = nullptr);

private:
    void clear();
    void showWaiting();
    void showPart();
    void showRun();
    void showFacts(const Run& run); ///< header and notices
    void showTitle();               ///< of the run, or of the runs that the Compare screen shows
    void showComparedNotices();
    void passToPanels();
    void showAnalysis();

    WindowParts& parts_;
    RunOnScreen& shown_;
    ScreenController& screens_;
    QString name_; ///< of the run on screen; empty: none
};

} // namespace rankscope
