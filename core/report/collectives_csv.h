// SPDX-License-Identifier: GPL-3.0-or-later
// collectives.csv: what the ranks ran together.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// One row per call matched on several ranks, by first arrival in aligned time (start_us, from the run's first event).
/// complete: seen on every traced member. lag, transfer and last_rank only where they count
/// (core/analysis/collectives/straggler.h); bytes (of the whole message), latency, algbw and busbw of complete calls
/// (core/analysis/collectives/collective_timing.h).
std::string collectives_csv(std::span<const AnalysedRun> runs);
/// arrivals.csv: one row per call of collectives.csv and rank; lag_us after the first arrival, wait_us until the last
/// one, at most the call's own duration. Runs whose starts are not recorded have none.
std::string arrivals_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
