// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and bandwidth of communicators as JSON and as CSV (docs/cli.md, "links").
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/metrics/metric.h"

namespace rankscope {

Json links_json(const RunAnalysis& analysis);

/// links.csv: one row for each size of each communicator and kind.
std::string links_csv(std::span<const AnalysedRun> runs);
/// collective_split.csv: what each call consists of.
std::string collective_split_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
