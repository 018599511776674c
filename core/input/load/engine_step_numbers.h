// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a serving engine carry no numbers, so each rank's are numbered from 1. Where captures of the ranks start
// some steps apart, equal numbers would be different steps.
#pragma once
#include <memory>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Numbers the steps of ranks that lack the first ones of the rank whose capture starts first by those that run at the
/// same time. A rank with as many steps as that one keeps its numbers: its clock may be what is apart. So does one
/// whose steps do not fall on those of the other.
void number_engine_steps_together(std::vector<std::shared_ptr<const RankTrace>>& ranks);

} // namespace rankscope
