// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences that facts make by themselves: the first that are said of a run.
#pragma once
#include <string_view>
#include <vector>

#include "core/analysis/facts/facts.h"
#include "core/base/message.h"

namespace rankscope {

/// Computation that differs from the peers' by this share is told. A choice, no statistic.
inline constexpr double kComputesOtherwise = 0.05;
/// A rank for which another one waits this share of a step is told, if it comes that much after all others.
inline constexpr double kWaitsWorthTelling = 0.01;
/// A step that takes this many times the median one is told and marked. Those of healthy ranks on one real GPU differ
/// by up to 1.7 %.
inline constexpr double kLongStep = 1.1;

/// A rank that differs from the others, and by what.
struct RankThatStandsOut {
    const RankFacts* facts = nullptr;
    bool computes_otherwise = false;
    bool is_waited_for = false;
    /// By which it computes longer, or for which others wait for it, whichever is more, ns a step: what it costs at
    /// most. 0: it computes less.
    double most_ns = 0;
};
/// The one with the largest most_ns first.
std::vector<RankThatStandsOut> ranks_that_stand_out(const Facts& facts);

/// "gemm", of kernels; "unclassified" for compute_kind_word(ComputeKind::other), because "its other kernels" are those
/// beside the ones that were named.
Message kernel_kind_words(std::string_view kind);
/// "Rank 21 computes 2.2 times as long as its peers and comes last at 68 of 76 calls; there the others wait 3.10 ms a
/// step for it".
Message rank_fact_words(const RankThatStandsOut& rank, const Facts& facts);
/// "the others wait 3.10 ms a step for it"; where it meets only some of them "on average".
Message others_wait_words(const RankFacts& rank, StepAccount::Unit unit);
/// "A step takes 13.34 ms: 71 % computation, 12 % exposed communication, 9 % waiting for the host".
Message step_fact_words(const Facts& facts);
/// Steps that take a tenth more than the median one, fewer than half of them: "Step 4 takes 152.1 ms, the median step
/// 50.82 ms; 89.6 ms of the difference is computation". Empty without such, of fewer than three steps, and of steps
/// that are not alike.
Message long_steps_words(const Facts& facts);
/// "not all ranks of its calls have a trace"; empty: all members are seen.
Message unseen_members_words(UnseenMembers unseen);
/// Where members of its calls are not seen: what exposed communication may be. Else empty.
Message hidden_waits_words(const Facts& facts);
/// What passes between the marks of steps, from a hundredth of a step on; else empty.
Message between_steps_words(const Facts& facts);
/// What the host was in while the GPU had nothing to do; empty where that is under 1 % of a step.
Message host_fact_words(const Facts& facts);
/// All of them, as sentences; of ranks that stand out the first three.
std::vector<Message> fact_sentences(const Facts& facts);

} // namespace rankscope
