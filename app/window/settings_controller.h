// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen in Settings, the menu of themes and the menu of a slice: kept, and applied to window and analyses.
#pragma once
#include <QObject>

#include "app/settings/preferences.h"
#include "app/window/gui.h"
#include "core/input/load/load_run.h"

namespace rankscope {

class RunOnScreen;
struct WindowParts;

class SettingsController : public QObject {
    Q_OBJECT
public:
    SettingsController(WindowParts& parts, RunOnScreen& shown, QObject* parent = nullptr);

    void addCommands();
    void addThemeCommands();
    [[nodiscard]] const Preferences& preferences() const { return preferences_; }
    /// The preferences come into force, and what the command line says.
    void start(const GuiOptions& options);
    void take(const Preferences& preferences);                   ///< applied and stored
    void takeKernelClass(const KernelClassRule& rule, bool own); ///< not own: the rule is taken away
    void setTheme(Theme theme);
    void restoreTheme();
    void followDesktop(); ///< which has become light or dark
    void showShortcuts();

Q_SIGNALS:
    void readingChanged(const rankscope::LoadOptions& how); ///< of runs that are read from now on
    void rulesChanged(const rankscope::AnalysisRules& rules);

private:
    void showDialog();
    void applyReading();
    void applyRules();

    WindowParts& parts_;
    RunOnScreen& shown_;
    Preferences preferences_ = loadPreferences();
    LoadOptions asked_;  ///< on the command line
    MetricList metrics_; ///< the user's own
};

} // namespace rankscope
