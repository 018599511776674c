// SPDX-License-Identifier: GPL-3.0-or-later
// The few words that stand before all findings: the largest cost, how many faults there are, what is healthy and what
// could not be judged.
//   "Rank 2: gemm kernels take 1.68× as long as peers'. Cost: 20.69 ms of a 72.24 ms step. Not judged: links."
#pragma once
#include "core/analysis/findings/findings.h"
#include "core/analysis/findings/held_to_facts.h"
#include "core/trace/run.h"

namespace rankscope {

/// What is first said of the run: the largest cost, of whatever kind. nullptr: nothing costs 1 %.
/// together: ns a step that the faults of ranks and links cost, where there are several; 0: not known.
const Finding* head_of(const std::vector<Finding>& list, double together);
/// told: what is said of the largest cost, head; then how many faults there are, or what is healthy.
/// differ: what facts say of the ranks.
Message summary_words(const Run& run, const Findings& findings, const Finding* head, Message told, double together,
                      const RanksDiffer& differ, const Message& step);
/// "Rank 2: gemm kernels take 1.68× as long as peers'. Cost: 20.69 ms of a 72.24 ms step."
/// any_fault: has_fault() of the list it is in.
Message short_words(const Run& run, const Finding& finding, bool any_fault);

} // namespace rankscope
