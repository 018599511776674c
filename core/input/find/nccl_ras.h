// SPDX-License-Identifier: GPL-3.0-or-later
// The status of a job as NCCL's RAS prints it (`ncclras`, NCCL 2.24 and later), as configuration.
#pragma once
#include <string_view>

#include "core/trace/run.h"

namespace rankscope {

/// Keys start with "nccl_ras.": version, cuda_runtime, cuda_driver, nodes, processes_per_node, gpus_per_process,
/// processes, gpus, gpus_per_node (where all nodes have as many), communicators, and communicators.N for each group
/// of them. Empty: the text is none of RAS. Source: NCCL, src/ras/client_support.cc; its text may change with releases,
/// and what is not recognised is left out.
RunConfig parse_nccl_ras(std::string_view text);

} // namespace rankscope
