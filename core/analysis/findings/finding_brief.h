// SPDX-License-Identifier: GPL-3.0-or-later
// A finding in the columns of a table: who, what and when, in a few words. All numbers are those of its evidence.
//   "Rank 2 arrives last at 100 % of the calls ...; its gemm kernels take 1.68× its peers' ..."
//   -> rank 2 | gemm kernels take 1.68× as long as peers' | (all steps)
#pragma once
#include "core/analysis/findings/findings.h"
#include "core/trace/run.h"

namespace rankscope {

/// "rank 2", "ranks 0 and 1", "all ranks"; of a run of one rank that one.
Message who_words(const Run& run, const Finding& finding);
/// "gemm kernels take 1.68× as long as peers'", without a capital and a full stop. Holds names from the trace.
Message what_words(const Finding& finding);
/// "rank 2: gemm kernels take 1.68× as long as peers'"; of all ranks "exposed dp communication".
Message headline_words(const Run& run, const Finding& finding);

} // namespace rankscope
