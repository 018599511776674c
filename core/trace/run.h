// SPDX-License-Identifier: GPL-3.0-or-later
// A run: the ranks of one recording, and what is known about its configuration.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/gpu_error.h"
#include "core/trace/nccl_tests.h"
#include "core/trace/rank_trace.h"
#include "core/trace/workload_records.h"

namespace rankscope {

/// Flattened configuration: key -> value, e.g. "workload.data.batch_size" -> "16", "trace.device" -> "Tesla V100".
using RunConfig = std::map<std::string, std::string>;

struct Run {
    std::string name;           ///< last part of the path
    std::filesystem::path path; ///< as given by the user
    TraceSource source = TraceSource::kineto;
    std::shared_ptr<StringTable> names;
    std::vector<std::shared_ptr<const RankTrace>> ranks; ///< ascending by rank
    int world_size = 0;
    std::vector<int> missing_ranks;
    std::size_t left_out = 0; ///< of these: traced, but not among ranks, because too little of them is recorded
    RunConfig config;
    ServingResults serving; ///< of inference benchmarks beside the traces; empty fields when there are none
    std::vector<ExpertLoads> expert_loads; ///< of gating logs beside the traces
    std::vector<NcclTestCurve> nccl_tests; ///< of logs of nccl-tests beside the traces, by file
    Notices notices;                       ///< of the run and of all its ranks
    TimeRange span;                   ///< of all events of all ranks; times shown to the user count from span.begin
    std::vector<GpuError> gpu_errors; ///< of logs of kernels beside the traces, ascending by time

    [[nodiscard]] const RankTrace* rank(int number) const; ///< nullptr when not traced
    [[nodiscard]] std::size_t untraced_ranks() const;      ///< how many ranks of the job have no trace
    [[nodiscard]] std::uint64_t event_count() const;
    [[nodiscard]] std::uint64_t file_bytes() const;
};

} // namespace rankscope
