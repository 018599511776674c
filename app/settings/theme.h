// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the system is.
#pragma once
#include <functional>

#include <QString>

class QApplication;

namespace rankscope {

enum class Theme { system, light, dark };

QString themeWord(Theme theme);           ///< "system", "light", "dark": as stored
Theme themeFromWord(const QString& word); ///< system for anything else
/// Fusion style with the program's own palettes. "System" is as dark as the desktop is at the time of the call.
void applyTheme(Theme theme);
/// Says in place of the desktop whether that is dark; nothing: the desktop itself.
void askForSystemTheme(std::function<bool()> isDarkNow);

} // namespace rankscope
