// SPDX-License-Identifier: GPL-3.0-or-later
// How the window takes what is chosen in Settings.
#include <QSettings>

#include "app/main_window.h"
#include "app/preferences.h"
#include "app/run_library.h"
#include "app/session_keeper.h"
#include "app/settings.h"
#include "app/settings_dialog.h"
#include "app/shortcut_settings.h"
#include "widgets/panels/overview.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void MainWindow::showSettings() {
    auto* dialog = new SettingsDialog(loadPreferences(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::preferencesChanged, this, &MainWindow::takePreferences);
    connect(dialog, &SettingsDialog::shortcutsWanted, this, &MainWindow::showShortcuts);
    connect(dialog, &SettingsDialog::exportWanted, dialog,
            [dialog](const QString& file) { dialog->showProblem(exportSettings(file)); });
    connect(dialog, &SettingsDialog::importWanted, dialog, [this, dialog](const QString& file) {
        const QString problem = importSettings(file);
        dialog->showProblem(problem);
        if (!problem.isEmpty())
            return;
        dialog->setPreferences(loadPreferences());
        takePreferences(dialog->preferences());
        loadShortcuts(commands_);
    });
    dialog->open();
}

void MainWindow::takePreferences(const Preferences& preferences) {
    storePreferences(preferences, *openSettings());
    setTheme(preferences.theme);
    applyAppearance(preferences);
    const Preferences before = std::exchange(preferences_, preferences);
    if (preferences.kernelClasses == before.kernelClasses && preferences.peaks == before.peaks)
        return;
    if (const auto applied = applyAnalysisPreferences(preferences); !applied)
        return fail(QString::fromStdString(applied.error().message));
    analyseAgain();
}

/// Numbers of the old rules must not stand beside numbers of the new ones.
void MainWindow::analyseAgain() {
    sessions_->keep();
    library_->changeRules();
    if (!library_->at(current_).run)
        return;
    view_.setRun(nullptr); // lanes are coloured by class
    showRun();
}

} // namespace rankscope
