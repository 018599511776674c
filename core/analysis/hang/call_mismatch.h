// SPDX-License-Identifier: GPL-3.0-or-later
// Members of one call that called different things: a kind, sizes, types; all-to-alls whose members send more than all
// receive.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/hang/hang_waits.h"

namespace rankscope {

inline constexpr std::string_view kUnequalTotals = "totals"; ///< of HangMismatch::what

/// call: index in HangWaits::calls.
std::optional<HangMismatch> mismatch_in(const HangWaits& waits, std::uint32_t call);

} // namespace rankscope
