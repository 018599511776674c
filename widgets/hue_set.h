// SPDX-License-Identifier: GPL-3.0-or-later
// Which colours hue() gives: all sets are colour-blind-safe.
#pragma once
#include <QString>

namespace rankscope {

enum class HueSet {
    okabeIto,      ///< Okabe and Ito, 2008
    bright,        ///< Paul Tol's "bright", 2021
    mediumContrast ///< Paul Tol's "medium-contrast", 2021: told apart in grey as well
};

/// For everything painted from now on, on any thread.
void setHueSet(HueSet set);
[[nodiscard]] HueSet hueSet();
QString hueSetWord(HueSet set);             ///< "okabe-ito", "bright", "medium-contrast": as stored
HueSet hueSetFromWord(const QString& word); ///< okabeIto for anything else

} // namespace rankscope
