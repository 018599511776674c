// SPDX-License-Identifier: GPL-3.0-or-later
// How far one notch of the wheel or one key moves a chart.
#pragma once

namespace rankscope {

inline constexpr double kZoomStep = 1.25;
inline constexpr double kKeyPan = 0.1;  ///< of the range in view
inline constexpr int kWheelNotch = 120; ///< Qt's angle of one notch

} // namespace rankscope
