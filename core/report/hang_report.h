// SPDX-License-Identifier: GPL-3.0-or-later
// A job that hangs, as sentences, as JSON, and as a section of report.html.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/hang/hang.h"
#include "core/metrics/metric.h"

namespace rankscope {

/// What happened, who it was, since when, and what to do: plain sentences, the most important first.
std::vector<Message> hang_sentences(const Hang& hang);
/// Of them: where the job stands still, its deadlock, what to do. Empty where no call is open.
std::vector<Message> hang_summary(const Hang& hang);

/// docs/cli.md, "hang".
Json hang_json(const Hang& hang);

/// Headline, sentences, a table of the ranks, mismatches side by side.
std::string hang_section(const Hang& hang);

/// "2026-11-22 10:35:03.120 UTC"; empty for 0.
std::string utc_text(TimeNs time);

} // namespace rankscope
