// SPDX-License-Identifier: GPL-3.0-or-later
// Times for calls whose log has none: an order to show them in, the same on all ranks.
#pragma once
#include <memory>
#include <span>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Of logs of the Inspector without times of calls. Places the calls of a communicator one behind the other: a call
/// starts at the same time on all its members, when the one before it is over on all of them. Calls of several ranks
/// are one by kind and sequence number, or by order where no number was recorded.
void lay_out_calls(std::span<std::shared_ptr<const RankTrace>> ranks);

} // namespace rankscope
