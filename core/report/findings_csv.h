// SPDX-License-Identifier: GPL-3.0-or-later
// Findings and predictions as JSON and as findings.csv.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/metrics/metric.h"

namespace rankscope {

/// One object per finding of all runs, in their order: { code, cause, kind: "fault" | "inherent", title,
/// cost_us_per_step, share_of_step, confidence, ranks, group, first_iteration, last_iteration, iterations_affected
/// (where not all steps have it), run, evidence: { facts by name, events: [ { rank, name, start_us, duration_us } ] }
/// }. start_us is RunAnalysis::since_start().
Json findings_json(std::span<const AnalysedRun> runs);
/// What could be judged of a run, and why not the rest.
Json judged_json(const Judged& judged);
/// To whom the waiting at calls and messages is charged, by rank and cause; only what is not 0. And the calls that were
/// waited at longest, with the way of the delay that started it.
Json waiting_json(const RunAnalysis& analysis);
/// One object per prediction of all runs: { run, changes, measured_us, predicted_us, percent_change, notes } or with
/// unavailable.
Json predictions_json(std::span<const AnalysedRun> runs);

/// run, kind, code, cause, ranks, group, cost_us_per_step, share_percent, confidence, evidence_rank, evidence_event,
/// evidence_start_us, evidence_duration_us, title; one row per finding, with its first event.
std::string findings_csv(std::span<const AnalysedRun> runs);

} // namespace rankscope
