// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the logs of GPUs and of kernels beside the traces of a run and joins them (core/input/hardware).
#pragma once
#include <filesystem>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// By name (.csv, .txt, .log, .prom) and by how they begin.
std::vector<std::filesystem::path> hardware_logs(const std::filesystem::path& run);

/// Adds counters to the ranks, errors to the run, what was joined to the configuration (trace.hardware), and notices.
void join_hardware(const std::filesystem::path& path, Run& run);

} // namespace rankscope
