// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the system is.
#pragma once
#include <QString>

class QApplication;

namespace rankscope {

enum class Theme { system, light, dark };

QString themeWord(Theme theme);           ///< "system", "light", "dark": as stored
Theme themeFromWord(const QString& word); ///< system for anything else
/// Fusion style with the program's own palettes. "System" is dark where the desktop's palette was dark at the first
/// call.
void applyTheme(Theme theme);

} // namespace rankscope
