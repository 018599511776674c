// SPDX-License-Identifier: GPL-3.0-or-later
// traffic.csv: who moves how many bytes.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"

namespace rankscope {

/// One row per dimension, process group and kind of collective, over all selected steps and all ranks.
std::string traffic_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
