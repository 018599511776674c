// SPDX-License-Identifier: GPL-3.0-or-later
// The overview in words: tiles, the sentences above them, and the notes beside the bars.
#pragma once
#include <map>

#include <QString>

#include "core/analysis/delays/rank_spread.h"
#include "core/compare/analysed_run.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/panels/tile.h"

namespace rankscope {

std::vector<TileContent> headlineTiles(const AnalysedRun& run);
/// The finding that the headline tells; nullptr: none.
const Finding* findingOfHeadline(const RunAnalysis& analysis);
/// One line: the largest cost, "The GPU waits for the host: 409.9 ms a step (66 %)."; where nothing costs much, the
/// first sentence of what is said instead.
QString headlineText(const Run& run, const Findings& findings);
/// What is said beside that: whose cost is not known, what has no fault, what was not judged.
QString besideHeadline(const Findings& findings);
/// What was counted, but for what the bar of a step and `said` say.
QString factsText(const RunAnalysis& analysis, const QString& said);
/// For below that list: what could not be judged. Sentences that `said` contains are left out.
QString notJudgedText(const Findings& findings, const QString& said);
/// Words beside the bars of ranks: what facts say of them, and who waits and idles most in the whole recording.
std::map<int, RankBars::Note> rankNotes(const RunAnalysis& analysis);
/// What became of the events of each file: one line each, the first for all together.
QString accountingText(const Run& run);
/// "8 of 8 ranks · Tesla V100-SXM2-32GB · kineto · 1 step · 8 000 of 8 120 events · 7.1 MB"
QString runSummary(const Run& run);

} // namespace rankscope
