// SPDX-License-Identifier: GPL-3.0-or-later
// What a serving engine's host did while the GPU waited for it, by the ranges in which the engine names it.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

struct HostRange {
    TimeRange range;
    std::string_view name; ///< as recorded; lives as long as the trace
};

/// Whether it is a range of an engine's host. vLLM (with VLLM_CUSTOM_SCOPES_FOR_PROFILING=1) has
/// "gpu_model_runner: preprocess", "schedule: allocate_slots", "llm_engine step: process_outputs" and the like; SGLang
/// has "scheduler.get_next_batch_to_run", "cuda_graph_runner.replay", "tp_worker.batch_init_new". Both by
/// record_function or NVTX.
bool is_engine_range(std::string_view name);

/// At each instant the range that started last, on whichever thread: by start, none over another. Empty if the engine
/// recorded none.
std::vector<HostRange> engine_ranges(const RankTrace& rank);

struct HostWait {
    std::string_view name; ///< of the engine's range; empty: in none of them
    TimeNs time = 0;
};
/// By name; without ranges that nothing waits for. The sum is that of the idle time.
std::vector<HostWait> host_waits(std::span<const HostRange> ranges, const IntervalSet& idle);

} // namespace rankscope
