// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the critical path of a run can be known.
#pragma once
#include "core/base/message.h"

namespace rankscope {

class RunAnalysis;

/// A clause; empty: it can be.
Message why_no_critical_path(const RunAnalysis& analysis);

} // namespace rankscope
