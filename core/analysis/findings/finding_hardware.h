// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the clock of a GPU explains that its kernels are slower, where a log of it lies beside the traces. Kernels
// that take 1.33 times their peers', of which the log shows 1340 instead of 1755 MHz: that explains 1.31 of the 1.33.
#pragma once
#include <span>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// kernels: nodes of the rank that take `ratio` times what they take on its peers. others: ranks that are slow as well.
/// Adds facts to the finding. Empty: no log tells the clocks of the rank and of a peer.
Message clock_reason(const FindingContext& context, std::uint32_t rank, std::span<const std::uint32_t> kernels,
                     double ratio, std::span<const std::uint32_t> others, Finding& finding);

} // namespace rankscope
