// SPDX-License-Identifier: GPL-3.0-or-later
// Where in a run to look for what a metric tells: stretches that several metrics show.
#pragma once
#include "core/metrics/metric.h"

namespace rankscope {

/// The metric's own, else the longest iteration; nothing where none is recorded.
std::optional<Evidence> evidence_of(const Metric& metric, const RunAnalysis& run);

/// From the first arrival at it to its end; nothing without collectives that all traced members ran.
std::optional<Evidence> longest_call(const RunAnalysis& run);

/// On the clock of a rank (index in Run::ranks), an interval of the aligned clock.
Evidence evidence_at(const RunAnalysis& run, std::size_t rank, TimeRange aligned);

} // namespace rankscope
