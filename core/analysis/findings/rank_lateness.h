// SPDX-License-Identifier: GPL-3.0-or-later
// How late a rank comes to calls, and what of that a finding says.
//   Rank 4 is the last at 90 of 100 calls of "mesh_tp", 2 ms late on median. By chance one of 8 members would be the
//   last at 13 of them, at most at 19.
#pragma once
#include <cstdint>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

/// Adds to the finding the group, the calls of it that the rank comes last at, and the latest of these as an event.
void add_lateness(const FindingContext& context, const Lateness& late, std::uint32_t rank, Finding& finding);

/// A rank that is the last at no more calls of the group than chance gives each of its members.
bool last_by_chance(const Lateness& late);

} // namespace rankscope
