// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets of profiles of XLA under the names and columns that TraceLens gives them for JAX.
#pragma once
#include <string_view>
#include <vector>

#include "core/report/raw_sheets.h"

namespace rankscope {

/// "GEMM", "FA FWD", "FA BWD", "Conv", "TE", "Communication rccl/nccl", else "Uncategorized Events/XLA": by the
/// operator where it is a convolution, whichever kernels do it, else by the kernel.
std::string_view xla_category(std::string_view kernel, std::string_view op, bool communicates);

/// gpu_events_averages, kernel_launchers, kernel_launchers_summary, kernel_launchers_summary_by_cat,
/// kernel_launchers_unique_args, xla_summary, op_conv and op_gemm: those that have rows.
std::vector<Sheet> xla_sheets(Runs runs);

} // namespace rankscope
