// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen in Settings.
#include "app/window/settings_controller.h"

#include <utility>

#include <QAction>
#include <QMainWindow>
#include <QSettings>

#include "app/settings/settings.h"
#include "app/settings/settings_dialog.h"
#include "app/settings/shortcut_settings.h"
#include "app/settings/shortcuts_dialog.h"
#include "app/window/run_library.h"
#include "app/window/run_on_screen.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto kThemeSetting = "window/theme"_L1;

Theme chosenTheme() { return themeFromWord(openSettings()->value(kThemeSetting).toString()); }

} // namespace

SettingsController::SettingsController(WindowParts& parts, RunOnScreen& shown, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown) {}

void SettingsController::addCommands() {
    parts_.commands.add(separated(windowCommand(
        u"settings"_s, tr("&File"), tr("&Settings…"), {u"Ctrl+,"_s},
        tr("Theme, colours, fonts, kernel classes, peaks, folders"), [this] { showDialog(); })));
}

void SettingsController::addThemeCommands() {
    const auto add = [this](const QString& title, const QString& help, Theme theme) {
        Command command = windowCommand(u"theme-"_s + themeWord(theme), tr("&View") + u'/' + tr("T&heme"), title, {},
                                        help, [this, theme] { setTheme(theme); });
        command.choice = u"theme"_s;
        parts_.commands.add(std::move(command));
    };
    add(tr("As the &system"), tr("Light or dark as the desktop is"), Theme::system);
    add(tr("&Light"), tr("Light window"), Theme::light);
    add(tr("&Dark"), tr("Dark window"), Theme::dark);
}

void SettingsController::showDialog() {
    auto* dialog = new SettingsDialog(loadPreferences(), parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::preferencesChanged, this, &SettingsController::take);
    connect(dialog, &SettingsDialog::shortcutsWanted, this, &SettingsController::showShortcuts);
    connect(dialog, &SettingsDialog::exportWanted, dialog,
            [dialog](const QString& file) { dialog->showProblem(exportSettings(file)); });
    connect(dialog, &SettingsDialog::importWanted, dialog, [this, dialog](const QString& file) {
        const QString problem = importSettings(file);
        dialog->showProblem(problem);
        if (!problem.isEmpty())
            return;
        dialog->setPreferences(loadPreferences());
        take(dialog->preferences());
        loadShortcuts(parts_.commands);
    });
    dialog->open();
}

void SettingsController::showShortcuts() {
    ShortcutsDialog dialog(parts_.commands, parts_.window);
    dialog.exec();
}

void SettingsController::start(const GuiOptions& options) {
    asked_.jobs = options.jobs;
    asked_.use_cache = options.use_cache;
    asked_.memory_bytes = options.memory_bytes;
    metrics_ = options.metrics;
    applyReading();
    applyRules();
}

void SettingsController::applyReading() {
    LoadOptions how = asked_;
    if (how.jobs <= 0)
        how.jobs = preferences_.threads;
    if (how.memory_bytes == 0)
        how.memory_bytes = static_cast<std::uint64_t>(preferences_.memory) << 30U;
    parts_.library->setReading(how);
    Q_EMIT readingChanged(how);
}

void SettingsController::take(const Preferences& preferences) {
    storePreferences(preferences, *openSettings());
    setTheme(preferences.theme);
    applyAppearance(preferences);
    preferences_ = preferences;
    applyReading();
    applyRules();
}

void SettingsController::applyRules() {
    const auto rules = analysisRules(preferences_, metrics_);
    if (!rules)
        return parts_.fail(messageText(rules.error().message));
    shown_.setRules(*rules);
    Q_EMIT rulesChanged(*rules);
}

/// A new rule comes first: it is what the user just said.
void SettingsController::takeKernelClass(const KernelClassRule& rule, bool own) {
    Preferences preferences = preferences_;
    std::erase_if(preferences.kernelClasses, [&](const auto& known) { return known.pattern == rule.pattern; });
    if (own)
        preferences.kernelClasses.insert(preferences.kernelClasses.begin(), rule);
    take(preferences);
}

void SettingsController::setTheme(Theme theme) {
    applyTheme(theme);
    parts_.commands.action(u"theme-"_s + themeWord(theme))->setChecked(true);
    openSettings()->setValue(kThemeSetting, themeWord(theme));
}

void SettingsController::restoreTheme() { setTheme(chosenTheme()); }

void SettingsController::followDesktop() {
    if (chosenTheme() == Theme::system)
        applyTheme(Theme::system);
}

} // namespace rankscope
