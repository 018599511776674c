// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark or a log of requests beside the trace tells of latency, beside what the steps in the trace tell.
#pragma once
#include <vector>

#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// "Time to first token: median 31 ms, p99 80 ms by the benchmark; median 12.1 ms, p99 20.3 ms by the steps in the
/// trace." A sentence for each time that something beside the trace tells, then why the two differ; empty if nothing
/// does. The numbers are those of the metrics ttft, tpot and inter_token_latency.
std::vector<Message> latency_sentences(const RunAnalysis& analysis);

} // namespace rankscope
