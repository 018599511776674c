// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, once: storing, importing, exporting and the dialog read this table.
#pragma once
#include <functional>
#include <vector>

#include <QString>

#include "app/settings/preferences.h"

class QSettings;
class QWidget;

namespace rankscope {

enum class SettingPage { appearance, analysis, performance };

/// What the dialog shows of a setting: rows of a form, each with its label.
struct SettingRow {
    QString label; ///< may be empty
    QWidget* control;
};
struct SettingControl {
    std::vector<SettingRow> rows;
    std::function<void(const Preferences&)> show; ///< brings the controls to the value; tells nobody
};
/// What a control calls when the user chooses another value.
using ChangePreferences = std::function<void(const std::function<void(Preferences&)>&)>;

struct SettingEntry {
    SettingPage page;
    QString key;  ///< where it is kept, "performance/threads"
    QString help; ///< of the control; one sentence
    /// What is stored and makes no sense (a font of 900 points) is as if it were not there.
    std::function<void(const QSettings&, Preferences&)> load = {};
    std::function<void(const Preferences&, QSettings&)> store = {};
    std::function<SettingControl(const ChangePreferences&)> control = {}; ///< empty: its page makes one
};

/// In the order of their pages.
std::vector<SettingEntry> settingEntries();

} // namespace rankscope
