// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of one profiler step on one rank, by its number; for tables with a row for each.
#pragma once
#include <algorithm>

#include "core/analysis/steps/step_account.h"

namespace rankscope {

/// rank: as Run::ranks. nullptr: it has no profiler step of that number.
inline const StepParts* parts_of_step(const StepAccount& account, std::size_t rank, std::int64_t number) {
    if (account.unit != StepAccount::Unit::profiler_steps || rank >= account.numbers.size())
        return nullptr;
    const auto place =
        static_cast<std::size_t>(std::ranges::find(account.numbers[rank], number) - account.numbers[rank].begin());
    return place < account.parts[rank].size() ? &account.parts[rank][place] : nullptr;
}

} // namespace rankscope
