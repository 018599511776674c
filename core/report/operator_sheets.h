// SPDX-License-Identifier: GPL-3.0-or-later
// A sheet for each kind of operator with a performance model, under TraceLens's names and columns.
#pragma once
#include <vector>

#include "core/report/raw_sheets.h"

namespace rankscope {

/// GEMM, GroupedGEMM_fwd, MoE_fused_fwd, MoE_unfused_fwd, CONV_fwd, CONV_bwd, SDPA_fwd, SDPA_bwd,
/// InferenceAttention_fwd, Normalization, RMSNorm_fwd, RoPE_fwd, FusedRoPE_fwd, CrossEntropy_fwd, SSM_fwd,
/// GroupQuant_fwd, MoE_aux_fwd, MoE_comm_fwd, CustomCollective_fwd, mHC_fwd, Reduce_fwd, UnaryElementwise and
/// BinaryElementwise: those that have rows. Parameters that only some operators of a sheet have are columns where a
/// row has one. A row counts the calls of one operator with equal parameters and as many kernels, also those inside
/// other operators with a model; the time is that of all work inside a call.
std::vector<Sheet> operator_sheets(Runs runs);

/// Kernels shorter than 10 us by operator, inputs and kernel; copies and memory sets count.
Sheet short_kernels_summary_sheet(Runs runs);
/// How many of them are how long, in 100 equal steps between the shortest and the longest.
Sheet short_kernel_histogram_sheet(Runs runs);

} // namespace rankscope
