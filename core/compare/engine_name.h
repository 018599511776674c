// SPDX-License-Identifier: GPL-3.0-or-later
// What runs the model, as far as a recording tells.
#pragma once
#include <string>

#include "core/trace/run.h"

namespace rankscope {

/// "vLLM 0.8.2", "SGLang", "PyTorch": what the workload card names, else a serving engine whose functions or kernels
/// are recorded, else the framework whose profiler wrote it; the version where a setting has it. "" where nothing
/// tells.
std::string engine_name(const Run& run);

} // namespace rankscope
