// SPDX-License-Identifier: GPL-3.0-or-later
// How far apart the recordings of one job's ranks may be.
#pragma once
#include "core/base/time.h"

namespace rankscope {

/// By the clocks of its machines, which may differ by seconds. Files of two launches lie further apart.
inline constexpr TimeNs kOfOneLaunch = 10'000'000'000;

} // namespace rankscope
