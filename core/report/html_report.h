// SPDX-License-Identifier: GPL-3.0-or-later
// report.html: everything that is worth reading about the runs, in one file that loads nothing.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/compare/gate.h"
#include "core/report/html_timeline.h"
#include "core/report/rank_csv.h"

namespace rankscope {

/// "37.42 to 98.27 ms", "steps 5 to 7, 9": the part of the run that is analysed. Empty: the whole run.
std::string part_words(const Selection& selection);

/// Charts are inline SVG, colours follow the reader's light or dark setting, and it prints. Names are escaped; the
/// network and all scripts but that of the timeline are forbidden to the page. filter: of the kernel tables.
std::string html_report(std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                        const NameFilter& filter = {}, const HtmlTimeline& timeline = {});

} // namespace rankscope
