// SPDX-License-Identifier: GPL-3.0-or-later
// How long GPU work of a name usually takes.
#pragma once
#include <stop_token>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// Median duration of the GPU work of each name over all ranks, ns, by NameId; 0: fewer than three of it. Stopped:
/// empty.
std::vector<float> name_medians(const Run& run, const std::stop_token& stop = {});

} // namespace rankscope
