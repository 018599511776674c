// SPDX-License-Identifier: GPL-3.0-or-later
// Causes of waits in the user's language.
#pragma once
#include <QString>

#include "core/analysis/delays/waiting.h"

namespace rankscope {

QString waitCauseText(WaitCause cause); ///< "data loading"

} // namespace rankscope
