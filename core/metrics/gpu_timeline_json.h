// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a gpu_timeline as every output writes them.
#pragma once
#include "core/analysis/gpu/gpu_timeline.h"
#include "core/metrics/metric.h"

namespace rankscope {

/// total_us, busy_us, computation_us, total_comm_us, exposed_comm_us, total_memcpy_us, exposed_memcpy_us, idle_us,
/// overlap_us, micro_idle_us, macro_idle_us.
Json gpu_timeline_json(const GpuTimeline& timeline);

} // namespace rankscope
