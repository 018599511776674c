// SPDX-License-Identifier: GPL-3.0-or-later
// --gate: whether runs keep to limits, to a baseline and to their history.
#pragma once
#include <span>
#include <stop_token>
#include <vector>

#include "app/command/options.h"
#include "core/compare/analysed_run.h"

namespace rankscope {

/// Of the test runs where there is a baseline, else of the run.
Result<std::vector<GateResult>> check_gates(const Options& options, std::span<const AnalysedRun> runs,
                                            const std::stop_token& stop);

} // namespace rankscope
