// SPDX-License-Identifier: GPL-3.0-or-later
// Who lets the window's parts work together: one controller for each thing one can do with it.
#pragma once
#include "app/captures.h"
#include "app/compare_screen_controller.h"
#include "app/export_controller.h"
#include "app/navigation.h"
#include "app/opening_controller.h"
#include "app/panel_controller.h"
#include "app/reading_controller.h"
#include "app/run_display.h"
#include "app/run_on_screen.h"
#include "app/screen_controller.h"
#include "app/session_controller.h"
#include "app/settings_controller.h"
#include "app/study_controller.h"
#include "app/tour_controller.h"
#include "app/unseen_ranks.h"
#include "app/window_parts.h"
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
    ExportController exports{parts, shown};
    SettingsController settings{parts, shown};
    TourController tour{parts, shown, screens, navigation, opening};
    UnseenRanks unseen{parts, screens};
};

} // namespace rankscope
