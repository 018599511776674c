// SPDX-License-Identifier: GPL-3.0-or-later
// The finding about a slow link, in words.
//   Example: "Communication of tp 0 (ranks 0, 1) takes up to 2.00× as long as the same calls of the other groups: 20
//   instead of 40 GB/s".
#pragma once
#include "core/analysis/findings/link_fault.h"

namespace rankscope {

/// Sorts link.longest.
Finding describe_link(const FindingContext& context, SlowLink& link);

} // namespace rankscope
