// SPDX-License-Identifier: GPL-3.0-or-later
// Who is wrong where the members of one call called different things.
#pragma once
#include <cstdint>

#include "core/analysis/hang/hang_verdicts.h"

namespace rankscope {

/// call: index in HangWaits::calls; mismatch: of that call. True: the dumps prove who is wrong.
bool judge_mismatch(const HangWaits& waits, std::uint32_t call, const HangMismatch& mismatch, HangVerdicts& verdicts);

/// The same of a call before which a member has other calls open: nobody is convicted, a minority is possible.
void suspect_mismatch(const HangWaits& waits, std::uint32_t call, const HangMismatch& mismatch, HangVerdicts& verdicts);

} // namespace rankscope
