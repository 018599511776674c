// SPDX-License-Identifier: GPL-3.0-or-later
// A call that all members made and some have not finished, with nothing open before it.
#pragma once
#include <cstdint>
#include <span>

#include "core/analysis/hang/hang_verdicts.h"

namespace rankscope {

/// call: index in HangWaits::calls; records_starts: dumps_with_starts(). True: a rank is convicted.
bool judge_stuck_call(const HangWaits& waits, std::uint32_t call, std::span<const char> records_starts,
                      HangVerdicts& verdicts);

} // namespace rankscope
