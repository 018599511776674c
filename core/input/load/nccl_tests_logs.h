// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the logs of nccl-tests beside the traces of a run.
#pragma once
#include <filesystem>

#include "core/trace/run.h"

namespace rankscope {

/// By name (.txt, .log, .out) and by how they begin. Adds their curves to the run, and notices.
void join_nccl_tests(const std::filesystem::path& path, Run& run);

} // namespace rankscope
