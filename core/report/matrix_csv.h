// SPDX-License-Identifier: GPL-3.0-or-later
// rank_matrix.csv and machine_matrix.csv: who sends how much to whom.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// Whether a run has a message or a recorded split.
bool has_rank_traffic(std::span<const AnalysedRun> runs);
std::string rank_matrix_csv(std::span<const AnalysedRun> runs);
std::string machine_matrix_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
