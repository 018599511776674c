// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a run in words: what was read off its traces, then what logs of its GPUs and memory
// snapshots tell.
#pragma once
#include <vector>

#include "core/analysis/facts/hardware_facts.h"
#include "core/base/message.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// nullptr: no rank has a log of its GPU. Computed once.
const std::shared_ptr<const HardwareFacts>& hardware_of(const RunAnalysis& analysis);

/// fact_sentences() (core/analysis/facts/fact_words.h), behind their first gpu_error_sentences(), then
/// hardware_fact_sentences() and snapshot_sentences().
std::vector<Message> all_fact_sentences(const RunAnalysis& analysis);
/// The same without what fills a step, which a bar shows beside them.
std::vector<Message> facts_beside_bar(const RunAnalysis& analysis);
/// Which clock was set by most, where that is a millisecond or more; else empty. JSON has it as numbers (clock).
Message clock_sentence(const RunAnalysis& analysis);

} // namespace rankscope
