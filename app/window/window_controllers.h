// SPDX-License-Identifier: GPL-3.0-or-later
// Who lets the window's parts work together: one controller for each thing one can do with it.
#pragma once
#include "app/window/captures.h"
#include "app/window/compare_screen_controller.h"
#include "app/window/export_controller.h"
#include "app/window/navigation.h"
#include "app/window/opening_controller.h"
#include "app/window/panel_controller.h"
#include "app/window/reading_controller.h"
#include "app/window/run_display.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "app/window/session_controller.h"
#include "app/window/settings_controller.h"
#include "app/window/study_controller.h"
#include "app/window/tour_controller.h"
#include "app/window/unseen_ranks.h"
#include "app/window/window_parts.h"
#include "widgets/panels/start_page.h"

namespace rankscope {

/// Each knows only some of those before it; what it wants of a later one it says with a signal (MainWindow connects
/// these).
struct WindowControllers {
    WindowParts& parts;
    ScreenController screens{parts.view, parts.pages(), parts.startPage};
    RunOnScreen shown{*parts.library, *parts.comparison, parts.view};
    RunDisplay display{parts, shown, screens};
    PanelController panels{parts, screens};
    ReadingController reading{parts, shown};
    OpeningController opening{parts, shown};
    CaptureController captures{parts, shown, screens.header()};
    CompareScreenController comparing{parts, shown, screens};
    SessionController sessions{parts, shown, screens, panels,
                               [this](const QString& path) { return opening.isGenerated(path); }};
    StudyController study{parts, screens};
    Navigation navigation{parts, shown, screens};
    ExportController exports{parts, shown, study};
    SettingsController settings{parts, shown};
    TourController tour{parts, shown, screens, navigation, opening};
    UnseenRanks unseen{parts, screens};
};

} // namespace rankscope
